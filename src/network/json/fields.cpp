// SPDX-License-Identifier: BSD-3-Clause
// Estimates, covariances, curves by size and errors of models as JSON.
#include "network/json/fields.hpp"

#include <utility>

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

std::array<double, 3> read_covariance(JsonCursor at, const std::vector<std::string>& names) {
    const std::array<double, 3> covariance{at.member(names[0]).number(from_zero),
                                           at.member(names[1]).number(any_number),
                                           at.member(names[2]).number(from_zero)};
    at.only(names);
    return covariance;
}

ordered_json to_json(const std::vector<ModelError>& models) {
    auto list = ordered_json::array();
    for (const auto& model : models)
        list.push_back({{"name", model.name},
                        {"leave_one_out", model.leave_one_out},
                        {"leave_one_out_worst", model.leave_one_out_worst}});
    return list;
}

std::vector<ModelError> read_models(JsonCursor at) {
    std::vector<ModelError> models;
    for (auto item : at.items()) {
        models.push_back({item.member("name").text(),
                          item.member("leave_one_out").number(from_zero),
                          item.member("leave_one_out_worst").number(from_zero)});
        item.only({"name", "leave_one_out", "leave_one_out_worst"});
    }
    return models;
}

ordered_json to_json(const SizeCurve& curve) {
    auto list = ordered_json::array();
    for (const auto& point : curve.points())
        list.push_back({{"size_bytes", point.size_bytes}, {"time_s", to_json(point.time_s)}});
    return list;
}

SizeCurve read_curve(JsonCursor at) {
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
    return points.empty() ? SizeCurve() : SizeCurve(std::move(points));
}

void require_points(JsonCursor at, const SizeCurve& curve) {
    if (curve.points().empty())
        at.complain("expected at least one point {size_bytes, time_s}");
}

} // namespace alltold
