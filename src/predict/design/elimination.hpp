// SPDX-License-Identifier: BSD-3-Clause
// Finds the quickest of several algorithms for one call with few timings.
#pragma once

#include <optional>

#include "core/statistics.hpp"

namespace alltold {

/// An algorithm that may be the quickest.
struct EliminationCandidate {
    std::optional<Estimate> predicted_s; ///< by a model; empty without one
    bool is_default = false;             ///< the MPI library's own decision
    int care = 0;                        ///< cost of using it; less is better among equals
    std::vector<double> times_s = {};    ///< taken so far, in any order
};

/// Calls of less time scatter more and cost little, so that each measurement takes several.
inline constexpr double short_call_s = 5e-3;
inline constexpr int times_of_short = 4;
/// Repetitions from this time on ramp their connections up themselves; shorter ones need a warm-up.
inline constexpr double long_call_s = 0.2;
/// Overhead of a repetition and of a measurement, approximately.
inline constexpr double repetition_s = 4e-3, measurement_s = 10e-3;
/// Standard errors that are no chance: 95 % of a normal distribution are within.
inline constexpr double clear_errors = 2;

/// The median and an interval for the true median. With times, the interval is twice the standard
/// error each way, and that error is at least 3 % of a single time. A single time may contain what
/// a TCP time-out costs, 0.3 s, so the lower end allows for one; with up to four times most of them
/// may, so the lower end is below the least. Without times, the prediction; without either, 0 to
/// infinity.
Estimate known_s(const EliminationCandidate& candidate);

/// Successive elimination (Even-Dar, Mannor and Mansour 2006, with intervals of medians): each
/// round times every remaining candidate once, in any order, and eliminates those whose interval
/// lies above that of the quickest. Pure: the caller does the timing.
class Elimination {
  public:
    /// At least one candidate, at most one of them the default. `floor_s` is a lower bound of all
    /// times; a clearly smaller time discards it.
    explicit Elimination(std::vector<EliminationCandidate> candidates, double floor_s = 0);

    const std::vector<EliminationCandidate>& candidates() const { return candidates_; }
    void add(std::size_t candidate, double time_s);

    /// The candidates still to be timed. Empty once the elimination is decided: one is left, no
    /// other could gain more than 1 %, or each was timed 12 times; 48 times if the quickest takes
    /// less than 5 ms, since short calls scatter more and cost little. The quickest of several is
    /// timed three times at least.
    std::vector<std::size_t> running() const;
    bool decided() const { return running().empty(); }
    /// The largest share of its time by which the quickest so far may be slower than another
    /// remaining candidate; at most 1.
    double doubt() const;

    /// The best candidate; empty if none was timed. A timed default loses only to a candidate whose
    /// median is over 1 % quicker and whose interval excludes being over 1 % slower. Among others
    /// within 1 % of the quickest, the one with the least `care`.
    std::optional<std::size_t> winner() const;

  private:
    std::optional<std::size_t> quickest() const;
    /// known_s of the candidate, not below the floor. The prediction of an untimed candidate is
    /// scaled down by as much as those of others were too long: models mostly err alike.
    Estimate known(std::size_t candidate) const;
    double optimism() const;
    std::size_t most_times() const;

    std::vector<EliminationCandidate> candidates_;
    double floor_s_;
};

} // namespace alltold
