// SPDX-License-Identifier: BSD-3-Clause
#include "proof.hpp"

#include <random>

#include <fmt/format.h>

namespace alltold {
namespace {

constexpr int matrices_per_share = 20, placements_per_share = 100;
/// Up to as many hosts every placement is proved; on up to as many with every root and size.
constexpr int every_placement = 5, every_call = 4;
constexpr std::uint64_t beyond_32_bits = (std::uint64_t{1} << 32) + 5;

/// Adds a copy of each of `all` with windows; the windows vary, so that all small ones occur.
void add_windows(const Algorithm& algorithm, std::vector<Parameters>& all) {
    const auto without = all.size();
    for (std::size_t i = 0; i < without; ++i) {
        auto with = all[i];
        with.window = static_cast<int>(i % 3) + 1;
        if (algorithm.inter_cluster_window != Algorithm::Use::no)
            with.inter_cluster_window = static_cast<int>(i % 2) + 1;
        all.push_back(with);
    }
}

/// Parameters worth trying for messages of `size_bytes` among `ranks`.
std::vector<Parameters> parameters_for(const Algorithm& algorithm, int ranks,
                                       std::uint64_t size_bytes) {
    if (algorithm.segment != Algorithm::Use::no) {
        std::vector<Parameters> result;
        for (const auto segment : {size_bytes, size_bytes / 2 + 1, size_bytes / 4 + 1})
            if (segment > 0)
                result.push_back({.segment_bytes = segment});
        if (result.empty())
            result.push_back({.segment_bytes = 1});
        if (size_bytes > 1 && size_bytes < 100)
            result.push_back({.segment_bytes = 1});
        if (algorithm.window != Algorithm::Use::no)
            add_windows(algorithm, result);
        return result;
    }
    std::vector<Parameters> result(1);
    if (algorithm.window != Algorithm::Use::no)
        for (const int window : {1, 2, 3, 5, ranks})
            result.push_back(
                {.window = window,
                 .inter_cluster_window =
                     algorithm.inter_cluster_window == Algorithm::Use::no ? 0 : window % 3 + 1});
    return result;
}

/// Adds a call with blocks of `units` units, and of a reduction another one with larger elements.
void add_call(const Algorithm& algorithm, int ranks, int root, std::uint64_t units,
              const Parameters& parameters, std::vector<Case>& cases) {
    cases.push_back({Specification::of(algorithm.collective, ranks, root, units), parameters});
    const Reduction larger{.unit_bytes = 4, .commutative = !algorithm.in_order};
    if (traits_of(algorithm.collective).reduces)
        cases.push_back({Specification::of(algorithm.collective, ranks, root,
                                           units * larger.unit_bytes, larger),
                         parameters});
}

void add_cases(const Algorithm& algorithm, int ranks, std::vector<Case>& cases) {
    for (int root = 0; root < (algorithm.rooted() ? ranks : 1); ++root)
        for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{13},
                                         root == 0 ? beyond_32_bits : std::uint64_t{64}})
            for (const auto& parameters : parameters_for(algorithm, ranks, size))
                add_call(algorithm, ranks, root, size, parameters, cases);
}

/// All ranks, or, if there are many, the first and last of each cluster.
std::vector<int> roots_among(const Clusters& clusters) {
    constexpr int most = 16;
    std::vector<int> roots;
    for (int cluster = 0; cluster < clusters.count(); ++cluster)
        for (int i = 0; i < clusters.size(cluster); ++i)
            if (clusters.ranks() <= most || i == 0 || i == clusters.size(cluster) - 1)
                roots.push_back(clusters.first(cluster) + i);
    return roots;
}

/// Placements on up to `max_hosts` hosts with between one and four ranks each, at least one with
/// several, each in one cluster and, of several hosts, in two. Up to five hosts: all; more: some.
std::vector<Clusters> host_placements(int max_hosts) {
    constexpr int most_ranks_each = 4, one_in = 37;
    std::vector<Clusters> placements;
    int all = 1;
    for (int hosts = 1; hosts <= max_hosts; ++hosts) {
        all *= most_ranks_each;
        // Number 0 has one rank on each host.
        for (int number = 1; number < all; number += hosts <= every_placement ? 1 : one_in) {
            std::vector<int> ranks;
            for (int left = number; static_cast<int>(ranks.size()) < hosts; left /= most_ranks_each)
                ranks.push_back(1 + left % most_ranks_each);
            placements.push_back(Clusters::of_hosts({ranks}));
            if (hosts == 1)
                continue;
            const auto cut = ranks.begin() + 1 + number % (hosts - 1);
            placements.push_back(Clusters::of_hosts({{ranks.begin(), cut}, {cut, ranks.end()}}));
        }
    }
    return placements;
}

/// Calls of each size, on many hosts of one; parameters vary from call to call.
void add_host_cases(const Algorithm& algorithm, const Clusters& clusters, int number,
                    std::vector<Case>& cases) {
    auto turn = static_cast<std::size_t>(number);
    auto roots = algorithm.rooted() ? roots_among(clusters) : std::vector{0};
    std::vector<std::uint64_t> sizes{0, 1, 13};
    if (clusters.hosts() > every_call) {
        const auto drawn = turn / 2; // a placement comes in one cluster and in two
        roots = std::vector{roots[drawn % roots.size()]};
        sizes = std::vector{sizes[1 + drawn % 2]};
    }
    for (const int root : roots)
        for (const auto size : sizes) {
            const auto choices = parameters_for(algorithm, clusters.ranks(), size);
            auto parameters = choices[turn++ % choices.size()];
            parameters.clusters = clusters;
            add_call(algorithm, clusters.ranks(), root, size, parameters, cases);
        }
}

void add_cluster_cases(const Algorithm& algorithm, std::vector<int> sizes,
                       std::vector<Case>& cases) {
    const Clusters clusters(std::move(sizes));
    const auto roots = algorithm.rooted() ? roots_among(clusters) : std::vector{0};
    for (const int root : roots)
        for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{13}})
            for (auto& parameters : parameters_for(algorithm, clusters.ranks(), size)) {
                parameters.clusters = clusters;
                add_call(algorithm, clusters.ranks(), root, size, parameters, cases);
            }
}

/// A random matrix of at least `min_ranks` in which, from case to case, between none and nearly all
/// entries are zero.
Specification random_matrix(std::mt19937& random, int min_ranks, int max_ranks) {
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    const int ranks =
        min_ranks + static_cast<int>(below(static_cast<unsigned>(max_ranks - min_ranks + 1)));
    const auto zeros_in_ten = below(10);
    std::vector<std::uint64_t> sizes(static_cast<std::size_t>(ranks) *
                                     static_cast<std::size_t>(ranks));
    for (auto& size : sizes)
        size = below(10) < zeros_in_ten ? 0 : 1 + below(1000);
    return Specification::alltoallv(ranks, std::move(sizes), below(4));
}

/// `ranks` ranks, at least two, in between two and five clusters.
Clusters random_clusters(std::mt19937& random, int ranks) {
    const int count = std::min(ranks, 2 + static_cast<int>(random() % 4));
    std::vector<int> sizes(static_cast<std::size_t>(count), 1);
    for (int rank = count; rank < ranks; ++rank)
        ++sizes[random() % sizes.size()];
    return Clusters(std::move(sizes));
}

/// Calls with hosts of up to four ranks.
Clusters random_hosts(std::mt19937& random, const Clusters& clusters) {
    std::vector<std::vector<int>> hosts(static_cast<std::size_t>(clusters.count()));
    for (int cluster = 0; cluster < clusters.count(); ++cluster)
        for (int left = clusters.size(cluster); left > 0;) {
            const int ranks = std::min(left, 1 + static_cast<int>(random() % 4));
            hosts[static_cast<std::size_t>(cluster)].push_back(ranks);
            left -= ranks;
        }
    return Clusters::of_hosts(hosts);
}

/// A random all-to-all-v, with clusters if the algorithm needs them, and sometimes if it accepts
/// them.
Case random_case(const Algorithm& algorithm, std::mt19937& random, int max_ranks) {
    const bool must = algorithm.clusters == Algorithm::Use::must;
    auto specification = random_matrix(random, must ? 2 : 1, max_ranks);
    const int ranks = specification.ranks();
    const auto choices = parameters_for(algorithm, ranks, 600);
    auto parameters = choices[random() % choices.size()];
    if (must || (algorithm.clusters == Algorithm::Use::may && ranks > 1 && random() % 2))
        parameters.clusters = random_clusters(random, ranks);
    if (algorithm.hosts != Algorithm::Use::no && random() % 2)
        parameters.clusters = random_hosts(random, parameters.clusters.value_or(Clusters({ranks})));
    return {std::move(specification), std::move(parameters)};
}

} // namespace

std::string Case::text() const {
    const auto& spec = specification;
    auto text = parameters.clusters ? fmt::format("--clusters {}", parameters.clusters->text())
                                    : fmt::format("-n {}", spec.ranks());
    text += spec.collective() == Collective::alltoallv ? " random sizes"
                                                       : fmt::format(" -m {}", spec.size_bytes());
    if (spec.reduction() != Reduction{})
        text += fmt::format(" with elements of {} B{}", spec.reduction().unit_bytes,
                            spec.reduction().commutative ? "" : " in order");
    if (spec.root() != 0)
        text += fmt::format(" --root {}", spec.root());
    if (parameters.segment_bytes != 0)
        text += fmt::format(" --segment {}", parameters.segment_bytes);
    if (parameters.window != 0)
        text += fmt::format(" --window {}", parameters.window);
    if (parameters.inter_cluster_window != 0)
        text += fmt::format(" --inter-cluster-window {}", parameters.inter_cluster_window);
    return text;
}

std::vector<ProofShare> proof_of(const Algorithm& algorithm, const ProofExtent& extent) {
    std::vector<ProofShare> shares;
    const bool clusters = algorithm.clusters == Algorithm::Use::must;
    const int largest = algorithm.hosts == Algorithm::Use::must ? 0
                        : clusters                              ? extent.max_cluster
                                                                : extent.max_ranks;
    for (int number = 1; number <= largest; ++number)
        shares.push_back({&algorithm, algorithm.collective, number});
    if (algorithm.hosts != Algorithm::Use::no) {
        const int placements = static_cast<int>(host_placements(extent.max_hosts).size());
        for (int number = 0; number < placements; number += placements_per_share)
            shares.push_back({&algorithm, algorithm.collective, number, true});
    }
    if (algorithm.vectors)
        for (int seed = 0; seed < extent.matrices; seed += matrices_per_share)
            shares.push_back({&algorithm, Collective::alltoallv, seed});
    return shares;
}

std::vector<Case> cases_of(const ProofShare& share, const ProofExtent& extent) {
    std::vector<Case> cases;
    const auto& algorithm = *share.algorithm;
    if (share.collective == Collective::alltoallv) {
        std::mt19937 random(static_cast<unsigned>(share.number));
        const int count = std::min(matrices_per_share, extent.matrices - share.number);
        for (int i = 0; i < count; ++i)
            cases.push_back(random_case(algorithm, random, std::max(2, extent.max_ranks)));
    } else if (share.hosts) {
        const auto placements = host_placements(extent.max_hosts);
        const int end =
            std::min(share.number + placements_per_share, static_cast<int>(placements.size()));
        for (int number = share.number; number < end; ++number)
            add_host_cases(algorithm, placements[static_cast<std::size_t>(number)], number, cases);
    } else if (algorithm.clusters == Algorithm::Use::must) {
        for (int second = 1; second <= extent.max_cluster; ++second)
            add_cluster_cases(algorithm, {share.number, second}, cases);
        if (share.number <= 4)
            for (int i = 0; i < 16; ++i)
                add_cluster_cases(algorithm, {share.number, 1 + i / 4, 1 + i % 4}, cases);
    } else {
        add_cases(algorithm, share.number, cases);
        if (algorithm.clusters == Algorithm::Use::may && share.number <= 8)
            for (int i = 0; i < 64; ++i)
                add_cluster_cases(algorithm, {share.number, 1 + i / 8, 1 + i % 8}, cases);
    }
    return cases;
}

std::optional<Fault> prove(const Algorithm& algorithm, const Case& one) {
    return check(one.specification, schedules_of(algorithm, one.specification, one.parameters),
                 limits_of(algorithm, one.parameters));
}

} // namespace alltold
