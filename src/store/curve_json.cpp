// SPDX-License-Identifier: BSD-3-Clause
// A time by message size, point by point.
#include "store/profile_parts.hpp"

#include <utility>

#include <fmt/format.h>

namespace alltold {

using nlohmann::ordered_json;

ordered_json to_json(const SizeCurve& curve) {
    auto list = ordered_json::array();
    for (const auto& point : curve.points()) {
        ordered_json json{{"size_bytes", point.size_bytes}, {"time_s", point.time_s}};
        if (point.low_s != point.time_s || point.high_s != point.time_s) {
            json["low_s"] = point.low_s;
            json["high_s"] = point.high_s;
        }
        list.push_back(std::move(json));
    }
    return list;
}

SizeCurve read_curve(JsonCursor at) {
    std::vector<SizeCurve::Point> points;
    for (auto item : at.items()) {
        const double size_bytes = item.member("size_bytes").number(in_bytes);
        const double time_s = item.member("time_s").number(in_seconds);
        SizeCurve::Point point{size_bytes, time_s};
        if (auto low = item.optional_member("low_s"))
            point.low_s = low->number(in_seconds);
        if (auto high = item.optional_member("high_s"))
            point.high_s = high->number(in_seconds);
        item.only({"size_bytes", "time_s", "low_s", "high_s"});
        if (!(point.low_s <= time_s && time_s <= point.high_s))
            item.complain(fmt::format("expected low_s <= time_s <= high_s, got {}, {}, {}",
                                      point.low_s, time_s, point.high_s));
        if (!points.empty() && !(points.back().size_bytes < size_bytes)) {
            item.complain(fmt::format("expected a size_bytes above {} of the point before, got {}",
                                      points.back().size_bytes, size_bytes));
            break;
        }
        points.push_back(point);
    }
    return points.empty() ? SizeCurve() : SizeCurve(std::move(points));
}

void require_points(JsonCursor at, const SizeCurve& curve) {
    if (curve.points().empty())
        at.complain("expected at least one point {size_bytes, time_s}");
}

} // namespace alltold
