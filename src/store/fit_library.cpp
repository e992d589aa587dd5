// SPDX-License-Identifier: BSD-3-Clause
// Medians of the library's own collectives.
#include "store/fit_library.hpp"

#include <algorithm>
#include <cmath>

#include "core/median.hpp"
#include "predict/library_algorithms.hpp"
#include "store/sampled.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_repetitions = 3;

Estimate estimate_of(const std::vector<double>& times_s) {
    const auto known = median_interval(times_s);
    const auto [least, most] = std::minmax_element(times_s.begin(), times_s.end());
    return {known.median, std::isfinite(known.low) ? known.low : *least,
            std::isfinite(known.high) ? known.high : *most};
}

} // namespace

std::vector<LibraryTime> library_times(std::span<const PointSamples> points,
                                       const FitRequest& request) {
    std::vector<LibraryTime> library;
    for (const auto collective :
         {Collective::bcast, Collective::scatter, Collective::gather, Collective::alltoall})
        for (const auto* samples : sampled(points, name_of(collective), request)) {
            const auto times_s = samples->series().times_s;
            if ((samples->point.algorithm == "mpi" ||
                 names_library_algorithm(samples->point.algorithm)) &&
                times_s.size() >= fewest_repetitions)
                library.push_back({collective, samples->point.clusters, samples->point.size_bytes,
                                   estimate_of(times_s), samples->point.algorithm});
        }
    return library;
}

} // namespace alltold
