// SPDX-License-Identifier: BSD-3-Clause
// Numbers of ranks in turn, ranges of hosts and of ranks per host by doubling.
#include "predict/rules/layouts.hpp"

#include <bit>

#include "topology/places.hpp"

namespace alltold {
namespace {

/// Up to so many ranks each number is decided: a tree crosses the backbone more or less often with
/// every rank more.
constexpr int most_in_turn = 16;

/// The ends of the ranges by doubling.
constexpr std::uint64_t fewest_hosts = 2, most_hosts = 16, most_per_host = 4;

/// 2 to most_in_turn, then 20, 25, 32, ...: by a quarter.
std::vector<int> numbers_of_ranks(int fewest, int most) {
    std::vector<int> numbers;
    for (int n = fewest; n <= most; n = n < most_in_turn ? n + 1 : n * 5 / 4)
        numbers.push_back(n);
    return numbers;
}

std::vector<Clusters> spreads_of(const Clusters& hosts, int n) {
    std::vector<Clusters> spreads{spread(hosts, n)};
    for (auto& other : {spread_evenly(hosts, n), spread_unevenly(hosts, n)})
        if (std::ranges::find(spreads, other) == spreads.end())
            spreads.push_back(other);
    return spreads;
}

Span span_of(int least, int most) {
    return {static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
}

/// `count` clusters of equally many hosts, as far as possible, with as many ranks on each.
Clusters even_clusters(int count, int hosts, int per_host) {
    std::vector<std::vector<int>> ranks;
    for (int i = 0; i < count; ++i)
        ranks.emplace_back((hosts + i) / count, per_host);
    return Clusters::of_hosts(ranks);
}

/// Ranges from `first` on by doubling, the last one, from `last`, without an end; without what is
/// in `known`.
std::vector<Span> by_doubling(std::uint64_t first, std::uint64_t last, const Span& known) {
    std::vector<Span> spans;
    for (auto from = first; from <= last; from *= 2) {
        const Span all{from, from < last ? 2 * from - 1 : Span::endless};
        if (!all.meets(known)) {
            spans.push_back(all);
            continue;
        }
        if (all.least < known.least)
            spans.push_back({all.least, known.least - 1});
        if (known.most < all.most)
            spans.push_back({known.most + 1, all.most});
    }
    return spans;
}

} // namespace

std::vector<Layout> layouts_of(Collective collective, const Clusters& hosts, int most_ranks) {
    const int each = hosts.most_ranks_of_a_host();
    const int most = hosts.count() > 1 ? std::min(most_ranks, hosts.ranks()) : most_ranks;
    const auto numbers = numbers_of_ranks(std::max(2, hosts.count()), most / each);
    std::vector<Layout> layouts;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        // A host that is not full counts as one.
        const int last = i + 1 < numbers.size() ? (numbers[i + 1] - 1) * each : most;
        const auto ranks = span_of((numbers[i] - 1) * each + 1, last);
        layouts.push_back({{.collective = collective,
                            .ranks = ranks,
                            .clusters = span_of(hosts.count(), hosts.count()),
                            .per_host = span_of(each, each)},
                           spreads_of(hosts, numbers[i] * each)});
    }
    return layouts;
}

std::vector<Layout> predicted_layouts(Collective collective, const Clusters& hosts,
                                      const std::vector<Layout>& measured) {
    const auto count = static_cast<std::uint64_t>(hosts.count()),
               each = static_cast<std::uint64_t>(hosts.most_ranks_of_a_host());
    std::vector<Layout> layouts;
    const auto add = [&](Span of_hosts, const Span& per_host) {
        of_hosts.least = std::max(of_hosts.least, count);
        if (of_hosts.most < of_hosts.least)
            return;
        Rule rule{.collective = collective,
                  .clusters = {count, count},
                  .hosts = of_hosts,
                  .per_host = per_host};
        if (per_host == Span{each, each}) { // by ranks, as rules of measured ones
            rule.hosts = {};
            rule.ranks = {(of_hosts.least - 1) * each + 1,
                          of_hosts.most == Span::endless ? Span::endless : of_hosts.most * each};
        }
        const auto judged = std::min(of_hosts.most, of_hosts.least * 3 / 2);
        layouts.push_back({std::move(rule),
                           {even_clusters(hosts.count(), static_cast<int>(judged),
                                          static_cast<int>(per_host.least))},
                           false});
    };
    Span known{0, 0}; // hosts
    if (!measured.empty())
        known = {(measured.front().rule.ranks.least - 1) / each + 1,
                 measured.back().rule.ranks.most / each};
    for (const auto& of_hosts : by_doubling(fewest_hosts, most_hosts, known))
        add(of_hosts, {each, each});
    for (const auto& per_host : by_doubling(1, most_per_host, {each, each}))
        for (const auto& of_hosts : by_doubling(fewest_hosts, most_hosts, {0, 0}))
            add(of_hosts, per_host);
    return layouts;
}

std::tuple<int, int, int> trial_class(const Clusters& layout) {
    const auto doublings = [](int number, std::uint64_t last) {
        return static_cast<int>(std::bit_width(std::min(static_cast<std::uint64_t>(number), last)));
    };
    return {layout.count(), doublings(layout.hosts(), most_hosts) - 1,
            doublings(layout.most_ranks_of_a_host(), most_per_host)};
}

} // namespace alltold
