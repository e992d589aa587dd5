// SPDX-License-Identifier: BSD-3-Clause
// Text in the width of a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace alltold {

/// Width of all that is printed for a person.
inline constexpr std::size_t page_columns = 100;

/// `text` broken between words, but not before "%", into lines of at most page_columns, each with a
/// newline. Lines after the first start with `indent` blanks. A longer word gets a line of its own.
std::string wrapped(const std::string& text, std::size_t indent = 0);

} // namespace alltold
