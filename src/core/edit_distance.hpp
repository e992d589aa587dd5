// SPDX-License-Identifier: BSD-3-Clause
// How far a mistyped word is from a known one.
#pragma once

#include <cstddef>
#include <string_view>

namespace alltold {

/// Longer words are no mistyped names, and long ones take long.
inline constexpr std::size_t longest_mistyped_word = 64;

/// The least number of characters to insert, delete or replace to turn `a` into `b` (Levenshtein,
/// 1966).
std::size_t edit_distance(std::string_view a, std::string_view b);

} // namespace alltold
