// SPDX-License-Identifier: BSD-3-Clause
// Which choice wins each call of a grid of n and m: what a decision table summarises.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "predict/choice/call_times.hpp"
#include "predict/choice/rank.hpp"
#include "predict/choice/safe_choice.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/decision_table.hpp"

namespace alltold {

/// The choice that a rule for a call is to make, with its time; without a time no other choice may
/// run there.
struct Winner {
    std::size_t choice = 0; ///< its number in WinnerGrid::choices()
    std::optional<StartTimes> times = {};
    std::optional<StartTimes> library = {}; ///< what the rule must beat
    bool measured = false;                  ///< at this very call
};

/// What a choice loses against the winner where it may run.
struct Loss {
    double share = INFINITY; ///< how much slower it is; infinite if it may not run there
    double chance = 1;       ///< how likely it is slower at all
    double spread = 1;       ///< the upper half of its interval, as a ratio, over the winner's
    bool measured = false;   ///< at this very call
};

/// One collective on one number of clusters: n and m of about powers of two, n at which the
/// library was measured, m of just over one packet and that just fit TCP's windows, and, unless
/// only ours may run, some m halfway between others and, of all-to-alls, the library's eager limit:
/// its own and ours may win in turn.
/// Keeps references to `network`, `request` and `simulations`, those on the same network.
class WinnerGrid {
  public:
    WinnerGrid(const Network& network, const TableRequest& request, const Clusters& hosts,
               Collective collective, SimulationCache& simulations);
    /// On one spread of ranks. What `usual`, the rules for all spreads, run is one choice there,
    /// whatever it is at each size; it stays unless it is likely a loss, or much is to be gained.
    /// All-to-alls may gain where the library's own loses packets, by any of our algorithms; other
    /// collectives by one of `candidates`, as rules state them.
    WinnerGrid(const Network& network, const TableRequest& request, const Clusters& spread,
               Collective collective, SimulationCache& simulations, ChoiceTable usual,
               std::vector<Choice> candidates);

    const Clusters& hosts() const { return hosts_; }
    Collective collective() const { return collective_; }
    /// The most ranks that rules are for. Over several clusters no more than these have: more would
    /// be on hosts, and behind a backbone, that nobody measured.
    int most_ranks() const {
        return hosts_.count() == 1 || request_.ours_only
                   ? request_.most_ranks
                   : std::min(request_.most_ranks, hosts_.ranks());
    }
    const std::vector<int>& ranks() const { return ranks_; }
    const std::vector<std::uint64_t>& sizes() const { return sizes_; }
    const std::vector<Choice>& choices() const { return choices_; }

    /// Two numbers of sizes, extended to sizes that are not halfway between two others.
    std::pair<std::size_t, std::size_t> whole_interval(std::size_t from, std::size_t to) const;

    /// Of the choice of this number, on all spreads; unknown times are infinite.
    /// Losses count as measured between two measured calls in which ours beat the library's own.
    StartTimes times(std::size_t choice, std::size_t i, std::uint64_t size_bytes) const;
    StartTimes library_times(std::size_t i, std::uint64_t size_bytes) const {
        return times_.of({}, spreads_[i], size_bytes);
    }
    /// The size above `low` and at most `high` from which on the library is known to run something
    /// else by default on ranks()[i] than just below, if it does not run the same at both.
    std::optional<std::uint64_t> library_switch(std::size_t i, std::uint64_t low,
                                                std::uint64_t high) const;
    /// At ranks()[i] and sizes()[j].
    Loss loss(std::size_t choice, std::size_t i, std::size_t j) const;
    /// Whether one of ours was measured to be the best of this call, surely and no tie
    /// (worth_gaining): a single time that is a little quicker than scattered ones is no win.
    bool won(std::size_t i, std::size_t j) const;
    /// Whether one of ours is too likely to be slower than the library's own.
    bool risky(std::size_t choice, const StartTimes& ours, const StartTimes& library) const {
        return !choices_[choice].is_default() && !is_safe(ours, library);
    }
    bool of_one_spread() const { return usual_.has_value(); }
    /// Whether the choice is the library's own at this size.
    bool is_library(std::size_t choice, std::uint64_t size_bytes) const {
        return (is_usual(choice) ? usual_->at(size_bytes) : choices_[choice]).is_default();
    }
    /// Whether this is the number of what the rules for all spreads run.
    bool is_usual(std::size_t choice) const { return of_one_spread() && choice == usual_number; }
    /// The number of the library's own choice.
    std::size_t library_number() const;
    /// The number of the choice without what `resolve` finds at each call.
    std::size_t resolved_at_each_call(std::size_t choice) const;

  private:
    static constexpr std::size_t usual_number = 0;

    /// A Winner whose choice has no number yet.
    struct Decision {
        std::optional<Choice> choice = {}; ///< empty: what the rules for all spreads run
        Winner winner = {usual_number};
    };

    bool any_measured(const Algorithm& algorithm, std::size_t i, std::size_t j) const;
    bool beats_library(std::size_t choice, std::size_t i, std::size_t j) const;
    bool beats_library_around(std::size_t choice, std::size_t i, std::uint64_t size_bytes) const;
    std::size_t number_of(const Choice& choice);
    std::size_t find(const Choice& choice) const;
    std::optional<Decision> usual_at(std::size_t i, std::uint64_t size_bytes) const;
    bool decides_eager_limit() const;
    void rank_ranks();
    std::optional<Decision> decision_at(std::size_t i, std::uint64_t size_bytes) const;
    std::vector<Decision> decisions_of(std::size_t i) const;
    bool keep_between(std::vector<Decision>& row, std::size_t i, std::size_t j) const;
    bool leaves_room(const StartTimes& times) const;
    bool may_gain(const Winner& usual) const;
    double worth_a_rule_of_its_own() const;
    void reach_out(std::size_t i);
    void take_over(Winner& winner, std::size_t choice, const StartTimes& times,
                   bool close_by) const;
    bool won_nearby(std::size_t choice, std::size_t i, std::size_t j) const;

    const Network& network_;
    const TableRequest& request_;
    const Clusters hosts_;
    Collective collective_;
    const std::optional<ChoiceTable> usual_; ///< empty unless the grid is of one spread
    const std::vector<Choice> candidates_;   ///< empty: all algorithms
    const CallTimes times_;
    std::vector<int> ranks_;
    std::vector<std::vector<Clusters>> spreads_; ///< of ranks()[i]: in proportion to hosts first
    std::vector<std::uint64_t> sizes_;
    std::vector<Choice> choices_;
    std::vector<std::vector<Winner>> winners_; ///< [ranks][size]
};

} // namespace alltold
