// SPDX-License-Identifier: BSD-3-Clause
// Decides calls of one collective.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "network/collective_probe.hpp"
#include "network/network.hpp"
#include "predict/choice/rank.hpp"
#include "predict/decide/decide.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// A call, what may run, and what runs. Its settings are each spread of the ranks in each way to
/// call: from each start, and where one of them is a loop, in a loop with work between calls.
struct DecidedCall {
    std::uint64_t size_bytes = 0;
    std::vector<Choice> choices; ///< as rules state them; the library's own first
    std::vector<Setting> settings = {};
    std::vector<std::vector<Odds>> odds_in = {}; ///< of each choice, in each setting
    std::vector<Odds> odds = {};                 ///< over all settings
    std::size_t chosen = 0;
    /// No call of the library was measured near (library_known): its times are those of what it
    /// runs by default, and nothing may run before a program has shown that it gains.
    bool predicted = false;
    std::string why = {}; ///< one sentence

    const Choice& choice() const { return choices[chosen]; }
    bool knows_library() const {
        return std::ranges::any_of(
            settings, [](const Setting& setting) { return setting.times.front().has_value(); });
    }
};

/// Decides calls of one collective. Several threads may ask at once. Keeps references to `network`
/// and `simulations`, those on the same network.
class Decider {
  public:
    struct Options {
        Terms terms = {};
        /// Calls come from this start alone; empty: from all that were measured, and
        /// broadcasts and reductions in loops, too.
        std::optional<StartMode> start = {};
        /// Choose among this library's own algorithms (rank_library) instead of ours; of `other`,
        /// among all that were measured by name.
        std::optional<MpiLibrary> library = {};
    };

    /// `usual` is what the network's calls follow, and `hosts` say on which clusters calls from the
    /// second start were measured.
    Decider(const Network& network, StartMode usual, Collective collective, const Clusters& hosts,
            SimulationCache& simulations, Options options);

    /// Whether the library's time is known, by calls of it that were measured near, from any start.
    bool knows(std::span<const Clusters> spreads, std::uint64_t size_bytes) const {
        return begun(spreads, size_bytes).knows_library();
    }
    /// The call on `spreads` of as many ranks, which are as likely as one another: what is likely
    /// quickest on the first of them competes on all. The library's own runs where no call of it
    /// was measured near (library_known).
    DecidedCall at(std::span<const Clusters> spreads, std::uint64_t size_bytes) const;
    /// As at(), of a call near which none of the library was measured: a predicted one, for which
    /// programs try what is expected to be quicker.
    DecidedCall predicted_at(std::span<const Clusters> spreads, std::uint64_t size_bytes) const;
    /// Only among these of ours and the library's own.
    DecidedCall at(std::span<const Clusters> spreads, std::uint64_t size_bytes,
                   std::span<const Choice> choices) const;
    /// The place of `choice` in the call, with which it competes from now on.
    std::size_t add(DecidedCall& call, std::span<const Clusters> spreads,
                    const Choice& choice) const;

    /// The starts from which calls are judged, the usual one first.
    const std::vector<StartMode>& starts() const { return starts_; }
    /// The odds from one of them alone; in loops without work and with it.
    std::vector<Odds> odds_from(const DecidedCall& call, std::size_t start) const;
    const Terms& terms() const { return options_.terms; }

  private:
    bool in_loops() const { return !others_.empty() && starts_.back() == StartMode::loop; }
    /// How many settings each spread has. That in a loop with work is the last.
    std::size_t ways() const { return starts_.size() + (in_loops() ? 1 : 0); }
    const Network& network_from(std::size_t start) const {
        return start == 0 ? network_ : others_[start - 1];
    }
    /// `work_s` is a power of two.
    const Network& network_with_work(double work_s) const;
    const Network& network_of(const Setting& setting, std::size_t way) const {
        return way < starts_.size() ? network_from(way) : network_with_work(setting.work_s);
    }
    std::optional<CallTime> time_of(const Network& network, const Choice& choice,
                                    const Clusters& clusters, std::uint64_t size_bytes,
                                    bool rough = false) const;
    std::optional<CallTime> library_time(const Network& network, const Clusters& clusters,
                                         std::uint64_t size_bytes, bool predicted) const;
    DecidedCall begun(std::span<const Clusters> spreads, std::uint64_t size_bytes,
                      bool predicted = false) const;
    DecidedCall decided(DecidedCall call, std::span<const Clusters> spreads) const;
    /// Adds a choice with its times in all settings; false if the call has it.
    bool append(DecidedCall& call, std::span<const Clusters> spreads, const Choice& choice) const;
    void settle(DecidedCall& call) const;
    /// Candidates to replace the library's own, the least expected time of a call first.
    Result<std::vector<CallTime>> ranked(const Clusters& clusters, std::uint64_t size_bytes,
                                         bool rough) const;
    /// Those of `candidates` with the shortest periods, as rules state them.
    std::vector<Choice> quickest_in_loops(const std::vector<CallTime>& candidates,
                                          const Clusters& clusters, std::uint64_t size_bytes,
                                          bool rough) const;
    Choice stated(const CallTime& candidate, const Clusters& clusters, std::uint64_t size_bytes,
                  bool rough) const;

    const Network& network_;
    Collective collective_;
    Options options_;
    std::vector<StartMode> starts_;
    std::vector<Network> others_; ///< for calls from the other starts
    /// For loops with so much work; by its exponent of two, since calls of similar sizes share one.
    mutable std::map<int, Network> with_work_;
    mutable std::mutex working_;
    SimulationCache& simulations_;
};

} // namespace alltold
