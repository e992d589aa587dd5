// SPDX-License-Identifier: BSD-3-Clause
// Measured calls, and the corrections that they give.
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold::test {

/// The correction that these calls give.
inline void correct(Network& network, const CorrectedCalls& of,
                    const std::vector<RepeatedCall>& calls) {
    SimulationCache simulations;
    network.corrections.push_back(*fit_correction(of, medians_of(calls), network,
                                                  baselines_of(of, network, calls.front().clusters),
                                                  simulations));
}

inline RepeatedCall repeated(const Clusters& clusters, std::uint64_t size_bytes, double time_s,
                             const Algorithm* algorithm = nullptr) {
    RepeatedCall call;
    call.algorithm = algorithm;
    call.clusters = clusters;
    call.size_bytes = size_bytes;
    call.times_s = {time_s, 1.01 * time_s, 0.99 * time_s};
    return call;
}

} // namespace alltold::test
