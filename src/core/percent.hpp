// SPDX-License-Identifier: BSD-3-Clause
// Shares and ratios as people read them.
#pragma once

#include <string>

namespace alltold {

/// "12.3 %" for 0.123, with that many digits after the point; "over 1000 %" above ten times the
/// whole, where digits say nothing; "unknown" for what is not finite.
std::string format_percent(double share, int digits = 1);
/// The same with its sign: "+12.3 %", "-4.0 %".
std::string format_signed_percent(double share, int digits = 1);

/// How many times as much: "1.25", with that many digits after the point; "over 1000", where digits
/// say nothing; "unknown" for what is not finite.
std::string format_ratio(double ratio, int digits = 2);

} // namespace alltold
