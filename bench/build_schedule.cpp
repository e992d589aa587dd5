// SPDX-License-Identifier: BSD-3-Clause
// What it costs a rank to build its schedule among 1,024, for every algorithm. Exit status 1 when
// one takes a millisecond or more.
//
//   build/release/bin/bench_build_schedule
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "schedule/algorithms/algorithm.hpp"

using namespace alltold;

namespace {

constexpr int ranks = 1024;

Parameters parameters_for(const Algorithm& algorithm) {
    Parameters parameters;
    if (algorithm.segment != Algorithm::Use::no)
        parameters.segment_bytes = 8192; // a block of 64 KiB in 8 segments
    if (algorithm.window != Algorithm::Use::no)
        parameters.window = 16;
    if (algorithm.clusters != Algorithm::Use::no)
        parameters.clusters = Clusters({ranks / 2, ranks / 2});
    if (algorithm.hosts == Algorithm::Use::must)
        parameters.clusters = Clusters::of_hosts({std::vector<int>(8, ranks / 8)});
    return parameters;
}

struct Cost {
    double time_s = 0; ///< the shortest of several, since other programs may interrupt one
    int operations = 0;
};

Cost cost_of(const Algorithm& algorithm, const Parameters& parameters, int rank) {
    Cost cost{.time_s = 1};
    for (int repetition = 0; repetition < 20; ++repetition) {
        const auto start = std::chrono::steady_clock::now();
        const auto schedule = algorithm.generate({.collective = algorithm.collective,
                                                  .rank = rank,
                                                  .ranks = ranks,
                                                  .size_bytes = 65536,
                                                  .parameters = parameters});
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        cost.time_s = std::min(cost.time_s, time.count());
        cost.operations = schedule.size();
    }
    return cost;
}

} // namespace

int main() {
    bool slow = false;
    for (const auto* algorithm : registry()) {
        const auto parameters = parameters_for(*algorithm);
        Cost worst;
        for (const int rank : {0, 1, 511, 512, 1000, 1023}) {
            const auto cost = cost_of(*algorithm, parameters, rank);
            worst.time_s = std::max(worst.time_s, cost.time_s);
            worst.operations = std::max(worst.operations, cost.operations);
        }
        fmt::print("{:26} {:>7} operations {:>8.1f} us\n", algorithm->name, worst.operations,
                   worst.time_s * 1e6);
        slow = slow || worst.time_s >= 1e-3;
    }
    return slow ? 1 : 0;
}
