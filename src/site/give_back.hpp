// SPDX-License-Identifier: BSD-3-Clause
// Appending to what is learned of a network, beside other jobs.
#pragma once

#include <filesystem>
#include <span>

#include "core/result.hpp"
#include "site/learned.hpp"

namespace alltold::site {

/// Whether lines were kept; they are not where this user may not write.
enum class Kept { yes, not_writable };

/// Appends a line for each shape to the file, which only its owner may read if it is new: each by
/// one write, so that lines of jobs that end at once do not mix. Above most_bytes the file is
/// replaced by its newest lines. Waits for no other job, but at most 1 s
/// for one that replaces the file. Fails, naming the file, where the disk is full.
Result<Kept> give_back(const std::filesystem::path& file, std::span<const LearnedShape> shapes);

/// More than Learned::most_shapes lines, so that it is seldom replaced.
inline constexpr std::size_t most_bytes = 512 << 10;

/// All lines of the file; none where it is missing or may not be read.
Learned read_learned(const std::filesystem::path& file);

} // namespace alltold::site
