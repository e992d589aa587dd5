// SPDX-License-Identifier: BSD-3-Clause
// The network of pLogP: gaps at both ends, a latency between them, no contention inside.
#pragma once

#include <algorithm>
#include <vector>

#include "network/plogp/plogp.hpp"
#include "simulate/event_loop.hpp"
#include "simulate/size_cache.hpp"

namespace alltold::simulate {

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

} // namespace alltold::simulate
