// SPDX-License-Identifier: BSD-3-Clause
// Measurements of a network that we know, since we made it up.
#pragma once

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "network/hockney/hockney_fit.hpp"
#include "network/samples.hpp"
#include "network/signature/signature.hpp"

namespace alltold::synthetic {

struct Noise {
    double relative = 0.05;
    int repetitions = 15;
};

inline std::vector<double> repeat(double time_s, const Noise& noise, Random& random) {
    std::vector<double> times;
    for (int i = 0; i < noise.repetitions; ++i)
        times.push_back(time_s * (1 + noise.relative * random.normal()));
    return times;
}

inline std::vector<double> sizes(double from, double factor, int count) {
    std::vector<double> result;
    for (int i = 0; i < count; ++i, from *= factor)
        result.push_back(from);
    return result;
}

inline std::vector<Series> pingpong(const Hockney& network, const std::vector<double>& sizes,
                                    const Noise& noise, Random& random) {
    std::vector<Series> series;
    for (const double m : sizes)
        series.push_back({2, m, repeat(network.time_s(m), noise, random)});
    return series;
}

inline std::vector<Series> alltoall(const Hockney& network, const Signature& signature, int n,
                                    const std::vector<double>& sizes, const Noise& noise,
                                    Random& random) {
    std::vector<Series> series;
    for (const double m : sizes)
        series.push_back({n, m, repeat(alltoall_time_s(network, signature, n, m), noise, random)});
    return series;
}

} // namespace alltold::synthetic
