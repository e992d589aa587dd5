// SPDX-License-Identifier: BSD-3-Clause
// This process's clock, the same clock translated to the time of rank 0, and their comparison.
#pragma once

#include "campaign/engine/tree.hpp"
#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::campaign {

/// The monotonic clock in seconds, or for tests one that runs wrong by a known amount.
class Clock {
  public:
    Clock() = default;
    /// Shows `offset_s` more than the monotonic clock did at time 0 and gains `drift` seconds per
    /// second.
    Clock(double offset_s, double drift) : offset_s_(offset_s), drift_(drift) {}

    double now_s() const { return shown_at(true_now_s()); }
    /// Sleeps until this clock shows `until_s`; returns at once when it already does. Spins for the
    /// last microseconds, because a sleeping process wakes late.
    void sleep_until(double until_s) const;

    /// The reading of this clock when the monotonic clock of its machine is at `true_s`.
    double shown_at(double true_s) const { return true_s * (1 + drift_) + offset_s_; }
    static double true_now_s();

  private:
    double offset_s_ = 0;
    double drift_ = 0;
};

/// One comparison of the clock with that of rank 0.
struct ClockReading {
    double local_s = 0;  ///< when, on the clock here
    double offset_s = 0; ///< what to add then to get the time of rank 0
    double likely_s = 0; ///< the offset's probable error, if both directions take equally long
    double bound_s = 0;  ///< its largest possible error
};

/// The clock here, translated to rank 0's by the latest comparison and the drift between several.
class GlobalClock {
  public:
    explicit GlobalClock(Clock clock = {}) : clock_(clock) {}

    const Clock& local() const { return clock_; }
    double now_s() const { return to_global(clock_.now_s()); }
    double to_global(double local_s) const;
    double to_local(double global_s) const;
    void sleep_until(double global_s) const { clock_.sleep_until(to_local(global_s)); }

    /// Adds a comparison. The drift is the one between the oldest and the newest of the last ten; 0
    /// with fewer than three, or if the errors of the comparisons explain it.
    void add(const ClockReading& reading);
    double drift() const { return drift_; }
    const ClockReading& latest() const { return readings_.back(); }

  private:
    Clock clock_;
    std::vector<ClockReading> readings_{ClockReading{}};
    double drift_ = 0; ///< growth of the offset per local second
    bool synchronised_ = false;
};

/// How well the clocks of a group agree; known to the root of the tree.
struct ClockQuality {
    double likely_s = 0;    ///< worst of all ranks, if paths are as long both ways
    double bound_s = 0;     ///< worst of all ranks, whatever the paths
    double worst_drift = 0; ///< largest drift corrected, seconds per second
    double worst_deviation_s =
        0; ///< largest deviation from the offset predicted by the last comparison

    /// The worse of both.
    void merge(const ClockQuality& other);
    /// One line: the method and what it reached.
    std::string text() const;
};

/// Compares the clock of every member of `tree` with its parent's, down the tree: Cristian 1989,
/// the quickest of up to 30 ping-pongs (or as many as take 0.3 s), in the hierarchical order of
/// Hunold and Carpen-Amarie 2018, with the tree's fan-out instead of two. A parent serves one child
/// at a time while the others sleep: on oversubscribed machines this outweighs the lost parallel
/// rounds. Collective over the tree's members on `control`.
Result<ClockQuality> compare_clocks(const mpi::ManagedCommunicator& control, const Tree& tree,
                                    GlobalClock& clock);

} // namespace alltold::campaign
