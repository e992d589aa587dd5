// SPDX-License-Identifier: BSD-3-Clause
// What all-to-alls cost on many hosts with many ranks each: per host the messages and bytes that
// leave it, per rank the time and memory that its schedule takes. Exit status 1 when a schedule of
// ours takes more than 50 ms or 20 MiB.
//
//   build/release/bin/bench_host_schedules [CLUSTERS]      (128x96)
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "core/units.hpp"
#include "schedule/algorithms/algorithm.hpp"

using namespace alltold;

namespace {

constexpr double most_s = 50e-3, most_bytes = 20 << 20;

struct Cost {
    double time_s = 0;        ///< of one rank's schedule, the worst
    double memory_bytes = 0;  ///< of its operations and edges, the worst
    double scratch_bytes = 0; ///< for the blocks of others, the worst
    double messages = 0;      ///< that leave the host
    double bytes = 0;         ///< in them
};

/// Of the ranks of the first host.
Cost cost_of(const Algorithm& algorithm, const Clusters& clusters, std::uint64_t size_bytes) {
    Parameters parameters;
    if (algorithm.takes_clusters())
        parameters.clusters = clusters;
    Cost cost;
    for (int rank = 0; rank < clusters.ranks_of_host(0); ++rank) {
        const auto start = std::chrono::steady_clock::now();
        const auto schedule = algorithm.generate({.collective = algorithm.collective,
                                                  .rank = rank,
                                                  .ranks = clusters.ranks(),
                                                  .size_bytes = size_bytes,
                                                  .parameters = parameters});
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        cost.time_s = std::max(cost.time_s, time.count());
        double edges = 0;
        for (int i = 0; i < schedule.size(); ++i) {
            edges += static_cast<double>(schedule.after(i).size());
            const auto& operation = schedule[i];
            if (operation.kind == Kind::send && clusters.host_of(operation.peer) != 0) {
                cost.messages += 1;
                cost.bytes += static_cast<double>(operation.region.size_bytes);
            }
        }
        cost.memory_bytes =
            std::max(cost.memory_bytes, schedule.size() * double(sizeof(Operation)) + 4 * edges);
        cost.scratch_bytes =
            std::max(cost.scratch_bytes, static_cast<double>(schedule.scratch_bytes()));
    }
    return cost;
}

} // namespace

int main(int argc, char** argv) {
    const auto clusters = Clusters::parse(argc > 1 ? argv[1] : "128x96");
    if (!clusters) {
        fmt::print(stderr, "bench_host_schedules: {}\n", clusters.error().message);
        return 2;
    }
    bool large = false;
    fmt::print("{} ranks on {} hosts; schedules of the first host's ranks, the worst of them\n\n"
               "{:22} {:>8} {:>10} {:>10} {:>10} {:>14} {:>14}\n",
               clusters->ranks(), clusters->hosts(), "algorithm", "m", "time", "memory", "scratch",
               "messages/host", "bytes/host");
    for (const char* name : {"alltoall.direct", "alltoall.paced", "alltoall.host_leader",
                             "alltoall.host_leaders", "alltoall.host_shared"})
        for (const std::uint64_t size_bytes : {8, 64, 512, 4096}) {
            const auto cost = cost_of(**find_algorithm(name), *clusters, size_bytes);
            fmt::print("{:22} {:>8} {:>10} {:>10} {:>10} {:>14} {:>14}\n", name,
                       format_size(static_cast<double>(size_bytes)), format_time(cost.time_s),
                       format_size(cost.memory_bytes), format_size(cost.scratch_bytes),
                       cost.messages, format_size(cost.bytes));
            large = large || cost.time_s > most_s || cost.memory_bytes > most_bytes;
        }
    return large ? 1 : 0;
}
