// SPDX-License-Identifier: BSD-3-Clause
// A line for one pair of ranks, and the bytes of all pairs over their time.
#include "network/links/memory_fit.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "network/fit/rate_fit.hpp"
#include "network/links/port_fit.hpp"

namespace alltold {
namespace {

Result<RateFit> fit_copies(const Fitting& fitting) {
    std::vector<Series> series;
    for (const auto* samples : fitting.sampled("memory"))
        if (auto one = series_of(*samples); one.times_s.size() >= fewest_repetitions)
            series.push_back(std::move(one));
    return fit_rate(series, "copies between ranks of one host", fitting.seed);
}

/// Bytes per second of all pairs of a host together; empty where that was not measured.
std::optional<Estimate> shared_rate(Fitting& fitting) {
    std::map<std::pair<int, std::uint64_t>, std::vector<OfClusters>, std::greater<>> by_load;
    for (const auto* samples : fitting.sampled("memory_shared")) {
        const Point& point = samples->point;
        const auto times_s = samples->series().times_s;
        if (point.n() < 2 || point.size_bytes == 0 || times_s.size() < fewest_repetitions ||
            std::ranges::min(times_s) <= 0)
            continue;
        const int pairs = point.n() / 2;
        const double bytes = pairs * static_cast<double>(point.size_bytes);
        const auto time_s = estimate_of(times_s);
        by_load[{pairs, point.size_bytes}].push_back(
            {fmt::format("the host of rank {}", std::max(point.first_rank, 0)),
             {bytes / time_s.value, bytes / time_s.high, bytes / time_s.low}});
    }
    if (by_load.empty())
        return std::nullopt;
    std::string differ;
    const auto rate = one_for_all(by_load.begin()->second, true, differ);
    if (!differ.empty())
        fitting.note("memory", differ + "; the slowest of them is taken for all");
    return rate;
}

} // namespace

std::optional<LinkNetwork::Memory> fit_memory(Fitting& fitting) {
    if (fitting.sampled("memory").empty() && fitting.sampled("memory_shared").empty())
        return std::nullopt;
    const auto pair = fit_copies(fitting);
    if (!pair) {
        fitting.refuse("memory", pair.error().message);
        return std::nullopt;
    }
    const auto shared = shared_rate(fitting);
    if (!shared) {
        fitting.refuse("memory", "copies of all ranks of a host at once were not measured");
        return std::nullopt;
    }
    const auto& copy = pair->goodput_bytes_per_s;
    LinkNetwork::Memory memory;
    memory.latency_s = std::max(0., pair->offset_s.value);
    memory.copy_bytes_per_s = copy.value;
    memory.shared_bytes_per_s = std::max(shared->value, copy.value);
    memory.latency_error = relative_error(pair->offset_s);
    memory.rate_error = std::max(relative_error(copy), relative_error(*shared));
    return memory;
}

} // namespace alltold
