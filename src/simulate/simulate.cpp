// SPDX-License-Identifier: BSD-3-Clause
// Runs the event loop on each kind of network.
#include "simulate/simulate.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "simulate/cluster_network.hpp"
#include "simulate/event_loop.hpp"
#include "simulate/plogp_network.hpp"
#include "simulate/switched_network.hpp"
#include "simulate/tcp_windows.hpp"

namespace alltold::simulate {
namespace {

template <typename Network>
Result<Times> simulate_on(const EventGraph& graph, Network network, const Options& options) {
    return EventLoop<Network>(graph, network, options).run();
}

} // namespace

Result<Times> run(const EventGraph& graph, const PLogP& model, const Options& options) {
    return simulate_on(graph, PLogPNetwork(graph, model), options);
}

Result<Times> run(const EventGraph& graph, const ClusterModel& model, const Options& options) {
    auto own = options;
    own.copy = model.copy_memory_to_memory;
    return simulate_on(graph, ClusterNetwork(graph, model), own);
}

Result<Times> run(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters,
                  const Options& options) {
    const bool hosts_shared = !clusters.one_rank_per_host();
    if ((links.backbone || hosts_shared) && clusters.ranks() != graph.ranks())
        return bad_input(fmt::format("clusters {} hold {} ranks, but {} ranks are to be simulated",
                                     clusters.text(), clusters.ranks(), graph.ranks()));
    if (hosts_shared && !links.memory)
        return bad_input(std::string(memory_unknown));
    return simulate_on(graph, SwitchedNetwork(graph, links, clusters, options), options);
}

bool may_fill_windows(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters) {
    if (links.initial_window_bytes <= 0 || clusters.count() == 1)
        return false;
    const double packet_bytes = links.initial_window_bytes / segments_at_first;
    const double window_bytes = links.window_bytes > 0
                                    ? std::min(links.initial_window_bytes, links.window_bytes)
                                    : links.initial_window_bytes;
    std::map<std::pair<int, int>, double> carried_bytes;
    for (std::int32_t i = 0; i < graph.size(); ++i)
        if (const auto& node = graph[i]; node.is_outgoing()) {
            const int to = graph[node.partner].rank;
            if (clusters.cluster_of(node.rank) != clusters.cluster_of(to) &&
                (carried_bytes[{node.rank, to}] += std::max(node.weight_bytes(), packet_bytes)) >
                    window_bytes)
                return true;
        }
    return false;
}

} // namespace alltold::simulate
