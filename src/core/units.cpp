// SPDX-License-Identifier: BSD-3-Clause
#include "core/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/limits.hpp"

namespace alltold {
namespace {

struct Unit {
    std::string_view name;
    double factor;
};

constexpr std::array size_units{
    Unit{"", 1},         Unit{"B", 1},        Unit{"kB", 1e3},     Unit{"KB", 1e3},
    Unit{"MB", 1e6},     Unit{"GB", 1e9},     Unit{"TB", 1e12},    Unit{"PB", 1e15},
    Unit{"KiB", 1024},   Unit{"MiB", 0x1p20}, Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40},
    Unit{"PiB", 0x1p50},
};
constexpr std::array rate_units{
    Unit{"bit", 1},
    Unit{"kbit", 1e3},
    Unit{"Mbit", 1e6},
    Unit{"Gbit", 1e9},
};
constexpr std::array time_units{
    Unit{"s", 1},     Unit{"ms", 1e-3}, Unit{"us", 1e-6},
    Unit{"ns", 1e-9}, Unit{"min", 60},  Unit{"h", 3600},
};

/// Splits "1.5MiB" into its number and unit; `kind` and `example` are for the error.
Result<double> parse(std::string_view text, std::span<const Unit> units, std::string_view kind,
                     std::string_view example) {
    const auto wrong = [&](std::string_view why) {
        return bad_input(fmt::format("'{}' is not a {}: {}; write {}", text, kind, why, example));
    };
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc{})
        return wrong("it does not start with a number");
    if (!std::isfinite(number))
        return wrong("it is not finite");
    if (number < 0)
        return wrong("it is negative");
    auto name = std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (name.starts_with(' '))
        name.remove_prefix(1);
    if (number == 0 && name.empty())
        return 0.0;
    const auto unit = std::ranges::find(units, name, &Unit::name);
    if (unit == units.end())
        return wrong(name.empty() ? std::string("the unit is missing")
                                  : fmt::format("unknown unit '{}'", name));
    number *= unit->factor;
    if (!std::isfinite(number))
        return wrong("it is too large");
    return number;
}

/// Three significant digits without an exponent or trailing zeros: 64, 1.5, 0.125, 1048.
std::string digits(double x) {
    if (x == 0)
        return "0";
    if (!(std::abs(x) < 1e6 && std::abs(x) >= 1e-6)) // no one reads more digits than that
        return fmt::format("{:.3g}", x);
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(x))));
    auto text = fmt::format("{:.{}f}", x, std::max(0, 2 - magnitude));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.'))
            text.pop_back();
    }
    return text;
}

} // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
    ALLTOLD_TRY(size, parse(text, size_units, "size", "64KiB, 1MB or 4096"));
    if (*size != std::floor(*size))
        return bad_input(
            fmt::format("'{}' is not a size: it is not a whole number of bytes", text));
    if (*size > static_cast<double>(most_size_bytes))
        return bad_input(fmt::format("'{}' is not a size: it is too large", text));
    return static_cast<std::uint64_t>(*size);
}

Result<double> parse_rate(std::string_view text) {
    auto rate = parse(text, rate_units, "rate", "50Mbit or 1Gbit");
    if (rate && *rate <= 0)
        return bad_input(fmt::format("'{}' is not a rate: it must be greater than zero", text));
    return rate;
}

Result<double> parse_time(std::string_view text) {
    return parse(text, time_units, "time", "5ms, 100us or 1.5s");
}

std::string format_size(double size_bytes) {
    constexpr std::array units{std::pair{0x1p50, "PiB"}, std::pair{0x1p40, "TiB"},
                               std::pair{0x1p30, "GiB"}, std::pair{0x1p20, "MiB"},
                               std::pair{0x1p10, "KiB"}};
    for (const auto& [factor, name] : units)
        if (size_bytes >= factor &&
            (std::fmod(size_bytes, factor) == 0 || size_bytes >= 10 * factor))
            return digits(size_bytes / factor) + " " + name;
    return digits(size_bytes) + " B";
}

std::string format_size_word(std::uint64_t size_bytes) {
    for (const auto& [shift, name] :
         {std::pair{30, "GiB"}, std::pair{20, "MiB"}, std::pair{10, "KiB"}})
        if (size_bytes >> shift && (size_bytes >> shift) << shift == size_bytes)
            return fmt::format("{}{}", size_bytes >> shift, name);
    return fmt::format("{}", size_bytes);
}

std::string format_rate(double bits_per_s) {
    for (const auto& [factor, name] :
         {std::pair{1e9, "Gbit/s"}, std::pair{1e6, "Mbit/s"}, std::pair{1e3, "kbit/s"}})
        if (bits_per_s >= factor)
            return digits(bits_per_s / factor) + " " + name;
    return digits(bits_per_s) + " bit/s";
}

std::string format_time(double time_s) {
    const double size = std::abs(time_s);
    if (size == 0)
        return "0 s";
    if (size >= 1)
        return digits(time_s) + " s";
    if (size >= 1e-3)
        return digits(time_s * 1e3) + " ms";
    if (size >= 1e-6)
        return digits(time_s * 1e6) + " us";
    return digits(time_s * 1e9) + " ns";
}

namespace {

constexpr double most = 10;

} // namespace

std::string format_percent(double share, int digits) {
    if (!std::isfinite(share))
        return "unknown";
    if (std::abs(share) > most)
        return fmt::format("{}over {:.0f} %", share < 0 ? "-" : "", 100 * most);
    return fmt::format("{:.{}f} %", 100 * share, digits);
}

std::string format_signed_percent(double share, int digits) {
    if (!std::isfinite(share) || std::abs(share) > most)
        return format_percent(share, digits);
    return fmt::format("{:+.{}f} %", 100 * share, digits);
}

std::string format_ratio(double ratio, int digits) {
    constexpr double most_ratio = 1000;
    if (!std::isfinite(ratio))
        return "unknown";
    return ratio > most_ratio ? fmt::format("over {:.0f}", most_ratio)
                              : fmt::format("{:.{}f}", ratio, digits);
}

} // namespace alltold
