// SPDX-License-Identifier: BSD-3-Clause
// Text of files and users without what a terminal would obey.
#pragma once

#include <string>
#include <string_view>

namespace alltold {

/// The text as valid UTF-8 on one line: control characters of ASCII become blanks; other control
/// characters and those that change the direction of writing become U+FFFD; bytes that are no UTF-8
/// are written as a shell's $'...' takes them, such as \xff.
std::string plain_text(std::string_view text);

} // namespace alltold
