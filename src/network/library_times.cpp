// SPDX-License-Identifier: BSD-3-Clause
// Measured times of all that is not ours.

#include "network/fitting.hpp"

namespace alltold {
namespace {

bool is_ours(std::string_view algorithm) {
    return std::ranges::any_of(registry(), [&](const Algorithm* ours) {
        return ours->name == algorithm.substr(0, algorithm.find(' '));
    });
}

/// The usual scatter on both sides where repetitions are too few to show theirs.
Estimate time_of(const Series& series) {
    auto time_s = estimate_of(series.times_s);
    if (series.times_s.size() < fewest_repetitions) {
        const double factor = std::exp(1.96 * usual_scatter);
        time_s = {time_s.value, time_s.low / factor, time_s.high * factor};
    }
    return time_s;
}

} // namespace

std::vector<LibraryTime> library_times(const Fitting& fitting) {
    std::vector<LibraryTime> library;
    for (const auto collective : uniform_collectives)
        for (const auto* samples : fitting.sampled(name_of(collective))) {
            const auto series = samples->series();
            const auto& algorithm = samples->point.algorithm;
            // Those that are not ours are known by their times alone.
            if (!is_ours(algorithm) && series.fitted())
                library.push_back({collective, samples->point.clusters, samples->point.size_bytes,
                                   time_of(series), algorithm, samples->means_of_ranks()});
        }
    return library;
}

} // namespace alltold
