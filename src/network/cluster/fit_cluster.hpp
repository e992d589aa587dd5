// SPDX-License-Identifier: BSD-3-Clause
// The cluster model's parameters, from a campaign's samples.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

/// Sets `network.cluster` from the probes of TW99's parameters: g_s and g_r from trains, without
/// which there is no model; the others where they can be told, refused by name where not and then
/// 0. L(m, p) has the other parts taken off, as far as they are known.
void fit_cluster(Fitting& fitting);

} // namespace alltold
