// SPDX-License-Identifier: BSD-3-Clause
// How long one of our algorithms will take: closed form or simulator.
#pragma once

#include "predict/call_time.hpp"
#include "predict/timing/algorithm_timer.hpp"

namespace alltold {

/// Predicts one call of `algorithm` on `clusters` under `model`. Applies the correction from
/// measurements of its collective if `network` has one for this model (Effort::corrected).
/// `resolve` completes `parameters` by searches under `model`. Uses the closed form under pLogP if
/// it is exact, else the simulator. Fails as `accepts` and `check_model` do, and (status `no`) if
/// the simulation needs more messages than `effort` allows, unless it requests estimates.
Result<CallTime> predict_algorithm(const Network& network, const Algorithm& algorithm,
                                   const Specification& specification, const Clusters& clusters,
                                   Parameters parameters, const CostModel& model,
                                   Effort effort = {});

/// Predicts a call with complete parameters, where a window of 0 means no limit. For measured
/// calls.
Result<CallTime> predict_as_given(const Network& network, const Algorithm& algorithm,
                                  const Specification& specification, const Clusters& clusters,
                                  Parameters parameters, const CostModel& model,
                                  Effort effort = {});

} // namespace alltold
