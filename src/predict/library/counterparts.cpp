// SPDX-License-Identifier: BSD-3-Clause
#include "predict/library/counterparts.hpp"

#include <bit>

namespace alltold {
namespace {

/// More than any communicator has ranks, and so no limit.
constexpr int all_at_once = 1 << 20;

struct Counterpart {
    MpiLibrary library;
    Collective collective;
    std::string_view name;
    std::string_view ours;
    bool segmented = false;
    int window = 0;
    int most_ranks = all_at_once;
    bool swaps = false; ///< ours, where the library rotates
};

using enum Collective;
using enum MpiLibrary;
constexpr Counterpart counterparts[] = {
    {open_mpi, alltoall, "linear", "alltoall.rotated", false, all_at_once},
    {open_mpi, alltoall, "pairwise", "alltoall.pairwise", false, 0, all_at_once, true},
    {open_mpi, alltoall, "modified_bruck", "alltoall.bruck"},
    {open_mpi, bcast, "basic_linear", "bcast.flat"},
    {open_mpi, bcast, "pipeline", "bcast.chain"},
    {open_mpi, bcast, "pipeline", "bcast.chain_segmented", true},
    {open_mpi, bcast, "binary_tree", "bcast.binary_interleaved"},
    {open_mpi, bcast, "binomial", "bcast.binomial_doubling"},
    {open_mpi, bcast, "knomial", "bcast.knomial"},
    {open_mpi, allgather, "ring", "allgather.ring"},
    {open_mpi, reduce, "pipeline", "reduce.chain_segmented", true},
    {open_mpi, barrier, "bruck", "barrier.dissemination"},
    {mpich, alltoall, "brucks", "alltoall.bruck"},
    {mpich, alltoall, "pairwise", "alltoall.pairwise"},
    // It waits after every 32 messages (MPIR_CVAR_ALLTOALL_THROTTLE).
    {mpich, alltoall, "scattered", "alltoall.rotated", false, all_at_once, 32},
    {mpich, bcast, "binomial", "bcast.binomial"},
    {mpich, allgather, "ring", "allgather.ring"},
    {mpich, barrier, "dissemination", "barrier.dissemination"},
};

/// The segment of one that must cut.
enum class Cut : std::uint8_t { none, whole, by_ranks };

/// Beside the counterparts without segments.
struct Near {
    MpiLibrary library;
    Collective collective;
    std::string_view name;
    std::string_view ours;
    Cut cut = Cut::none;
    int window = 0;
};

constexpr Near near_ones[] = {
    {open_mpi, bcast, "chain", "bcast.binomial"},
    {open_mpi, bcast, "split_binary_tree", "bcast.binary_interleaved"},
    {open_mpi, bcast, "scatter_allgather", "bcast.chain_segmented", Cut::by_ranks},
    {open_mpi, bcast, "scatter_allgather_ring", "bcast.chain_segmented", Cut::by_ranks},
    {open_mpi, scatter, "basic_linear", "scatter.flat"},
    {open_mpi, scatter, "binomial", "scatter.binomial"},
    {open_mpi, scatter, "linear_nb", "scatter.flat"},
    {open_mpi, gather, "basic_linear", "gather.flat"},
    {open_mpi, gather, "binomial", "gather.binomial"},
    {open_mpi, gather, "linear_sync", "gather.windowed", Cut::none, 1},
    {open_mpi, alltoall, "linear_sync", "alltoall.rotated", Cut::none, all_at_once},
    {open_mpi, alltoall, "two_proc", "alltoall.pairwise"},
    {open_mpi, allgather, "linear", "allgather.direct"},
    {open_mpi, allgather, "bruck", "allgather.bruck"},
    {open_mpi, allgather, "recursive_doubling", "allgather.recursive_doubling"},
    {open_mpi, allgather, "neighbor", "allgather.neighbor_exchange"},
    {open_mpi, allgather, "two_proc", "allgather.direct"},
    {open_mpi, reduce, "linear", "reduce.flat"},
    {open_mpi, reduce, "chain", "reduce.binomial"},
    {open_mpi, reduce, "pipeline", "reduce.chain_segmented", Cut::whole},
    {open_mpi, reduce, "binary", "reduce.binary_segmented", Cut::whole},
    {open_mpi, reduce, "binomial", "reduce.binomial"},
    {open_mpi, reduce, "in-order_binary", "reduce.binary_segmented", Cut::whole},
    {open_mpi, reduce, "rabenseifner", "reduce.rabenseifner"},
    {open_mpi, allreduce, "basic_linear", "allreduce.flat"},
    {open_mpi, allreduce, "nonoverlapping", "allreduce.recursive_doubling"},
    {open_mpi, allreduce, "recursive_doubling", "allreduce.recursive_doubling"},
    {open_mpi, allreduce, "ring", "allreduce.ring"},
    {open_mpi, allreduce, "segmented_ring", "allreduce.ring"},
    {open_mpi, allreduce, "rabenseifner", "allreduce.rabenseifner"},
    {open_mpi, reduce_scatter_block, "recursive_doubling",
     "reduce_scatter_block.recursive_halving"},
    {open_mpi, reduce_scatter_block, "recursive_halving", "reduce_scatter_block.recursive_halving"},
    {open_mpi, reduce_scatter_block, "butterfly", "reduce_scatter_block.recursive_halving"},
    {open_mpi, scan, "linear", "scan.chain_segmented", Cut::whole},
    {open_mpi, scan, "recursive_doubling", "scan.recursive_doubling"},
    {open_mpi, exscan, "linear", "exscan.chain_segmented", Cut::whole},
    {open_mpi, exscan, "recursive_doubling", "exscan.recursive_doubling"},
    {open_mpi, barrier, "linear", "barrier.flat"},
    {open_mpi, barrier, "recursive_doubling", "barrier.recursive_doubling"},
    {open_mpi, barrier, "two_proc", "barrier.recursive_doubling"},
    {open_mpi, barrier, "tree", "barrier.binomial"},
};

/// Rows of either table.
bool is_of(const auto& row, MpiLibrary library, Collective collective) {
    return row.library == library && row.collective == collective;
}

auto named(MpiLibrary library, Collective collective, std::string_view name) {
    return [=](const auto& row) { return is_of(row, library, collective) && row.name == name; };
}

bool fits(const Counterpart& row, const Clusters& clusters) {
    const bool rotates = row.swaps && clusters.count() > 1 &&
                         std::has_single_bit(static_cast<unsigned>(clusters.ranks()));
    return clusters.ranks() <= row.most_ranks && !rotates;
}

std::uint64_t segment_bytes(Cut cut, int ranks, std::uint64_t size_bytes) {
    const auto parts = cut == Cut::by_ranks ? static_cast<std::uint64_t>(ranks) : 1;
    return cut == Cut::none ? 0 : std::max<std::uint64_t>((size_bytes + parts - 1) / parts, 1);
}

} // namespace

std::optional<Choice> counterpart(MpiLibrary library, Collective collective,
                                  const Clusters& clusters, const Choice& forced) {
    const bool segmented = forced.parameters.segment_bytes > 0;
    const auto is_it = named(library, collective, forced.library);
    if (forced.parameters.window == 0)
        for (const auto& row : counterparts)
            if (is_it(row) && row.segmented == segmented && fits(row, clusters))
                return Choice{*find_algorithm(row.ours),
                              {forced.parameters.segment_bytes, row.window}};
    return std::nullopt;
}

std::vector<Imitated> imitated_algorithms(MpiLibrary library, Collective collective,
                                          const Clusters& clusters) {
    std::vector<Imitated> found;
    for (const auto& row : counterparts)
        if (is_of(row, library, collective) && fits(row, clusters))
            found.push_back({row.name, *find_algorithm(row.ours), row.segmented});
    return found;
}

std::optional<Choice> nearest(MpiLibrary library, Collective collective, std::string_view name,
                              int ranks, std::uint64_t size_bytes) {
    const auto is_it = named(library, collective, name);
    if (const auto* row = std::ranges::find_if(near_ones, is_it); row != std::end(near_ones))
        return Choice{*find_algorithm(row->ours),
                      {segment_bytes(row->cut, ranks, size_bytes), row->window}};
    const auto* row = std::ranges::find_if(
        counterparts, [&](const Counterpart& one) { return is_it(one) && !one.segmented; });
    return row == std::end(counterparts)
               ? std::nullopt
               : std::optional(Choice{*find_algorithm(row->ours), {0, row->window}});
}

} // namespace alltold
