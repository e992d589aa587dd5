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

std::string format_interval(const Estimate& time_s) {
    if (time_s.low == time_s.high || !std::isfinite(time_s.low) || !std::isfinite(time_s.high))
        return "-";
    return joined(format_time(time_s.low), format_time(time_s.high));
}

std::string format_estimate(const Estimate& estimate,
                            const std::function<std::string(double)>& format) {
    const auto value = format(estimate.value);
    if (estimate.low == estimate.high)
        return value;
    return fmt::format("{} ({})", value, joined(format(estimate.low), format(estimate.high)));
}

std::string_view sample_unit(std::string_view probe) {
    return probe == "eager" ? "B" : probe == "flood_queue" ? "packets" : "s";
}

} // namespace alltold
