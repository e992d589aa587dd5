// SPDX-License-Identifier: BSD-3-Clause
// The window of connections between clusters is found again from the calls that it delays.
#include "predict/corrections/connection_window.hpp"

#include <gtest/gtest.h>

#include "network/cost_model.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

/// 4 MB/s per port, 40 ms and a few packets per round trip across the backbone.
Network network(double window_bytes) {
    Network made;
    made.links = LinkNetwork{.port = {4e6, 100e-6}, .backbone = Link{20e6, 20e-3}};
    made.links->initial_window_bytes = ten_segments_bytes;
    made.links->window_bytes = window_bytes;
    return made;
}

/// Broadcasts by our algorithms that take what `truth` says, each a little more or less.
std::vector<CallsToCorrect> broadcasts(const Network& truth, const Clusters& clusters) {
    const CollectiveProbe probe{Collective::bcast};
    std::vector<MeasuredCall> calls;
    SimulationCache simulations;
    double scatter = 1.02;
    for (const auto* name : {"bcast.flat", "bcast.chain", "bcast.binary"})
        for (std::uint64_t size_bytes = 4096; size_bytes <= 524288; size_bytes *= 2) {
            const auto* algorithm = *find_algorithm(name);
            const auto modelled =
                modelled_time(truth, {*algorithm_model("links")}, probe.collective, algorithm, {},
                              clusters, size_bytes, simulations);
            auto& call = calls.emplace_back();
            call.algorithm = algorithm;
            call.clusters = clusters;
            call.size_bytes = size_bytes;
            call.measured_s = scatter * modelled.time_s.value;
            call.relative_error = 0.01;
            scatter = 1 / scatter;
        }
    return {{CorrectedCalls::on(clusters, probe, false), calls}};
}

TEST(ConnectionWindow, IsFoundFromWhatItDelays) {
    const Clusters clusters({2, 2});
    for (const double window : {7e3, 20e3, 40e3, 80e3}) {
        const double found = fit_window_bytes(network(0), broadcasts(network(window), clusters));
        EXPECT_GT(found, window / 1.3);
        EXPECT_LT(found, window * 1.3);
    }
}

TEST(ConnectionWindow, IsUnlimitedWhereNothingWaits) {
    EXPECT_EQ(fit_window_bytes(network(0), broadcasts(network(0), Clusters({2, 2}))), 0);
    EXPECT_EQ(fit_window_bytes(network(0), broadcasts(network(30e3), Clusters({4}))), 0)
        << "calls on one cluster say nothing of it";
    EXPECT_EQ(fit_window_bytes(network(0), {}), 0);
}

} // namespace
} // namespace alltold
