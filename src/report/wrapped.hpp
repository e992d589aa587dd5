// SPDX-License-Identifier: BSD-3-Clause
// Text in the width of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace alltold {

/// Width of all that is printed for a person.
inline constexpr std::size_t page_columns = 100;

/// `text` broken between words into lines of at most `columns`, each with a newline. Lines after
/// the first start with `indent` blanks and those before the last end with `mark`, which counts. A
/// longer word gets a line of its own.
std::string wrapped(const std::string& text, std::size_t indent = 0,
                    std::size_t columns = page_columns, std::string_view mark = "");

} // namespace alltold
