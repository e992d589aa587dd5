// SPDX-License-Identifier: BSD-3-Clause
// Sizes, rates, times, shares and ratios as people write them. Inside, everything is bytes, bits
// per second, seconds.
#pragma once

#include <cstdint>

#include "core/result.hpp"

namespace alltold {

/// Bytes in a KiB.
inline constexpr std::uint64_t ki = 1024;

/// Bytes from "4096", "64KiB", "1MB", "1.5MiB"; k, M, G are powers of 1000, Ki, Mi, Gi of 1024.
/// Fails when the text is no number, has another unit, is negative or is no whole number of bytes.
Result<std::uint64_t> parse_size(std::string_view text);

/// Bits per second from "50Mbit", "1Gbit", "9600bit". Fails as parse_size does, and for zero.
Result<double> parse_rate(std::string_view text);

/// Seconds from "5ms", "100us", "1.5s", "2min", "0". Fails as parse_size does.
Result<double> parse_time(std::string_view text);

/// "64 KiB", "1.5 MiB", "1000 B": the largest unit that shows the size exactly or to three digits.
std::string format_size(double size_bytes);
/// The same as one word that parse_size reads back, for names and command lines: "64KiB", "1000".
std::string format_size_word(std::uint64_t size_bytes);
/// "50 Mbit/s"
std::string format_rate(double bits_per_s);
/// "12.3 ms", with three significant digits.
std::string format_time(double time_s);

/// "12.3 %" for 0.123, with that many digits after the point; "over 1000 %" above ten times the
/// whole, where digits say nothing; "unknown" for what is not finite.
std::string format_percent(double share, int digits = 1);
/// format_percent() with the sign: "+12.3 %", "-4.0 %".
std::string format_signed_percent(double share, int digits = 1);

/// How many times as much: "1.25", with that many digits after the point; "over 1000", where digits
/// say nothing; "unknown" for what is not finite.
std::string format_ratio(double ratio, int digits = 2);

} // namespace alltold
