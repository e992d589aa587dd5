// SPDX-License-Identifier: BSD-3-Clause
// Text of files and users without what a terminal would obey.
#pragma once

#include <string>
#include <string_view>

namespace alltold {

/// The text as valid UTF-8 on one line: control characters of ASCII become blanks; other control
/// characters, those that change the direction of writing, and bytes that are no UTF-8 become
/// U+FFFD.
std::string plain_text(std::string_view text);

} // namespace alltold
