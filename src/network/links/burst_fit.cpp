// SPDX-License-Identifier: BSD-3-Clause
// The same number of bytes missing at every size.
#include "network/links/burst_fit.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "core/median.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_burst_sizes = 3;
/// Sizes agree where they are within this factor of their median.
constexpr double agreed = 2;
/// Messages of so many latencies are judged; shorter ones are all start-up.
constexpr double long_message = 10;
/// Of the messages from which it is read, that a burst is at most.
constexpr double most_of_message = 0.5;

} // namespace

double fit_burst_bytes(std::span<const Series> pingpongs, double goodput_bytes_per_s) {
    std::map<double, std::vector<double>> times_s;
    for (const auto& series : pingpongs)
        times_s[series.size_bytes].insert(times_s[series.size_bytes].end(), series.times_s.begin(),
                                          series.times_s.end());
    if (times_s.empty())
        return 0;
    const auto& [least_bytes, least_s] = *times_s.begin();
    const double latency_s = median(least_s);
    std::vector<double> missing_bytes;
    for (const auto& [size_bytes, all_s] : times_s) {
        const double bytes =
            goodput_bytes_per_s * (latency_s - median(all_s)) + size_bytes - least_bytes;
        if (size_bytes > long_message * latency_s * goodput_bytes_per_s &&
            bytes < most_of_message * size_bytes)
            missing_bytes.push_back(bytes);
    }
    if (missing_bytes.size() < fewest_burst_sizes)
        return 0;
    const double burst_bytes = median(missing_bytes);
    return burst_bytes > 0 && std::all_of(missing_bytes.begin(), missing_bytes.end(),
                                          [&](double bytes) {
                                              return bytes > burst_bytes / agreed &&
                                                     bytes < burst_bytes * agreed;
                                          })
               ? burst_bytes
               : 0;
}

} // namespace alltold
