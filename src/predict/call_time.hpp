// SPDX-License-Identifier: BSD-3-Clause
// How long a call takes with one choice: the result of every prediction.
#pragma once

#include <vector>

#include "network/corrections/correction.hpp"
#include "predict/choice/choice.hpp"

namespace alltold {

/// A call's time with one choice. Seconds and bytes.
struct CallTime {
    Choice choice = {}; ///< with complete parameters; the default is the MPI library's own
    ModelTime modelled = {};
    /// If measured collectives correct the model, the 90 % interval of a median that is still to be
    /// measured. Else that of the model's parameters, widened by what a model is usually wrong by;
    /// exact without intervals of parameters.
    Estimate time_s = {};
    double bound_s = 0; ///< least time that any algorithm takes (collective_bound_s); 0: not known
    double bound_doubt = 1; ///< bound_s over what measured calls leave of it (bound_doubt)
    /// SMT07 proposition 1 for the library's all-to-all, (n-1)(alpha + beta m): the least without
    /// forwarding and with start-ups one after the other. A schedule may forward, and may overlap
    /// start-ups.
    double proposition_1_s = 0;
    /// Time of a call that may lose packets if it loses none, the least it takes; empty: not known.
    std::optional<Estimate> lossless_s = {};
    std::optional<Estimate> measured_s = {}; ///< median of this very call, if it was measured
    /// MeasuredCall::lower_quartile_s of this call; infinite where there is none.
    double lower_quartile_s = std::numeric_limits<double>::infinity();
    const Correction* correction = nullptr; ///< of the network, whose measured calls corrected it
    CallTraits traits = {};                 ///< by which the correction knows it
    bool charges_losses = true;             ///< the time includes time-outs where buffers overflow
    bool unseen_growth = false;         ///< it grew from calls on one, far other number of ranks
    std::vector<double> log_draws = {}; ///< Growth::draws of a time that grew
    /// Ranks that may send to one rank at once under the schedule; 0: not known.
    int fan_in = 0;
    std::string model = {};  ///< "signature", "gamma", "linear", "clement"; "plogp", "links", ...
    std::string method = {}; ///< "closed form", "simulated; corrected by 37 measurements", ...
    std::vector<std::string> caveats = {}; ///< one sentence each

    /// No time is below it.
    double certain_bound_s() const { return bound_s / bound_doubt; }
    /// Measured calls show that a call may take less than bound_s.
    bool bound_doubtful() const;

    /// Overflowing bytes whose loss adds nothing to the time.
    double uncharged_loss_bytes() const { return charges_losses ? 0 : modelled.overflow_bytes; }
};

/// Rates, and with them bounds, are known up to this ratio.
inline constexpr double bounds_known = 1.03;

inline bool CallTime::bound_doubtful() const {
    return bound_doubt > bounds_known;
}

/// Times whose ratio is no larger are a tie: printed times hardly differ, and no model knows them
/// as well.
inline constexpr double tied = 1.01;

/// `time_s`, but not below the bound.
inline Estimate not_below(const Estimate& time_s, double bound_s) {
    return {std::max(time_s.value, bound_s), std::max(time_s.low, bound_s / bounds_known),
            std::max(time_s.high, bound_s * bounds_known)};
}

/// Adds work between the calls of a loop (Network::loop_work_s): the wall time per call that a
/// program pays, and its bound.
inline void add_work(CallTime& call, double work_s) {
    const double certain_s = call.certain_bound_s() + work_s;
    for (auto* time_s : {&call.time_s.value, &call.time_s.low, &call.time_s.high, &call.bound_s})
        *time_s += work_s;
    if (call.bound_s > 0)
        call.bound_doubt = call.bound_s / certain_s;
}

} // namespace alltold
