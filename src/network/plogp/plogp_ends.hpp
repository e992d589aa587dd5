// SPDX-License-Identifier: BSD-3-Clause
// pLogP at the ends of its intervals, and from a fit of alpha and beta.
#pragma once

#include "network/cost_model.hpp"
#include "network/hockney/hockney_time.hpp"

namespace alltold {

/// L = 0 and g(m) = o_s(m) = alpha + m beta, o_r = 0: a message holds its port for the whole of its
/// time, so that one message takes alpha + m beta in both models, n - 1 messages of one process
/// take SMT07's equation 1, (n-1)(alpha + m beta), and so do both of BM04's bounds of an
/// all-to-all, whatever its gamma. With alpha as L instead, a row of sends would pay one alpha.
inline PLogP plogp_of(const Hockney& network) {
    const auto gap_s = SizeCurve::line(network.alpha_s, network.beta_s_per_byte);
    return {{}, gap_s, gap_s, SizeCurve()};
}

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
