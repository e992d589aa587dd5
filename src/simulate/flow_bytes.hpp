// SPDX-License-Identifier: BSD-3-Clause
// What each connection carries in all.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/event_graph.hpp"

namespace alltold::simulate {

/// Bytes by connection. Counted when first asked for, since few calls lose bytes.
class FlowBytes {
  public:
    explicit FlowBytes(const EventGraph& graph) : graph_(graph) {}

    /// All that the sender of `send` sends to its receiver.
    double with(std::int32_t send) {
        if (bytes_.empty()) {
            bytes_.resize(static_cast<std::size_t>(graph_.connections()));
            for (std::int32_t i = 0; i < graph_.size(); ++i)
                if (graph_[i].is_outgoing())
                    of_connection(i) += graph_[i].weight_bytes();
        }
        return of_connection(send);
    }

  private:
    double& of_connection(std::int32_t send) {
        return bytes_[static_cast<std::size_t>(graph_[send].connection)];
    }

    const EventGraph& graph_;
    std::vector<double> bytes_;
};

} // namespace alltold::simulate
