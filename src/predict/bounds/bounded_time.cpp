// SPDX-License-Identifier: BSD-3-Clause
// Which of two times is longer, by quadrature.
#include "predict/bounds/bounded_time.hpp"

#include <algorithm>

#include "core/normal.hpp"

namespace alltold {

double log_deviation(const Estimate& time_s) {
    constexpr double least = 1e-3;
    if (!(time_s.low > 0) || !std::isfinite(time_s.high))
        return INFINITY;
    return std::max(least, std::log(time_s.high / time_s.low) / (2 * normal_reach));
}

BoundedTime::BoundedTime(const Estimate& time_s, double bound_s, double share)
    : log_(std::log(time_s.value)), deviation_(share * log_deviation(time_s)),
      least_(bound_s > 0 ? (std::log(bound_s) - log_) / deviation_ : -INFINITY),
      cut_off_(normal_probability(least_)) {}

double BoundedTime::chance_below(double log) const {
    const double below = normal_probability((log - log_) / deviation_);
    return std::max(0., (below - cut_off_) / (1 - cut_off_));
}

template <class Of>
double BoundedTime::mean(Of of) const {
    constexpr int parts = 40;
    constexpr double reach = 5; // in deviations: the rest is one in a million
    const double least = std::max(-reach, least_), width = (reach - least) / parts;
    double sum = 0, weights = 0;
    for (int i = 0; i < parts; ++i) {
        const double z = least + (i + 0.5) * width;
        const double weight = std::exp(-z * z / 2);
        weights += weight;
        sum += weight * of(log_ + deviation_ * z);
    }
    return sum / weights;
}

double BoundedTime::chance_of_more(const BoundedTime& other) const {
    constexpr double little = 1e-4, most = 0.999; // of a distribution beyond its bound
    const double cut_off = std::max(cut_off_, other.cut_off_);
    const double deviation = std::hypot(deviation_, other.deviation_);
    if (cut_off <= little || cut_off > most || !std::isfinite(deviation))
        return normal_probability((log_ - other.log_) / deviation);
    // The probability of the wider is smooth in steps of the narrower.
    return deviation_ < other.deviation_
               ? mean([&](double log) { return other.chance_below(log); })
               : other.mean([&](double log) { return 1 - chance_below(log); });
}

} // namespace alltold
