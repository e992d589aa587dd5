// SPDX-License-Identifier: BSD-3-Clause
// What measured collectives say of the models, from a campaign's samples.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

/// Sets `network.corrections` from our algorithms' broadcasts, scatters, gathers and all-to-alls
/// with three repetitions or more, once all models are fitted: for each collective one on one
/// cluster and one on several, beside the model that, corrected, predicts best what is left out
/// (fit_residual), of those that can time all its calls. Refuses by name what cannot be fitted.
void fit_corrections(Fitting& fitting);

} // namespace alltold
