// SPDX-License-Identifier: BSD-3-Clause
// Formats intervals; both ends share the unit if it is the same.
#include "report/format.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold {
namespace {

std::string joined(std::string low, const std::string& high) {
    const auto unit = low.find(' ');
    if (unit != std::string::npos && high.ends_with(low.substr(unit)))
        low.erase(unit);
    return fmt::format("{} .. {}", low, high);
}

} // namespace

std::string format_interval(double low_s, double high_s) {
    if (low_s == high_s || !std::isfinite(low_s) || !std::isfinite(high_s))
        return "-";
    return joined(format_time(low_s), format_time(high_s));
}

std::string format_estimate(const Estimate& estimate,
                            const std::function<std::string(double)>& format) {
    const auto value = format(estimate.value);
    if (estimate.low == estimate.high)
        return value;
    return fmt::format("{} ({})", value, joined(format(estimate.low), format(estimate.high)));
}

} // namespace alltold
