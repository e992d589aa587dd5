// SPDX-License-Identifier: BSD-3-Clause
// A number with its interval, and the covariance of two.
#include "network/json/fields.hpp"

#include <fmt/format.h>

namespace alltold {

using nlohmann::ordered_json;

ordered_json to_json(const Estimate& estimate) {
    return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

Estimate read_estimate(JsonCursor at, const NumberRange& range) {
    Estimate estimate;
    estimate.value = at.member("value").number(range);
    estimate.low = at.member("low").number(any_number);
    estimate.high = at.member("high").number(any_number);
    at.only({"value", "low", "high"});
    if (!(estimate.low <= estimate.value && estimate.value <= estimate.high))
        at.complain(fmt::format("expected low <= value <= high, got {}, {}, {}", estimate.low,
                                estimate.value, estimate.high));
    return estimate;
}

/// Variance, covariance, variance, under these names.
std::array<double, 3> read_covariance(JsonCursor at, const std::vector<std::string>& names) {
    const std::array<double, 3> covariance{at.member(names[0]).number(from_zero),
                                           at.member(names[1]).number(any_number),
                                           at.member(names[2]).number(from_zero)};
    at.only(names);
    return covariance;
}

} // namespace alltold
