// SPDX-License-Identifier: BSD-3-Clause
// Interpolation between the points of a curve.
#include "network/size_curve.hpp"

#include <algorithm>
#include <utility>

namespace alltold {

SizeCurve::SizeCurve(std::vector<Point> points) : points_(std::move(points)) {
    assert(!points_.empty());
    assert(std::is_sorted(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
        return a.size_bytes < b.size_bytes;
    }));
}

SizeCurve SizeCurve::line(double base_s, double slope_s_per_byte, double from_bytes) {
    const auto at = [&](double size_bytes) {
        return Point{size_bytes, base_s + slope_s_per_byte * size_bytes};
    };
    // Far apart, so that the slope between them keeps all its digits.
    return SizeCurve({at(from_bytes), at(from_bytes + (1 << 30))});
}

double SizeCurve::operator()(double size_bytes) const {
    return interpolate(size_bytes, &Estimate::value);
}

Estimate SizeCurve::estimate(double size_bytes) const {
    return {interpolate(size_bytes, &Estimate::value), interpolate(size_bytes, &Estimate::low),
            interpolate(size_bytes, &Estimate::high)};
}

SizeCurve SizeCurve::end(double Estimate::*end) const {
    std::vector<Point> points;
    points.reserve(points_.size());
    for (const auto& point : points_)
        points.push_back({point.size_bytes, point.time_s.*end});
    return points.empty() ? SizeCurve() : SizeCurve(std::move(points));
}

double SizeCurve::interpolate(double size_bytes, double Estimate::*end) const {
    if (points_.empty())
        return 0;
    if (points_.size() == 1 || size_bytes <= points_.front().size_bytes)
        return points_.front().time_s.*end;
    const auto above =
        std::lower_bound(points_.begin(), points_.end() - 1, size_bytes,
                         [](const Point& point, double size) { return point.size_bytes < size; });
    const Point& right = *above;
    const Point& left = *(above - 1);
    const double left_s = left.time_s.*end, right_s = right.time_s.*end;
    const double slope = (right_s - left_s) / (right.size_bytes - left.size_bytes);
    if (size_bytes > right.size_bytes)
        return right_s + std::max(slope, 0.0) * (size_bytes - right.size_bytes);
    return left_s + slope * (size_bytes - left.size_bytes);
}

} // namespace alltold
