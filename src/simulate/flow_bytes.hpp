// SPDX-License-Identifier: BSD-3-Clause
// What each pair of ranks exchanges in all.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "simulate/event_graph.hpp"

namespace alltold::simulate {

/// Bytes by connection and direction. Counted when first asked for, since few calls lose bytes.
class FlowBytes {
  public:
    explicit FlowBytes(const EventGraph& graph) : graph_(graph) {}

    /// All that the sender of `send` sends to its receiver.
    double with(std::int32_t send) {
        if (by_pair_.empty())
            for (std::int32_t i = 0; i < graph_.size(); ++i)
                if (graph_[i].is_outgoing())
                    by_pair_[pair_of(i)] += graph_[i].weight_bytes();
        return by_pair_[pair_of(send)];
    }

  private:
    std::int64_t pair_of(std::int32_t send) const {
        return std::int64_t{graph_[send].rank} * graph_.ranks() + graph_[graph_[send].partner].rank;
    }

    const EventGraph& graph_;
    std::unordered_map<std::int64_t, double> by_pair_;
};

} // namespace alltold::simulate
