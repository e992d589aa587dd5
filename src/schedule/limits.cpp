// SPDX-License-Identifier: BSD-3-Clause
// Window checks, on one rank and across ranks.
#include "schedule/limits.hpp"

#include <fmt/format.h>

namespace alltold {
namespace {

/// Whether `earlier` must be complete, whatever the timing, before `later` may start. Walks back
/// over after-edges and, at a receive, to the matching send.
bool is_before(std::span<const Schedule> schedules, const Matching& matching, Place earlier,
               Place later) {
    std::vector<char> seen(static_cast<std::size_t>(matching.size()));
    std::vector<Place> starts{later}; // operations known to have started
    while (!starts.empty()) {
        const auto start = starts.back();
        starts.pop_back();
        const auto& schedule = schedules[static_cast<std::size_t>(start.rank)];
        for (const auto step : schedule.after(start.step)) {
            const Place complete{start.rank, step};
            if (complete == earlier)
                return true;
            auto& known = seen[static_cast<std::size_t>(matching.index(start.rank, step))];
            if (known)
                continue;
            known = 1;
            starts.push_back(complete);
            if (schedule[step].is_incoming() || schedule[step].synchronous)
                starts.push_back(matching.partner(start.rank, step));
        }
    }
    return false;
}

} // namespace

std::optional<Fault> exceeds_per_rank(const Schedule& schedule, const LocalOrder& order, int rank,
                                      int window) {
    if (window <= 0)
        return std::nullopt;
    for (const auto kind : {Kind::send, Kind::receive}) {
        std::vector<int> steps;
        for (int step = 0; step < schedule.size(); ++step)
            if (schedule[step].kind == kind)
                steps.push_back(step);
        for (auto i = static_cast<std::size_t>(window); i < steps.size(); ++i) {
            const auto earlier = steps[i - static_cast<std::size_t>(window)];
            if (!order.is_before(earlier, steps[i]))
                return Fault{rank, steps[i], "",
                             fmt::format("does not wait for step {}: more than {} messages can be "
                                         "in flight",
                                         earlier, window)};
        }
    }
    return std::nullopt;
}

std::optional<Fault> exceeds_into_root(std::span<const Schedule> schedules,
                                       const Matching& matching, int root, int window) {
    if (window <= 0)
        return std::nullopt;
    const auto ranks = static_cast<int>(schedules.size());
    std::vector<Place> sends;
    for (int distance = 1; distance < ranks; ++distance) {
        const int rank = (root + distance) % ranks;
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        for (int step = 0; step < schedule.size(); ++step)
            if (schedule[step].kind == Kind::send && schedule[step].peer == root)
                sends.push_back({rank, step});
    }
    for (auto i = static_cast<std::size_t>(window); i < sends.size(); ++i) {
        const auto earlier = sends[i - static_cast<std::size_t>(window)];
        if (!is_before(schedules, matching, earlier, sends[i]))
            return Fault{
                sends[i].rank, sends[i].step, "",
                fmt::format("does not wait for rank {}: more than {} ranks can send to the "
                            "root at once",
                            earlier.rank, window)};
    }
    return std::nullopt;
}

} // namespace alltold
