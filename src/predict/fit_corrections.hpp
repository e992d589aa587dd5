// SPDX-License-Identifier: BSD-3-Clause
// Corrections of the models from measured collectives of a campaign.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

/// Sets `network.corrections` from our algorithms' broadcasts, scatters, gathers and all-to-alls
/// with three repetitions or more, once all models are fitted: for each collective one on one
/// cluster and one on several, for the model with the best corrected leave-out predictions
/// (fit_residual) among those that can time all its calls. Refuses by name what cannot be fitted.
void fit_corrections(Fitting& fitting);

} // namespace alltold
