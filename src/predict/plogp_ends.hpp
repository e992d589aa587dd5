// SPDX-License-Identifier: BSD-3-Clause
// pLogP at the ends of its intervals, and from a fit of alpha and beta.
#pragma once

#include <algorithm>

#include "network/hockney_as_plogp.hpp"
#include "network/hockney_fit.hpp"

namespace alltold {

/// The network with every parameter at the same end of its interval, itself exact.
inline PLogP low_end(const PLogP& network) {
    return {std::max(0.0, network.L_estimate().low), network.g_s.low(), network.o_s.low(),
            network.o_r.low()};
}
inline PLogP high_end(const PLogP& network) {
    return {network.L_estimate().high, network.g_s.high(), network.o_s.high(), network.o_r.high()};
}

/// plogp_of for a fit, one end of it: &Estimate::value, ::low or ::high; never below 0.
inline PLogP plogp_of(const HockneyFit& fit, double Estimate::*end) {
    return plogp_of(
        Hockney{std::max(0.0, fit.alpha_s.*end), std::max(0.0, fit.beta_s_per_byte.*end)});
}

} // namespace alltold
