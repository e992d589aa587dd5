// SPDX-License-Identifier: BSD-3-Clause
#include "predict/library/library_algorithms.hpp"

#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold {
namespace {

using enum Collective;
using enum MpiLibrary;
using Ranks = LibraryAlgorithm::Ranks;
constexpr auto no = Algorithm::Use::no;
constexpr auto may = Algorithm::Use::may;

/// Omits what MPICH can force for MPI_IN_PLACE or inter-communicators only, and "smp", which needs
/// several ranks on a node. What cannot combine with an operator, or cut so few elements, leaves
/// the call to another algorithm.
constexpr LibraryAlgorithm table[] = {
    {open_mpi, bcast, "basic_linear", 1},
    {open_mpi, bcast, "chain", 2, may},
    {open_mpi, bcast, "pipeline", 3, may},
    {open_mpi, bcast, "split_binary_tree", 4, may},
    {open_mpi, bcast, "binary_tree", 5, may},
    {open_mpi, bcast, "binomial", 6, may},
    {open_mpi, bcast, "knomial", 7, may},
    {open_mpi, bcast, "scatter_allgather", 8},
    {open_mpi, bcast, "scatter_allgather_ring", 9},
    {open_mpi, scatter, "basic_linear", 1},
    {open_mpi, scatter, "binomial", 2},
    {open_mpi, scatter, "linear_nb", 3, no, may},
    {open_mpi, gather, "basic_linear", 1},
    {open_mpi, gather, "binomial", 2},
    {open_mpi, gather, "linear_sync", 3, may},
    {open_mpi, alltoall, "linear", 1},
    {open_mpi, alltoall, "pairwise", 2},
    {open_mpi, alltoall, "modified_bruck", 3},
    {open_mpi, alltoall, "linear_sync", 4, no, may},
    {open_mpi, alltoall, "two_proc", 5, no, no, Ranks::two},
    {open_mpi, alltoallv, "basic_linear", 1},
    {open_mpi, alltoallv, "pairwise", 2},
    {open_mpi, allgather, "linear", 1},
    {open_mpi, allgather, "bruck", 2},
    {open_mpi, allgather, "recursive_doubling", 3},
    {open_mpi, allgather, "ring", 4},
    {open_mpi, allgather, "neighbor", 5},
    {open_mpi, allgather, "two_proc", 6, no, no, Ranks::two},
    {open_mpi, reduce, "linear", 1},
    {open_mpi, reduce, "chain", 2, may},
    {open_mpi, reduce, "pipeline", 3, may},
    {open_mpi, reduce, "binary", 4, may},
    {open_mpi, reduce, "binomial", 5, may},
    {open_mpi, reduce, "in-order_binary", 6, may},
    {open_mpi, reduce, "rabenseifner", 7},
    {open_mpi, allreduce, "basic_linear", 1},
    {open_mpi, allreduce, "nonoverlapping", 2},
    {open_mpi, allreduce, "recursive_doubling", 3},
    {open_mpi, allreduce, "ring", 4},
    {open_mpi, allreduce, "segmented_ring", 5, may},
    {open_mpi, allreduce, "rabenseifner", 6},
    {open_mpi, reduce_scatter_block, "basic_linear", 1},
    {open_mpi, reduce_scatter_block, "recursive_doubling", 2},
    {open_mpi, reduce_scatter_block, "recursive_halving", 3},
    {open_mpi, reduce_scatter_block, "butterfly", 4},
    {open_mpi, scan, "linear", 1},
    {open_mpi, scan, "recursive_doubling", 2},
    {open_mpi, exscan, "linear", 1},
    {open_mpi, exscan, "recursive_doubling", 2},
    {open_mpi, barrier, "linear", 1},
    {open_mpi, barrier, "double_ring", 2},
    {open_mpi, barrier, "recursive_doubling", 3},
    {open_mpi, barrier, "bruck", 4},
    {open_mpi, barrier, "two_proc", 5, no, no, Ranks::two},
    {open_mpi, barrier, "tree", 6},
    {mpich, bcast, "binomial"},
    {mpich, bcast, "nb"},
    {mpich, bcast, "scatter_recursive_doubling_allgather", 0, no, no, Ranks::power_of_two},
    {mpich, bcast, "scatter_ring_allgather"},
    {mpich, scatter, "binomial"},
    {mpich, scatter, "nb"},
    {mpich, gather, "binomial"},
    {mpich, gather, "nb"},
    {mpich, alltoall, "brucks"},
    {mpich, alltoall, "nb"},
    {mpich, alltoall, "pairwise"},
    {mpich, alltoall, "scattered"},
    {mpich, alltoallv, "nb"},
    {mpich, alltoallv, "scattered"},
    {mpich, allgather, "brucks"},
    {mpich, allgather, "nb"},
    {mpich, allgather, "recursive_doubling", 0, no, no, Ranks::power_of_two},
    {mpich, allgather, "ring"},
    {mpich, reduce, "binomial"},
    {mpich, reduce, "nb"},
    {mpich, reduce, "reduce_scatter_gather"},
    {mpich, allreduce, "nb"},
    {mpich, allreduce, "recursive_doubling"},
    {mpich, allreduce, "reduce_scatter_allgather"},
    {mpich, reduce_scatter_block, "nb"},
    {mpich, reduce_scatter_block, "noncommutative", 0, no, no, Ranks::power_of_two},
    {mpich, reduce_scatter_block, "pairwise"},
    {mpich, reduce_scatter_block, "recursive_doubling"},
    {mpich, reduce_scatter_block, "recursive_halving"},
    {mpich, scan, "nb"},
    {mpich, scan, "recursive_doubling"},
    {mpich, exscan, "nb"},
    {mpich, exscan, "recursive_doubling"},
    {mpich, barrier, "dissemination"},
    {mpich, barrier, "nb"},
};

constexpr std::string_view prefix = "mpi.";

} // namespace

std::span<const LibraryAlgorithm> library_algorithms() {
    return table;
}

bool names_library_algorithm(std::string_view word) {
    return word.starts_with(prefix);
}

Result<std::string_view> library_algorithm_name(std::string_view word) {
    const auto name = word.substr(prefix.size());
    std::vector<std::string_view> known;
    for (const auto& row : table) {
        if (row.name == name)
            return row.name;
        if (std::find(known.begin(), known.end(), row.name) == known.end())
            known.push_back(row.name);
    }
    return bad_input(fmt::format("'{}' is not an MPI library algorithm; use one of mpi.{}", word,
                                 fmt::join(known, ", mpi.")));
}

Result<const LibraryAlgorithm*> find_library_algorithm(MpiLibrary library, Collective collective,
                                                       std::string_view name) {
    std::vector<std::string_view> known;
    for (const auto& row : table)
        if (row.library == library && row.collective == collective) {
            if (row.name == name)
                return &row;
            known.push_back(row.name);
        }
    if (known.empty())
        return bad_input(fmt::format("mpi.{}: this MPI library does not let callers choose "
                                     "algorithms; Open MPI and MPICH do",
                                     name));
    return bad_input(fmt::format("{} has no mpi.{} for {}; it has mpi.{}", name_of(library), name,
                                 name_of(collective), fmt::join(known, ", mpi.")));
}

Status accepts(const LibraryAlgorithm& algorithm, int ranks, const Parameters& parameters) {
    const auto refuse = [&](std::string_view why) {
        return bad_input(fmt::format("mpi.{}: {}", algorithm.name, why));
    };
    if (parameters.segment_bytes != 0 && algorithm.segment == no)
        return refuse("takes no segment; leave it out");
    if (parameters.window != 0 && algorithm.window == no)
        return refuse("takes no window; leave it out");
    if (parameters.inter_cluster_window != 0)
        return refuse("takes no inter_cluster_window; leave it out");
    if (algorithm.ranks == Ranks::two && ranks != 2)
        return refuse("runs only on 2 ranks");
    if (algorithm.ranks == Ranks::power_of_two && !std::has_single_bit(unsigned(ranks)))
        return refuse("runs only on 2, 4, 8, ... ranks");
    return Done{};
}

std::vector<std::uint64_t> segments_to_try(const LibraryAlgorithm& algorithm) {
    if (algorithm.segment == no)
        return {0};
    // Open MPI's own decision gives a gather's first segment one of these two.
    if (algorithm.collective == Collective::gather)
        return {0, 1024, 32768};
    return {0, 8192, 65536};
}

} // namespace alltold
