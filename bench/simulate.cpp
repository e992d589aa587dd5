// SPDX-License-Identifier: BSD-3-Clause
// The cost of the simulator: an exchange of 1,024 ranks, nanoseconds per operation as ranks grow,
// and every algorithm with every segment size and window at n = 64.
//
//   build/release/bin/bench_simulate
#include <chrono>
#include <cstdio>
#include <string_view>

#include <sys/resource.h>

#include "simulate/simulate.hpp"

using namespace alltold;
using simulate::EventGraph;

namespace {

constexpr double goodput_bytes_per_s = 117e6; // Gigabit Ethernet
const LinkNetwork links{{goodput_bytes_per_s, 30e-6, 256e3}, Link{1.17e9, 5e-3, 4e6}, 5e-6};
const PLogP plogp{Estimate::exact(30e-6), SizeCurve::line(5e-6, 1 / goodput_bytes_per_s), {}, {}};

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double peak_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

EventGraph built(std::string_view name, const Specification& specification,
                 const Parameters& parameters) {
    return *EventGraph::of(**find_algorithm(name), specification, parameters);
}

/// Messages go with request and answer if `asking`, so that none comes unasked.
void exchange(std::string_view name, int ranks, int window, bool asking = false) {
    simulate::Options options;
    if (asking)
        options.eager_limit_bytes = 0;
    const double start_s = now_s();
    const auto graph = built(name, Specification::of(Collective::alltoall, ranks, 0, 64 << 10),
                             {.window = window});
    const double built_s = now_s();
    const auto times = *run(graph, links, Clusters({ranks / 2, ranks - ranks / 2}), options);
    const double on_links_s = now_s();
    const auto gaps = *run(graph, plogp, options);
    const double on_gaps_s = now_s();
    const auto per_operation = [&](double time_s) { return time_s / graph.size() * 1e9; };
    std::printf("%-18s window %3d%s %5d ranks %8d operations: build %6.3f s, links %6.3f s (%4.0f "
                "ns/op), pLogP %6.3f s (%4.0f ns/op), peak %5.0f MiB; takes %.3f s, drops %.3g B\n",
                name.data(), window, asking ? " asking" : "", ranks, graph.size(),
                built_s - start_s, on_links_s - built_s, per_operation(on_links_s - built_s),
                on_gaps_s - on_links_s, per_operation(on_gaps_s - on_links_s), peak_mib(),
                times.time_s, times.dropped_bytes());
}

/// Every choice of parameters: segments m/2^i down to 1 KiB, windows 1, 2, 4, ...
std::vector<Parameters> choices(const Algorithm& algorithm, int ranks, std::uint64_t size_bytes) {
    std::vector<Parameters> result;
    if (algorithm.segment == Algorithm::Use::must)
        for (auto segment = size_bytes; segment >= 1024; segment /= 2)
            result.push_back({.segment_bytes = segment});
    else
        result.emplace_back();
    if (algorithm.window == Algorithm::Use::may)
        for (int window = 1; window < ranks; window *= 2)
            result.push_back({.window = window});
    if (algorithm.clusters == Algorithm::Use::must)
        for (auto& one : result)
            one.clusters = Clusters({ranks / 2, ranks - ranks / 2});
    if (algorithm.hosts == Algorithm::Use::must)
        for (auto& one : result)
            one.clusters = Clusters::of_hosts({{ranks / 2, ranks - ranks / 2}});
    return result;
}

void rank_everything(int ranks, std::uint64_t size_bytes) {
    int runs = 0;
    std::int64_t operations = 0;
    double build_s = 0, links_s = 0, plogp_s = 0;
    const Clusters clusters({ranks / 2, ranks - ranks / 2});
    for (const auto* algorithm : registry())
        for (const auto& parameters : choices(*algorithm, ranks, size_bytes)) {
            const auto specification =
                Specification::of(algorithm->collective, ranks, 0, size_bytes);
            const double start_s = now_s();
            const auto graph = built(algorithm->name, specification, parameters);
            const double built_s = now_s();
            (void)*run(graph, links, clusters);
            const double on_links_s = now_s();
            (void)*run(graph, plogp);
            build_s += built_s - start_s;
            links_s += on_links_s - built_s;
            plogp_s += now_s() - on_links_s;
            operations += graph.size();
            ++runs;
        }
    std::printf(
        "all at n = %d, m = %llu B: %d schedules, %lld operations: build %.3f s, links %.3f "
        "s, pLogP %.3f s\n",
        ranks, static_cast<unsigned long long>(size_bytes), runs,
        static_cast<long long>(operations), build_s, links_s, plogp_s);
}

} // namespace

int main() {
    for (const std::uint64_t size_bytes : {16 << 10, 64 << 10, 256 << 10, 1 << 20})
        rank_everything(64, size_bytes);
    for (int ranks = 64; ranks <= 1024; ranks *= 2)
        exchange("alltoall.rotated", ranks, 4);
    exchange("alltoall.rotated", 1024, 4, true);
    exchange("alltoall.rotated", 1024, 32);
    exchange("alltoall.pairwise", 1024, 0);
    exchange("alltoall.direct", 1024, 0);
}
