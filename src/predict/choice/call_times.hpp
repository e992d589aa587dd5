// SPDX-License-Identifier: BSD-3-Clause
// What is known of the times of choices for one collective: what rules are decided by.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "network/network.hpp"
#include "predict/choice/rank.hpp"
#include "predict/choice/safe_choice.hpp"
#include "predict/rules/decision_table.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {

/// Of one collective, by the algorithms that `request` wants. Several threads may ask at once.
/// Keeps references to `network`, `request` and `simulations`, those on the same network.
class CallTimes {
  public:
    /// `hosts` says on which clusters calls from the second start were measured.
    CallTimes(const Network& network, const TableRequest& request, const Clusters& hosts,
              Collective collective, SimulationCache& simulations);

    /// Of a rule's choice, completed at the call, from both starts; infinite where they are not
    /// known. A choice that lets more come at once than buffers hold may lose packets.
    StartTimes of(const Choice& choice, const Clusters& clusters, std::uint64_t size_bytes) const;
    /// On the first of several spreads of the ranks, with those on the others, where no segment is
    /// longer than the message.
    StartTimes of(const Choice& choice, const std::vector<Clusters>& spreads,
                  std::uint64_t size_bytes) const;
    /// On all spreads but the first.
    std::vector<StartTimes> elsewhere(const Choice& choice, const std::vector<Clusters>& spreads,
                                      std::uint64_t size_bytes) const;

    /// The choice as a rule states it: without what `resolve` finds at each call from the network,
    /// so that it fits calls of all sizes and ranks; else, unless it was measured, with few
    /// distinct values if that is hardly slower.
    Choice stated(const Choice& choice, const Clusters& clusters, std::uint64_t size_bytes) const;

    /// Of all algorithms.
    Result<Ranking> ranking(const Clusters& clusters, std::uint64_t size_bytes) const;
    /// Of these choices, as rules state them, and the library's own.
    Ranking ranking(std::vector<Choice> choices, const Clusters& clusters,
                    std::uint64_t size_bytes) const;

    /// Of a ranking's choices from the second start; empty where the library's own is not known.
    SecondTime second_times(const Clusters& clusters, std::uint64_t size_bytes) const;

  private:
    Result<Choice> resolved(const Choice& choice, const Clusters& clusters,
                            std::uint64_t size_bytes) const;
    bool exceeds_windows(const Choice& choice, const Clusters& clusters,
                         std::uint64_t size_bytes) const;
    Result<RankedAlgorithm> evaluated(const Network& network, const Choice& choice,
                                      const Clusters& clusters, std::uint64_t size_bytes) const;

    const Network& network_;
    const TableRequest& request_;
    Collective collective_;
    std::optional<Network> second_; ///< for calls from the second start
    SimulationCache& simulations_;
};

} // namespace alltold
