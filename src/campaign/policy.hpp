// SPDX-License-Identifier: BSD-3-Clause
// What decides which point is measured next.
#pragma once

#include <optional>
#include <string>

#include "campaign/engine/context.hpp"

namespace alltold::campaign {

/// What starts and clocks were like in a session.
struct EngineStatus {
    int late = 0;                 ///< repetitions taken again because a rank started late
    double worst_late_s = 0;      ///< the latest of those starts
    double worst_tolerance_s = 0; ///< the largest lateness that was accepted
    ClockQuality clocks;          ///< worst of the session
    bool interrupted = false;     ///< a rank got a signal
};

/// Asked by the engine for one measurement after the other. Lives on rank 0. An error from any of
/// these ends the session with it.
///
/// A policy that goes by expected information plugs in here: it keeps the samples that `observe`
/// gives it (and what the store held before), so that `next` sees everything known. There it rates
/// each point it could ask for by what the fit's uncertainty, or the decision at stake, would gain
/// from one more repetition, divides by the point's expected seconds, and returns the best as a
/// Measurement, or nothing once no gain is worth its time. It needs neither a plan nor the engine's
/// help: a Measurement is complete in itself.
class Policy {
  public:
    Policy() = default;
    Policy(const Policy&) = delete;
    Policy& operator=(const Policy&) = delete;
    virtual ~Policy() = default;

    /// The next measurement, or nothing when there is none or no time for one.
    virtual Result<std::optional<Measurement>> next(double now_s) = 0;
    /// One value of the measurement that `next` gave last, after its commit to the store.
    virtual Status observe(const Measurement& measurement, const Observation& observation) = 0;
    /// After the last observation of that measurement, of which there may be none.
    virtual void finished(const Measurement&) {}
    /// After the last measurement.
    virtual Status ended(const EngineStatus&, double /*now_s*/) { return Done{}; }
    /// One line on where it is, before a measurement.
    virtual std::string progress(const Measurement& measurement, double now_s) const = 0;
};

} // namespace alltold::campaign
