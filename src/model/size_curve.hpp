// SPDX-License-Identifier: BSD-3-Clause
// A time as a function of message size, known at some sizes and linear between them.
#pragma once

#include <vector>

namespace alltold {

/// A parameter of pLogP or of the cluster model: seconds by message size. Piecewise linear between
/// its points, which sees changes of protocol; constant below the first; beyond the last it goes on
/// with the slope between the last two (never downwards).
class SizeCurve {
  public:
    struct Point {
        double size_bytes = 0;
        double time_s = 0;
        bool operator==(const Point&) const = default;
    };

    /// The curve that is 0 everywhere.
    SizeCurve() = default;
    /// One or more points in strictly increasing order of size, with times >= 0.
    explicit SizeCurve(std::vector<Point> points);
    /// The straight line base + slope m from `from_bytes` on.
    static SizeCurve line(double base_s, double slope_s_per_byte, double from_bytes = 0);

    double operator()(double size_bytes) const;
    const std::vector<Point>& points() const { return points_; }
    bool operator==(const SizeCurve&) const = default;

  private:
    std::vector<Point> points_;
};

} // namespace alltold
