// SPDX-License-Identifier: BSD-3-Clause
// The interface that decides which point is measured next.
#pragma once

#include "campaign/engine/context.hpp"

namespace alltold::campaign {

/// The quality of starts and clocks in a session.
struct EngineStatus {
    int late = 0;                 ///< repetitions taken again because a rank started late
    double worst_late_s = 0;      ///< the latest of those starts
    double worst_tolerance_s = 0; ///< the largest lateness that was accepted
    ClockQuality clocks;          ///< worst of the session
    bool interrupted = false;     ///< a rank got a signal
};

/// The engine calls it for one measurement after the other, on rank 0 only. An error of any of
/// these functions ends the session with it.
/// It needs neither a plan nor the engine: a Measurement is self-contained.
class Policy {
  public:
    Policy() = default;
    Policy(const Policy&) = delete;
    Policy& operator=(const Policy&) = delete;
    virtual ~Policy() = default;

    /// The next measurement; empty if there is none or no time for one.
    virtual Result<std::optional<Measurement>> next(double now_s) = 0;
    /// Takes one value of the last measurement from `next`, after its commit to the store.
    virtual Status observe(const Measurement& measurement, const Observation& observation) = 0;
    /// Takes the operations of all ranks of a traced measurement, after its observation, if any.
    virtual void traced(const Measurement&, std::vector<std::vector<TracedOperation>>) {}
    /// Called after the last observation of that measurement, if any.
    virtual void finished(const Measurement&) {}
    /// Called after the last measurement.
    virtual Status ended(const EngineStatus&, double /*now_s*/) { return Done{}; }
    /// One line on the progress, before a measurement.
    virtual std::string progress(const Measurement& measurement, double now_s) const = 0;
};

} // namespace alltold::campaign
