// SPDX-License-Identifier: BSD-3-Clause
// Equations of alpha and beta alone, with intervals.
#pragma once

#include "network/capacity.hpp"

namespace alltold {

/// Names alpha and beta for a network that has none, not even those of a signature.
inline std::string lacks_alpha_and_beta(const Network& network) {
    return network.local || network.alltoall ? "" : "alpha and beta";
}

/// alpha and beta at one end of their intervals: &Estimate::value, ::low or ::high; never below 0.
inline Hockney at_end(const HockneyFit& fit, double Estimate::*end) {
    return {std::max(0.0, fit.alpha_s.*end), std::max(0.0, fit.beta_s_per_byte.*end)};
}

/// An equation between the ends of the intervals; alpha and beta are those of all clusters.
template <double (*equation)(const Hockney&, int, double)>
Estimate hockney_time(const Network& network, int, int n, double size_bytes) {
    const auto local = local_network(network);
    const auto time_s = [&](double Estimate::*end) {
        return equation(at_end(local, end), n, size_bytes);
    };
    return {time_s(&Estimate::value), time_s(&Estimate::low), time_s(&Estimate::high)};
}

} // namespace alltold
