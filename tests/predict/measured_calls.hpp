// SPDX-License-Identifier: BSD-3-Clause
// Measured calls, and the corrections that they give.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/parameters/resolve.hpp"
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

/// slow_network() where paced all-to-alls take twice what the model says, far above the bound, and
/// the library's so many times that from the usual start and, unless that is 0, after a barrier;
/// measured well on 6 and 12 ranks, with segments of so many messages unless that is 0.
inline Network with_alltoalls(double usual, double after_barrier, std::uint64_t messages = 0) {
    auto network = slow_network();
    const auto* paced = *find_algorithm("alltoall.paced");
    const auto add = [&](const CollectiveProbe& probe, bool of_library, double times) {
        std::vector<RepeatedCall> calls;
        for (std::uint64_t m = 1024; m <= 262144; m *= 2)
            for (const Clusters& clusters : {Clusters({6}), Clusters({12})}) {
                auto choice = *resolve({Collective::alltoall, clusters, m}, &network,
                                       {.choice = Choice{paced}});
                const double time_s =
                    2 * evaluate(slow_network(), Collective::alltoall, clusters, m, choice)
                            ->time_s.value;
                auto& call = calls.emplace_back(
                    repeated(clusters, m, times * time_s, of_library ? nullptr : paced));
                if (messages > 0)
                    choice.parameters.segment_bytes = messages * m;
                if (!of_library)
                    call.parameters = std::move(choice.parameters);
            }
        correct(network, {probe, of_library, false}, calls);
    };
    for (const bool of_library : {false, true}) {
        add({Collective::alltoall}, of_library, of_library ? usual : 1);
        if (after_barrier > 0)
            add({Collective::alltoall, StartMode::barrier}, of_library,
                of_library ? after_barrier : 1);
    }
    return network;
}

/// slow_network() where the library's broadcasts take what this algorithm of ours does, measured on
/// 6 and 12 ranks.
inline Network with_bcasts_like(const char* name) {
    auto network = slow_network();
    std::vector<RepeatedCall> calls;
    for (std::uint64_t m = 256; m <= 262144; m *= 4)
        for (const Clusters& clusters : {Clusters({6}), Clusters({12})})
            calls.push_back(repeated(clusters, m,
                                     evaluate(slow_network(), Collective::bcast, clusters, m,
                                              {.algorithm = *find_algorithm(name)})
                                         ->time_s.value));
    correct(network, {{Collective::bcast}, true, false}, calls);
    return network;
}

/// joined_network() where the library's broadcast takes so many times what the best of ours does on
/// each of these, at three sizes about 4 KiB.
inline Network with_bcasts(const std::vector<std::pair<Clusters, double>>& library) {
    auto network = joined_network();
    for (const auto& [clusters, times] : library)
        for (const std::uint64_t m : {1024, 4096, 16384}) {
            const auto ranking = *rank(joined_network(), Collective::bcast, clusters, m);
            const double time_s = times * ranking.candidates.front().time_s.value;
            network.library.push_back(
                {Collective::bcast, clusters, m, {time_s, time_s * 0.95, time_s * 1.05}});
        }
    return network;
}

} // namespace alltold::test
