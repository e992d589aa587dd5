// SPDX-License-Identifier: BSD-3-Clause
// Which of several algorithms is the quickest for one call, from as few timings as will do.
#pragma once

#include <optional>
#include <vector>

#include "core/estimate.hpp"

namespace alltold {

/// One that may be the quickest.
struct EliminationCandidate {
    std::optional<Estimate> predicted_s; ///< what a model says; nothing where there is none
    bool is_default = false;             ///< the MPI library's own decision
    int care = 0;                        ///< how much its use asks for; less is better among equals
    std::vector<double> times_s = {};    ///< taken so far, in any order
};

/// The median and an interval that the true one is in for all we know: of times, twice the standard
/// error each way, taken as 3 % of a single time at least. A single time may hold a time-out of
/// TCP, 200 ms, which the lower end allows for, and so may most of up to four: there the lower end
/// is below the least of them. Without times what is predicted, and anything where nothing is.
Estimate known_s(const EliminationCandidate& candidate);

/// Rounds in which each of those still running is timed once, in any order (successive
/// elimination; Even-Dar, Mannor and Mansour 2006, with intervals of medians). Out is who is slower
/// than the quickest beyond doubt. Pure: whoever holds it does the timing.
class Elimination {
  public:
    /// At least one candidate, at most one the default. Nobody can be quicker than `floor_s`,
    /// unless somebody was.
    explicit Elimination(std::vector<EliminationCandidate> candidates, double floor_s = 0);

    const std::vector<EliminationCandidate>& candidates() const { return candidates_; }
    void add(std::size_t candidate, double time_s);

    /// Who is still to be timed; nobody once it is decided: when one is left, when what any other
    /// could gain is at most 1 %, or after 12 timings of each; 48 where the quickest takes less
    /// than 5 ms, since short calls scatter more and cost little.
    std::vector<std::size_t> running() const;
    bool decided() const { return running().empty(); }
    /// By how much, as a share of its time, the quickest so far may be slower than another that is
    /// still running; 1 at most.
    double doubt() const;

    /// Who is to be taken. Nobody where nobody was timed. The default, where it was timed, gives
    /// way only to who is over 1 % quicker and, beyond doubt, at most 1 % slower; between others
    /// that are within 1 % of the quickest who needs the least care.
    std::optional<std::size_t> winner() const;

  private:
    std::optional<std::size_t> quickest() const;
    /// known_s of the candidate, not below the floor. What was predicted of one that was not timed
    /// is less by as much as the predictions of others turned out too long: models mostly err
    /// alike.
    Estimate known(std::size_t candidate) const;
    double optimism() const;
    std::size_t most_times() const;

    std::vector<EliminationCandidate> candidates_;
    double floor_s_;
};

} // namespace alltold
