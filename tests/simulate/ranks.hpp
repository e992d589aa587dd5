// SPDX-License-Identifier: BSD-3-Clause
// Hand-written schedules of tests, and their simulation.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "simulate/simulate.hpp"

namespace alltold::simulate {

/// One builder per rank.
using Ranks = std::vector<Builder>;

inline Region bytes(std::uint64_t size) {
    return {Buffer::send, 0, size};
}
inline Region into(std::uint64_t size, std::uint64_t at = 0) {
    return {Buffer::receive, at, size};
}

inline EventGraph graph_of(Ranks ranks) {
    std::vector<Schedule> schedules;
    for (auto& builder : ranks)
        schedules.push_back(std::move(builder).finish());
    auto graph = EventGraph::of(schedules);
    if (!graph)
        ADD_FAILURE() << graph.error().message;
    return std::move(*graph);
}

/// Every pair (from, to) is a message of `size` bytes, ready at 0.
inline EventGraph messages(int count, std::uint64_t size, std::vector<std::pair<int, int>> pairs) {
    Ranks ranks(static_cast<std::size_t>(count));
    for (const auto& [from, to] : pairs) {
        ranks[static_cast<std::size_t>(from)].send(bytes(size), to);
        ranks[static_cast<std::size_t>(to)].receive(into(size), from);
    }
    return graph_of(std::move(ranks));
}

template <typename... Arguments>
Times timed(const EventGraph& graph, const Arguments&... arguments) {
    auto times = run(graph, arguments...);
    if (!times)
        ADD_FAILURE() << times.error().message;
    return std::move(*times);
}

} // namespace alltold::simulate
