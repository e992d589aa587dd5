// SPDX-License-Identifier: BSD-3-Clause
// A time as a function of message size, known at some sizes and linear between them.
#pragma once

#include "core/statistics.hpp"

namespace alltold {

/// A parameter of pLogP or of the cluster model: seconds by message size. Piecewise linear between
/// its points, which follows changes of protocol; constant below the first point; continued beyond
/// the last with the slope between the last two (never downwards).
class SizeCurve {
  public:
    struct Point {
        double size_bytes;
        Estimate time_s;

        Point(double bytes, double exact_s) : size_bytes(bytes), time_s(Estimate::exact(exact_s)) {}
        Point(double bytes, const Estimate& known_s) : size_bytes(bytes), time_s(known_s) {}
        bool operator==(const Point&) const = default;
    };

    /// The zero curve.
    SizeCurve() = default;
    /// One or more points in strictly increasing order of size, with times >= 0.
    explicit SizeCurve(std::vector<Point> points);
    /// The straight line base + slope m from `from_bytes` on.
    static SizeCurve line(double base_s, double slope_s_per_byte, double from_bytes = 0);

    double operator()(double size_bytes) const;
    /// As above with its interval, each end interpolated as the value is.
    Estimate estimate(double size_bytes) const;
    /// The exact curves along the ends of the intervals.
    SizeCurve low() const { return end(&Estimate::low); }
    SizeCurve high() const { return end(&Estimate::high); }
    const std::vector<Point>& points() const { return points_; }
    bool operator==(const SizeCurve&) const = default;

  private:
    SizeCurve end(double Estimate::*end) const;
    double interpolate(double size_bytes, double Estimate::*end) const;
    std::vector<Point> points_;
};

} // namespace alltold
