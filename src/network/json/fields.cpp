// SPDX-License-Identifier: BSD-3-Clause
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

void JsonMembers::covariance(std::array<double, 3>& values,
                             const std::array<const char*, 3>& names) {
    part(
        "covariance",
        [&] {
            ordered_json json;
            for (std::size_t i = 0; i < values.size(); ++i)
                json[names[i]] = values[i];
            return json;
        },
        [&](JsonCursor at) {
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = at.member(names[i]).number(i == 1 ? any_number : from_zero);
            at.only({names.begin(), names.end()});
        });
}

ordered_json to_json(const SizeCurve& curve) {
    auto list = ordered_json::array();
    for (const auto& point : curve.points())
        list.push_back({{"size_bytes", point.size_bytes}, {"time_s", to_json(point.time_s)}});
    return list;
}

void from_json(JsonCursor at, SizeCurve& curve) {
    std::vector<SizeCurve::Point> points;
    for (auto item : at.items()) {
        const double size_bytes = item.member("size_bytes").number(in_bytes);
        const auto time_s = read_estimate(item.member("time_s"), in_seconds);
        item.only({"size_bytes", "time_s"});
        if (!points.empty() && !(points.back().size_bytes < size_bytes)) {
            item.complain(fmt::format("expected a size_bytes above {} of the point before, got {}",
                                      points.back().size_bytes, size_bytes));
            break;
        }
        points.push_back({size_bytes, time_s});
    }
    curve = points.empty() ? SizeCurve() : SizeCurve(std::move(points));
}

void from_json(JsonCursor at, SizeCurve& curve, bool) {
    from_json(at, curve);
    if (curve.points().empty())
        at.complain("expected at least one point {size_bytes, time_s}");
}

} // namespace alltold
