// SPDX-License-Identifier: BSD-3-Clause
// Caches the results of simulations, and what measured calls tell of others.
#pragma once

#include <compare>
#include <mutex>

#include "network/cost_model.hpp"
#include "network/growth/growth.hpp"

namespace alltold {

/// Simulated times of calls on one network, each under one model. A changed network needs an empty
/// cache. A decision table requests most of them repeatedly: segments of one length form the same
/// pipeline for any message, and large rank counts are estimated from the same few small ones.
/// Threads may share one.
class SimulationCache {
  public:
    struct Call {
        const Algorithm* algorithm;
        const CostModel* model;
        std::string clusters; ///< Clusters::text
        int root;
        std::uint64_t size_bytes, segment_bytes;
        int window, inter_cluster_window;
        bool with_ends; ///< of the model's intervals
        bool past_slow_start, window_share, starts_apart;
        std::optional<double> loop_work_s; ///< Network::loop_work_s
        auto operator<=>(const Call&) const = default;
    };

    SimulationCache() = default;
    // No other thread may use either one.
    SimulationCache(const SimulationCache& other) : times_(other.times_) {}
    SimulationCache(SimulationCache&& other) noexcept : times_(std::move(other.times_)) {}
    SimulationCache& operator=(SimulationCache other) noexcept {
        times_ = std::move(other.times_);
        return *this;
    }

    /// Null if it is not in the cache.
    const ModelTime* find(const Call& call) const {
        const std::lock_guard lock(mutex_);
        const auto found = times_.find(call);
        return found == times_.end() ? nullptr : &found->second;
    }
    const ModelTime& keep(const Call& call, ModelTime time) {
        const std::lock_guard lock(mutex_);
        return times_.emplace(call, std::move(time)).first->second;
    }

    /// The growth that `learn` returns, which is called once for each key.
    template <typename Learn>
    const Growth& growth(const std::string& key, Learn learn) {
        const std::lock_guard lock(growing_);
        auto found = growths_.find(key);
        if (found == growths_.end())
            found = growths_.emplace(key, learn()).first;
        return found->second;
    }

  private:
    mutable std::mutex mutex_, growing_;
    std::map<Call, ModelTime> times_;
    std::map<std::string, Growth> growths_;
};

} // namespace alltold
