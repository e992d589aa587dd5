// SPDX-License-Identifier: BSD-3-Clause
// A model's time of one of our algorithms, corrected by measured calls.
#pragma once

#include "network/cost_model.hpp"

namespace alltold {

/// A call of `algorithm` and what `model` says of it.
struct TimedCall {
    const Network& network;
    const Algorithm& algorithm;
    const Specification& specification;
    const Clusters& clusters;
    const CostModel& model;
    const Parameters& parameters; ///< complete
    const ModelTime& time;        ///< above 0
};

/// The traits by which measured calls are compared with this one.
CallTraits traits_of(const TimedCall& call);

/// The correction that applies to the call's time: measured calls of its collective, beside the
/// same model. Null if there is none.
const Correction* correction_of(const TimedCall& call);

/// The seconds of the call: the model's, corrected if correction_of finds a correction.
double likely_s(const TimedCall& call);

} // namespace alltold
