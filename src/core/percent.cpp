// SPDX-License-Identifier: BSD-3-Clause
// Percentages and ratios with an end.
#include "core/percent.hpp"

#include <cmath>

#include <fmt/format.h>

namespace alltold {
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
