// SPDX-License-Identifier: BSD-3-Clause
// pLogP at the ends of its intervals, and from a fit of alpha and beta.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "network/cost_model.hpp"
#include "network/hockney/hockney_as_plogp.hpp"
#include "network/hockney/hockney_time.hpp"

namespace alltold {

/// The network with every parameter at the same end of its interval, itself exact.
inline PLogP low_end(const PLogP& network) {
    return {Estimate::exact(std::max(0.0, network.L_s.low)), network.g_s.low(), network.o_s.low(),
            network.o_r.low()};
}
inline PLogP high_end(const PLogP& network) {
    return {Estimate::exact(network.L_s.high), network.g_s.high(), network.o_s.high(),
            network.o_r.high()};
}

/// plogp_of for a fit, one end of it.
inline PLogP plogp_of(const HockneyFit& fit, double Estimate::*end) {
    return plogp_of(at_end(fit, end));
}

/// As CostModel::simulated yields it.
inline std::vector<Simulated> with_ends(PLogP value, PLogP low, PLogP high) {
    if (low.L_s == high.L_s && low.g_s == high.g_s)
        return {std::move(value)};
    return {std::move(value), std::move(low), std::move(high)};
}

} // namespace alltold
