// SPDX-License-Identifier: BSD-3-Clause
// The cost of choosing: a ranking for 1,024 ranks, building a decision table, a lookup.
//
//   build/release/bin/bench_choose
#include <chrono>
#include <cstdio>
#include <vector>

#include "predict/choice/rank.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/decision_table.hpp"
#include "timing.hpp"

using namespace alltold;

namespace {

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// 50 Mbit/s and 100 us, as pLogP and on links; the library's own takes a second at any size.
Network network(bool with_links) {
    Network made;
    for (const auto collective : uniform_collectives)
        for (const auto& clusters :
             {Clusters({2}), Clusters({12}), Clusters({1, 1}), Clusters({6, 6})})
            for (const std::uint64_t size_bytes : {1, 4 << 20})
                made.library.push_back({collective, clusters, size_bytes, {1, 1, 1}});
    if (with_links) {
        made.links = LinkNetwork{{6e6, 100e-6, 65536}, Link{24e6, 10e-3, 262144}, 20e-6};
        made.links->initial_window_bytes = ten_segments_bytes;
    } else {
        made.plogp = PLogP{Estimate::exact(100e-6), SizeCurve::line(20e-6, 1 / 6e6), {}, {}};
    }
    return made;
}

void rankings(const char* name, const Network& of, const Clusters& clusters) {
    for (const auto collective : uniform_collectives)
        for (const std::uint64_t size_bytes : {8, 65536, 1 << 20}) {
            std::vector<double> times_s;
            for (int i = 0; i < 3; ++i) {
                const double start_s = now_s();
                const auto ranking = rank(of, collective, clusters, size_bytes);
                times_s.push_back(now_s() - start_s);
                if (!ranking || ranking->candidates.empty())
                    std::printf("no ranking\n");
            }
            std::printf("rank %-8s %-6s n = %-8s m = %8llu  %8.2f ms\n",
                        std::string(name_of(collective)).c_str(), name, clusters.text().c_str(),
                        static_cast<unsigned long long>(size_bytes),
                        alltold_bench::median(times_s) * 1e3);
        }
}

void lookups(const std::vector<Rule>& rules) {
    const std::vector<std::vector<Rule>> sources{rules};
    const ChoiceTable table(sources, Collective::bcast, {12, 1});
    constexpr int looks = 10'000'000;
    std::size_t found = 0;
    const double start_s = now_s();
    for (int i = 0; i < looks; ++i)
        found += table.at(static_cast<std::uint64_t>(i) * 37 % (1 << 22)).algorithm != nullptr;
    std::printf("choice by table: %.1f ns (%zu of ours)\n", (now_s() - start_s) / looks * 1e9,
                found);
}

} // namespace

int main() {
    rankings("plogp", network(false), Clusters({1024}));
    rankings("links", network(true), Clusters({512, 512}));
    const double start_s = now_s();
    const auto rules = decision_table(network(false), {.clusters = Clusters({12})});
    std::printf("decision table, one cluster: %zu rules in %.2f s\n", rules.size(),
                now_s() - start_s);
    lookups(rules);
    const double both_s = now_s();
    const auto more = decision_table(network(true), {.clusters = Clusters({6, 6})});
    std::printf("decision table, 6+6 on links: %zu rules in %.2f s\n", more.size(),
                now_s() - both_s);
}
