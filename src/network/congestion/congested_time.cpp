// SPDX-License-Identifier: BSD-3-Clause
// The maximum of two independent times: the traffic's, and that of the last time-out.
#include "network/congestion/congestion_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/statistics.hpp"

namespace alltold {
namespace {

/// Share of the instants of a call from which a time-out lasts beyond `time_s`.
double share_beyond(const CongestedTime& time, double time_s) {
    return std::clamp(1 - (time_s - time.timeout_s) / time.core_s, 0.0, 1.0);
}

} // namespace

double CongestedTime::core_below(double time_s) const {
    return time_s > 0 ? normal_probability(std::log(time_s / core_s) / spread) : 0;
}

double CongestedTime::core_density(double time_s) const {
    if (time_s <= 0)
        return 0;
    const double z = std::log(time_s / core_s) / spread;
    return std::exp(-z * z / 2) / (std::sqrt(2 * std::numbers::pi) * spread * time_s);
}

double CongestedTime::ends_below(double time_s) const {
    return std::pow(1 + timeouts * share_beyond(*this, time_s) / shape, -shape);
}

double CongestedTime::ends_density(double time_s) const {
    if (time_s < timeout_s || time_s > timeout_s + core_s)
        return 0;
    return timeouts / core_s *
           std::pow(1 + timeouts * share_beyond(*this, time_s) / shape, -shape - 1);
}

double CongestedTime::probability_below(double time_s) const {
    return core_below(time_s) * ends_below(time_s);
}

double CongestedTime::density(double time_s) const {
    return core_density(time_s) * ends_below(time_s) + core_below(time_s) * ends_density(time_s);
}

double CongestedTime::probability_of_timeout(double time_s) const {
    const double by_timeout = core_below(time_s) * ends_density(time_s);
    return by_timeout > 0 ? by_timeout / density(time_s) : 0;
}

double CongestedTime::quantile(double probability) const {
    double low = core_s * std::exp(-10 * spread);
    double high = core_s * std::exp(10 * spread) + timeout_s;
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (probability_below(middle) < probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace alltold
