// SPDX-License-Identifier: BSD-3-Clause
// Runs the event loop on each kind of network.
#include "simulate/simulate.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulate/cluster_network.hpp"
#include "simulate/event_loop.hpp"
#include "simulate/switched_network.hpp"
#include "simulate/tcp_windows.hpp"

namespace alltold::simulate {
namespace {

/// pLogP: gaps at both ends, a latency between them, no contention inside.
/// A message begun at t occupies its sender until t + g(m) and has arrived at t + L + g(m), or g(m)
/// after the receiver's previous one if that is later; the two sides of a rank are independent
/// (Kielmann et al. 2000). A handshake takes 2g(1) + 2L and occupies no rank (BM04, table 1).
class PLogPNetwork {
  public:
    PLogPNetwork(const EventGraph& graph, const PLogP& model)
        : graph_(graph), model_(model), gap_s_(model.g_s),
          receiver_free_s_(static_cast<std::size_t>(graph.ranks())) {}

    double begin(Agenda& agenda, std::int32_t send, double now_s) {
        const double left_s = now_s + gap_s_(graph_[send].weight_bytes());
        agenda.add(left_s, What::left, send);
        agenda.add(now_s + model_.L_s.value, head, send);
        return left_s;
    }

    void handle(Agenda& agenda, const Event& event) {
        const auto receiver = graph_[graph_[event.index].partner].rank;
        auto& free_s = receiver_free_s_[static_cast<std::size_t>(receiver)];
        free_s = std::max(free_s, event.time_s) + gap_s_(graph_[event.index].weight_bytes());
        agenda.add(free_s, What::delivered, event.index);
    }

    bool is_eager(std::int32_t) const { return false; }
    double handshake_s(std::int32_t) const { return 2 * model_.g_s(1) + 2 * model_.L_s.value; }
    void report(Times&) const {}

  private:
    static constexpr What head = network_event(0); ///< the first byte is at the receiver

    const EventGraph& graph_;
    const PLogP& model_;
    CachedCurve gap_s_;
    std::vector<double> receiver_free_s_;
};

template <typename Network>
Result<Times> simulate_on(const EventGraph& graph, Network network, const Options& options) {
    return EventLoop<Network>(graph, network, options).run();
}

} // namespace

Result<Times> run(const EventGraph& graph, const PLogP& model, const Options& options) {
    return simulate_on(graph, PLogPNetwork(graph, model), options);
}

Result<Times> run(const EventGraph& graph, const ClusterModel& model, const Options& options) {
    auto with_copies = options;
    with_copies.copy = model.copy_memory_to_memory;
    return simulate_on(graph, ClusterNetwork(graph, model), with_copies);
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
