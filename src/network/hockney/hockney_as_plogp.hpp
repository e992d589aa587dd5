// SPDX-License-Identifier: BSD-3-Clause
// The one mapping under which Hockney's model and pLogP say the same.
#pragma once

#include "network/hockney/hockney.hpp"
#include "network/plogp/plogp.hpp"

namespace alltold {

/// L = 0 and g(m) = o_s(m) = alpha + m beta, o_r = 0: a message holds its port for the whole of its
/// time, so that one message takes alpha + m beta in both models, n - 1 messages of one process
/// take SMT07's equation 1, (n-1)(alpha + m beta), and so do both of BM04's bounds of an
/// all-to-all, whatever its gamma. With alpha as L instead, a row of sends would pay one alpha.
inline PLogP plogp_of(const Hockney& network) {
    const auto gap_s = SizeCurve::line(network.alpha_s, network.beta_s_per_byte);
    return {{}, gap_s, gap_s, SizeCurve()};
}

} // namespace alltold
