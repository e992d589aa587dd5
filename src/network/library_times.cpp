// SPDX-License-Identifier: BSD-3-Clause
// Interpolation in size, then in the number of ranks.
#include <algorithm>
#include <cmath>
#include <map>

#include "network/fitting.hpp"

namespace alltold {
namespace {

/// Interpolated values are less certain than measured ones.
constexpr double wider = 1.1;

double between(double a, double b, double share) {
    return a > 0 && b > 0 ? std::exp(std::log(a) + share * std::log(b / a)) : a + share * (b - a);
}

Estimate between(const Estimate& a, const Estimate& b, double share) {
    return {between(a.value, b.value, share), between(a.low, b.low, share) / wider,
            between(a.high, b.high, share) * wider};
}

/// Of fewer repetitions than show a scatter, the usual one on both sides.
Estimate time_of(const Series& series) {
    auto time_s = estimate_of(series.times_s);
    if (series.times_s.size() < fewest_repetitions) {
        const double factor = std::exp(1.96 * usual_scatter);
        time_s = {time_s.value, time_s.low / factor, time_s.high * factor};
    }
    return time_s;
}

/// The value at `x` of a curve with points at positive `x`; empty beyond its ends.
std::optional<Estimate> at(const std::map<double, Estimate>& curve, double x) {
    const auto after = curve.lower_bound(x);
    if (after == curve.end())
        return std::nullopt;
    if (after->first == x)
        return after->second;
    if (after == curve.begin())
        return std::nullopt;
    const auto before = std::prev(after);
    return between(before->second, after->second,
                   std::log(x / before->first) / std::log(after->first / before->first));
}

} // namespace

std::optional<Estimate> library_time(std::span<const LibraryTime> measured, Collective collective,
                                     const Clusters& clusters, double size_bytes,
                                     std::string_view algorithm) {
    std::map<int, std::map<double, Estimate>> by_ranks;
    const int ranks_per_host = clusters.most_ranks_of_a_host();
    const bool has_data = traits_of(collective).has_data;
    // Logarithms know no size of 0, which all barriers have.
    const auto place_of = [&](auto size) { return has_data ? static_cast<double>(size) : 1.; };
    for (const auto& time : measured)
        if (time.collective == collective && time.algorithm == algorithm &&
            time.clusters.count() == clusters.count() &&
            time.clusters.most_ranks_of_a_host() == ranks_per_host &&
            (time.size_bytes > 0 || !has_data) &&
            (time.clusters.ranks() != clusters.ranks() || time.clusters == clusters))
            by_ranks[time.clusters.ranks()][place_of(time.size_bytes)] = time.time_s;
    std::map<double, Estimate> over_ranks;
    for (const auto& [ranks, curve] : by_ranks)
        if (const auto time_s = at(curve, place_of(size_bytes)))
            over_ranks[ranks] = *time_s;
    return at(over_ranks, clusters.ranks());
}

std::vector<LibraryTime> library_times(const Fitting& fitting) {
    std::vector<LibraryTime> library;
    for (const auto collective : uniform_collectives)
        for (const auto* samples : fitting.sampled(name_of(collective))) {
            const auto series = samples->series();
            if ((samples->point.algorithm == "mpi" ||
                 samples->point.algorithm.starts_with("mpi.")) &&
                series.fitted())
                library.push_back({collective, samples->point.clusters, samples->point.size_bytes,
                                   time_of(series), samples->point.algorithm});
        }
    return library;
}

} // namespace alltold
