// SPDX-License-Identifier: BSD-3-Clause
// Caches the results of simulations, and what measured calls tell of others.
#pragma once

#include <algorithm>
#include <compare>
#include <deque>
#include <memory>
#include <mutex>

#include "network/cost_model.hpp"
#include "network/growth/growth.hpp"
#include "simulate/event_graph.hpp"

namespace alltold {

/// Simulated times of calls on one network, each under one model. A changed network needs an empty
/// cache. A decision table requests most of them repeatedly: segments of one length form the same
/// pipeline for any message, and large rank counts are estimated from the same few small ones.
/// Threads may share one.
class SimulationCache {
  public:
    struct Schedules {
        const Algorithm* algorithm;
        std::string clusters; ///< Clusters::text
        int root;
        std::uint64_t size_bytes, segment_bytes;
        int window, inter_cluster_window;
        auto operator<=>(const Schedules&) const = default;
    };
    struct Call : Schedules {
        const CostModel* model;
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

    /// The number of messages that `count` returns.
    template <typename Count>
    double messages(const Schedules& of, Count count) {
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = messages_.find(of); found != messages_.end())
                return found->second;
        }
        const double messages = count();
        const std::lock_guard lock(mutex_);
        return messages_.emplace(of, messages).first->second;
    }

    using Graph = std::shared_ptr<const simulate::EventGraph>;
    /// The graph that `make` returns. The last ones are kept, up to most_kept operations: a choice
    /// is timed in loops with work and without, after the search that found its segment.
    template <typename Make>
    Result<Graph> graph(const Schedules& of, Make make) {
        const auto known = [&](const auto& kept) { return kept.first == of; };
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = std::ranges::find_if(graphs_, known); found != graphs_.end())
                return found->second;
        }
        ALLTOLD_TRY(made, make());
        const auto graph = std::make_shared<const simulate::EventGraph>(std::move(*made));
        const std::lock_guard lock(mutex_);
        const auto size_of = [](const Graph& one) { return std::max(least_counted, one->size()); };
        graphs_.emplace_back(of, graph);
        operations_ += size_of(graph);
        for (; operations_ > most_kept; graphs_.pop_front())
            operations_ -= size_of(graphs_.front().second);
        return graph;
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
    /// 10 MB, and so few that looking one up takes far less time than making it.
    static constexpr int most_kept = 100'000, least_counted = 100;

    mutable std::mutex mutex_, growing_;
    std::map<Call, ModelTime> times_;
    std::map<Schedules, double> messages_;
    std::deque<std::pair<Schedules, Graph>> graphs_;
    int operations_ = 0; ///< of the graphs
    std::map<std::string, Growth> growths_;
};

} // namespace alltold
