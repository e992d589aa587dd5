// SPDX-License-Identifier: BSD-3-Clause
// The model of congestion from a campaign's all-to-alls of the MPI library.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

/// Sets the network's CongestionFit from all process counts measured on as many clusters as there
/// are, or refuses it. The rates and the switch buffer are the network's, so that these must have
/// been fitted before.
void fit_alltoalls(Fitting& fitting);

} // namespace alltold
