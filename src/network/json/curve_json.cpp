// SPDX-License-Identifier: BSD-3-Clause
// A time by message size, point by point.
#include "network/json/fields.hpp"

#include <utility>

#include <fmt/format.h>

namespace alltold {

using nlohmann::ordered_json;

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
