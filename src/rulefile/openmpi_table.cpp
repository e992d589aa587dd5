// SPDX-License-Identifier: BSD-3-Clause
// The numbers are those of Open MPI 4.1.4, 5.0.8 and main; later versions add algorithms at the
// end.
#include "rulefile/openmpi_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold::rulefile {
namespace {

const std::vector<OpenMpiCollective>& table() {
    static const std::vector<OpenMpiCollective> rows{
        {0,
         "allgather",
         {"linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc", "sparbit",
          "direct-messaging"},
         true},
        {1, "allgatherv", {"default", "bruck", "ring", "neighbor", "two_proc", "sparbit"}},
        {2,
         "allreduce",
         {"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
          "rabenseifner", "allgather_reduce"}},
        {3, "alltoall", {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}, true},
        {4, "alltoallv", {"basic_linear", "pairwise"}},
        {5, "alltoallw", {}},
        {6,
         "barrier",
         {"linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
        {7,
         "bcast",
         {"basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial",
          "knomial", "scatter_allgather", "scatter_allgather_ring"}},
        {8, "exscan", {"linear", "recursive_doubling"}},
        {9, "gather", {"basic_linear", "binomial", "linear_sync"}, true},
        {10, "gatherv", {}},
        {11,
         "reduce",
         {"linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner",
          "knomial"}},
        {12, "reduce_scatter", {"non-overlapping", "recursive_halving", "ring", "butterfly"}},
        {13,
         "reduce_scatter_block",
         {"basic_linear", "recursive_doubling", "recursive_halving", "butterfly"},
         true},
        {14, "scan", {"linear", "recursive_doubling"}},
        {15, "scatter", {"basic_linear", "binomial", "linear_nb"}, true},
        {16, "scatterv", {}},
        {17, "neighbor_allgather", {}},
        {18, "neighbor_allgatherv", {}},
        {19, "neighbor_alltoall", {}},
        {20, "neighbor_alltoallv", {}},
        {21, "neighbor_alltoallw", {}},
    };
    return rows;
}

std::vector<std::uint64_t> thresholds(const OpenMpiRanks& ranks) {
    std::vector<std::uint64_t> sizes;
    for (const auto& rule : ranks.rules)
        if (rule.from_bytes > 0)
            sizes.push_back(rule.from_bytes);
    return sizes;
}

void check_algorithms(const OpenMpiRules& rules, const Target& target, Findings& findings) {
    const auto& collective = *rules.collective;
    const int most = algorithm_count(collective, target);
    for (const auto& ranks : rules.ranks)
        for (const auto& rule : ranks.rules) {
            if (rule.algorithm > most)
                findings.add(rule.line,
                             fmt::format("{} has no algorithm {}; the call fails", collective.name,
                                         rule.algorithm),
                             fmt::format("0 (the library decides) to {}", most));
            else if (rule.algorithm > 0 &&
                     collective.algorithms[static_cast<std::size_t>(rule.algorithm) - 1] ==
                         "two_proc" &&
                     (ranks.from_ranks > 2 || ranks.to_ranks > 2))
                findings.add(rule.line,
                             fmt::format("algorithm {} (two_proc) of {} runs on 2 ranks only, and "
                                         "this rule also covers more",
                                         rule.algorithm, collective.name),
                             "another algorithm, or a next communicator size of 3");
        }
}

/// Gather sizes a call by send arguments, which a root with MPI_IN_PLACE may leave out; scatter by
/// those that only the root has.
void check_agreement(const OpenMpiRules& rules, Findings& findings) {
    const auto& name = rules.collective->name;
    if (name != "scatter" && name != "gather")
        return;
    for (const auto& ranks : rules.ranks)
        for (const auto& rule : ranks.rules)
            if (rule.algorithm != ranks.rules.front().algorithm) {
                findings.add(
                    rule.line,
                    fmt::format("{} is sized by sendcount and sendtype, {}: ranks may pick "
                                "different algorithms and hang",
                                name,
                                name == "scatter" ? "which only the root has to give"
                                                  : "which a root with MPI_IN_PLACE need not give"),
                    "one algorithm for all sizes of a communicator size");
                break;
            }
}

/// OSU's benchmarks print bytes for each rank; copied as they are, the sizes do not grow with
/// ranks.
void check_sizes(const OpenMpiRules& rules, Findings& findings) {
    if (!rules.collective->times_ranks)
        return;
    for (std::size_t i = 1; i < rules.ranks.size(); ++i) {
        const auto &before = rules.ranks[i - 1], &here = rules.ranks[i];
        const auto sizes = thresholds(here);
        if (sizes.empty() || sizes != thresholds(before) || before.from_ranks == here.from_ranks)
            continue;
        findings.add(here.line,
                     fmt::format("the sizes of {} are the same for {} and {} ranks, but {} looks "
                                 "up bytes of a block times ranks",
                                 rules.collective->name, before.from_ranks, here.from_ranks,
                                 rules.collective->name),
                     fmt::format("sizes times {}, if they are those of one block, as benchmarks "
                                 "print them",
                                 here.from_ranks));
        return;
    }
}

} // namespace

std::span<const OpenMpiCollective> openmpi_collectives() {
    return table();
}

const OpenMpiCollective* openmpi_collective(std::string_view name) {
    const auto found = std::ranges::find(table(), name, &OpenMpiCollective::name);
    return found == table().end() ? nullptr : &*found;
}

int algorithm_count(const OpenMpiCollective& collective, const Target& target) {
    int count = static_cast<int>(collective.algorithms.size());
    const auto drop = [&](std::string_view name, int added, bool old) {
        if (old && collective.name == name)
            count = std::min(count, added);
    };
    drop("allgather", 7, target.before(6));
    drop("allreduce", 6, target.before(6));
    drop("reduce", 7, target.before(6));
    drop("allgather", 6, target.before(5));
    drop("allgatherv", 5, target.before(5));
    return count;
}

void check_meaning(const OpenMpiRules& rules, const Target& target, Findings& findings) {
    if (rules.collective->algorithms.empty() && !rules.ranks.empty())
        findings.add(rules.line,
                     fmt::format("{} has a single algorithm; its rules are never looked up",
                                 rules.collective->name),
                     "no rules for it");
    else
        check_algorithms(rules, target, findings);
    check_agreement(rules, findings);
    check_sizes(rules, findings);
}

} // namespace alltold::rulefile
