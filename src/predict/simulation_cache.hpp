// SPDX-License-Identifier: BSD-3-Clause
// Simulations already made, so that none is made twice.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "network/cost_model.hpp"
#include "predict/algorithm_time.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// What the simulations of calls on one network took, under one model each. Whoever changes the
/// network starts with an empty one. A table of decisions asks for most of them many times over:
/// segments of one length are the same pipeline whatever the message, and fewer ranks that stand
/// for many are the same few.
class SimulationCache {
  public:
    struct Call {
        const Algorithm* algorithm;
        const CostModel* model;
        std::vector<int> clusters;
        int root;
        std::uint64_t size_bytes, segment_bytes;
        int window, inter_cluster_window;
        bool with_ends; ///< of the model's intervals
        bool past_slow_start;
        auto operator<=>(const Call&) const = default;
    };

    /// Null where it was not made.
    const AlgorithmTime* find(const Call& call) const {
        const auto found = times_.find(call);
        return found == times_.end() ? nullptr : &found->second;
    }
    const AlgorithmTime& keep(const Call& call, AlgorithmTime time) {
        return times_.emplace(call, std::move(time)).first->second;
    }

  private:
    std::map<Call, AlgorithmTime> times_;
};

} // namespace alltold
