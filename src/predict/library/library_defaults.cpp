// SPDX-License-Identifier: BSD-3-Clause
// Switch points as a table of numbers, which library_algorithms names.
#include "predict/library/library_defaults.hpp"

#include <limits>

#include "core/units.hpp"
#include "predict/library/library_algorithms.hpp"

namespace alltold {
namespace {

constexpr std::uint64_t mi = ki * ki;
constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
constexpr int all_ranks = std::numeric_limits<int>::max();

/// Below so many bytes the algorithm of this number runs.
struct Switch {
    std::uint64_t below_bytes;
    int number;
};

/// Below so many ranks, and from those of the row before on. The switches up to `all` count.
struct Band {
    Collective collective;
    int below_ranks;
    std::array<Switch, 10> switches;
};

using enum Collective;
// clang-format off
constexpr Band open_mpi_bands[] = {
    {bcast, 4, {{{32, 3}, {256, 5}, {512, 3}, {1 * ki, 7}, {32 * ki, 1}, {128 * ki, 5}, {256 * ki, 2}, {512 * ki, 1}, {1 * mi, 6}, {all, 5}}}},
    {bcast, 8, {{{64, 5}, {128, 6}, {2 * ki, 5}, {8 * ki, 6}, {1 * mi, 1}, {all, 2}}}},
    {bcast, 16, {{{8, 7}, {64, 5}, {4 * ki, 7}, {16 * ki, 5}, {32 * ki, 6}, {all, 1}}}},
    {bcast, 32, {{{4 * ki, 7}, {1 * mi, 6}, {all, 8}}}},
    {bcast, 64, {{{2 * ki, 6}, {all, 7}}}},
    {bcast, 128, {{{all, 7}}}},
    {bcast, 256, {{{2, 6}, {16 * ki, 5}, {32 * ki, 1}, {64 * ki, 5}, {all, 7}}}},
    {bcast, 1024, {{{16 * ki, 7}, {32 * ki, 4}, {all, 7}}}},
    {bcast, 2048, {{{512 * ki, 7}, {all, 8}}}},
    {bcast, 4096, {{{256 * ki, 7}, {all, 8}}}},
    {bcast, all_ranks, {{{8 * ki, 7}, {16 * ki, 5}, {256 * ki, 7}, {all, 8}}}},
    {scatter, 4, {{{2, 3}, {128 * ki, 1}, {256 * ki, 3}, {all, 1}}}},
    {scatter, 8, {{{2 * ki, 2}, {4 * ki, 1}, {8 * ki, 2}, {32 * ki, 1}, {1 * mi, 3}, {all, 1}}}},
    {scatter, 16, {{{16 * ki, 2}, {1 * mi, 3}, {all, 1}}}},
    {scatter, 32, {{{16 * ki, 2}, {32 * ki, 1}, {all, 3}}}},
    {scatter, 64, {{{512, 2}, {8 * ki, 3}, {16 * ki, 2}, {all, 3}}}},
    {scatter, all_ranks, {{{512, 2}, {all, 3}}}},
    {gather, 4, {{{2, 3}, {4, 1}, {32 * ki, 2}, {64 * ki, 1}, {128 * ki, 2}, {all, 3}}}},
    {gather, 8, {{{1 * ki, 2}, {8 * ki, 1}, {32 * ki, 2}, {256 * ki, 1}, {all, 3}}}},
    {gather, 256, {{{all, 2}}}},
    {gather, 512, {{{2 * ki, 2}, {8 * ki, 1}, {all, 2}}}},
    {gather, all_ranks, {{{all, 2}}}},
    {alltoall, 3, {{{2, 2}, {4, 5}, {16, 2}, {64, 5}, {256, 2}, {4 * ki, 5}, {32 * ki, 2}, {256 * ki, 4}, {1 * mi, 5}, {all, 2}}}},
    {alltoall, 8, {{{8 * ki, 4}, {16 * ki, 1}, {64 * ki, 4}, {512 * ki, 1}, {1 * mi, 2}, {all, 1}}}},
    {alltoall, 16, {{{256 * ki, 4}, {all, 1}}}},
    {alltoall, 32, {{{4, 4}, {512, 3}, {8 * ki, 4}, {32 * ki, 1}, {256 * ki, 4}, {512 * ki, 1}, {all, 4}}}},
    {alltoall, 64, {{{512, 3}, {512 * ki, 1}, {all, 4}}}},
    {alltoall, 128, {{{1 * ki, 3}, {2 * ki, 1}, {4 * ki, 4}, {256 * ki, 1}, {all, 2}}}},
    {alltoall, 256, {{{1 * ki, 3}, {2 * ki, 4}, {256 * ki, 1}, {all, 2}}}},
    {alltoall, 512, {{{1 * ki, 3}, {8 * ki, 4}, {32 * ki, 1}, {all, 2}}}},
    {alltoall, 1024, {{{512, 3}, {8 * ki, 4}, {16 * ki, 1}, {128 * ki, 4}, {256 * ki, 1}, {all, 2}}}},
    {alltoall, 2048, {{{512, 3}, {1 * ki, 4}, {2 * ki, 1}, {16 * ki, 4}, {256 * ki, 1}, {all, 4}}}},
    {alltoall, 4096, {{{1 * ki, 3}, {4 * ki, 4}, {8 * ki, 1}, {128 * ki, 4}, {all, 1}}}},
    {alltoall, all_ranks, {{{2 * ki, 3}, {8 * ki, 4}, {16 * ki, 1}, {32 * ki, 4}, {64 * ki, 1}, {all, 4}}}},
    {allgather, 3, {{{all, 6}}}},
    {allgather, 32, {{{all, 3}}}},
    {allgather, 64, {{{1 * ki, 3}, {64 * ki, 5}, {all, 4}}}},
    {allgather, 128, {{{512, 3}, {64 * ki, 5}, {all, 4}}}},
    {allgather, 256, {{{512, 3}, {128 * ki, 5}, {512 * ki, 4}, {1 * mi, 5}, {all, 4}}}},
    {allgather, 512, {{{32, 3}, {128, 2}, {1 * ki, 3}, {128 * ki, 5}, {512 * ki, 4}, {1 * mi, 5}, {all, 4}}}},
    {allgather, 1024, {{{64, 3}, {256, 2}, {2 * ki, 3}, {all, 5}}}},
    {allgather, 2048, {{{4, 3}, {8, 2}, {16, 3}, {32, 2}, {256, 3}, {512, 2}, {4 * ki, 3}, {all, 5}}}},
    {allgather, 4096, {{{32, 2}, {128, 3}, {512, 2}, {4 * ki, 3}, {all, 5}}}},
    {allgather, all_ranks, {{{2, 3}, {8, 2}, {16, 3}, {512, 2}, {4 * ki, 3}, {all, 5}}}},
    {reduce, 4, {{{8, 7}, {16, 4}, {32, 3}, {256 * ki, 1}, {512 * ki, 3}, {1 * mi, 2}, {all, 3}}}},
    {reduce, 8, {{{4 * ki, 4}, {64 * ki, 2}, {256 * ki, 5}, {512 * ki, 1}, {1 * mi, 5}, {all, 1}}}},
    {reduce, 16, {{{8 * ki, 4}, {all, 5}}}},
    {reduce, 32, {{{4 * ki, 4}, {all, 5}}}},
    {reduce, 256, {{{all, 5}}}},
    {reduce, 512, {{{8 * ki, 5}, {16 * ki, 6}, {all, 5}}}},
    {reduce, 2048, {{{all, 5}}}},
    {reduce, 4096, {{{512, 5}, {1 * ki, 6}, {8 * ki, 5}, {16 * ki, 6}, {all, 5}}}},
    {reduce, all_ranks, {{{16, 5}, {32, 6}, {1 * ki, 5}, {2 * ki, 6}, {8 * ki, 5}, {16 * ki, 6}, {all, 5}}}},
    {allreduce, 4, {{{8, 4}, {4 * ki, 3}, {8 * ki, 4}, {16 * ki, 3}, {64 * ki, 4}, {256 * ki, 5}, {all, 6}}}},
    {allreduce, 8, {{{16, 4}, {8 * ki, 3}, {all, 6}}}},
    {allreduce, 16, {{{8 * ki, 3}, {all, 6}}}},
    {allreduce, 32, {{{64, 5}, {4 * ki, 3}, {all, 6}}}},
    {allreduce, 64, {{{128, 5}, {all, 6}}}},
    {allreduce, 128, {{{256 * ki, 3}, {all, 6}}}},
    {allreduce, 256, {{{128 * ki, 2}, {256 * ki, 3}, {all, 6}}}},
    {allreduce, 512, {{{4 * ki, 2}, {all, 6}}}},
    {allreduce, 2048, {{{2 * ki, 2}, {16 * ki, 3}, {all, 6}}}},
    {allreduce, 4096, {{{2 * ki, 2}, {4 * ki, 5}, {16 * ki, 3}, {all, 6}}}},
    {allreduce, all_ranks, {{{2 * ki, 2}, {16 * ki, 5}, {32 * ki, 3}, {all, 6}}}},
    {reduce_scatter_block, 4, {{{4, 2}, {8, 4}, {16, 3}, {128, 4}, {256, 3}, {4 * ki, 4}, {8 * ki, 3}, {128 * ki, 4}, {all, 1}}}},
    {reduce_scatter_block, 8, {{{8, 3}, {32, 2}, {256, 4}, {8 * ki, 3}, {16 * ki, 4}, {1 * mi, 3}, {all, 1}}}},
    {reduce_scatter_block, 16, {{{4, 1}, {32, 3}, {128, 4}, {512 * ki, 3}, {4 * mi, 1}, {all, 4}}}},
    {reduce_scatter_block, 32, {{{32, 1}, {512 * ki, 3}, {2 * mi, 1}, {4 * mi, 3}, {all, 4}}}},
    {reduce_scatter_block, all_ranks, {{{4, 3}, {16, 1}, {64 * ki, 4}, {256 * ki, 1}, {all, 4}}}},
    {barrier, 4, {{{all, 3}}}},
    {barrier, 8, {{{all, 1}}}},
    {barrier, 64, {{{all, 3}}}},
    {barrier, 256, {{{all, 4}}}},
    {barrier, 512, {{{all, 6}}}},
    {barrier, 1024, {{{all, 4}}}},
    {barrier, 4096, {{{all, 6}}}},
    {barrier, all_ranks, {{{all, 4}}}},    {scan, all_ranks, {{{all, 1}}}},
    {exscan, all_ranks, {{{all, 1}}}},
};
// clang-format on

} // namespace

std::optional<std::string_view> default_algorithm(MpiLibrary library, Collective collective,
                                                  int ranks, std::uint64_t size_bytes) {
    if (library != MpiLibrary::open_mpi)
        return std::nullopt;
    const auto band = std::ranges::find_if(open_mpi_bands, [&](const Band& row) {
        return row.collective == collective && ranks < row.below_ranks;
    });
    if (band == std::end(open_mpi_bands))
        return std::nullopt;
    const auto runs = std::ranges::find_if(band->switches, [&](const Switch& one) {
        return size_bytes < one.below_bytes || one.below_bytes == all;
    });
    for (const auto& row : library_algorithms())
        if (row.library == library && row.collective == collective && row.number == runs->number)
            return row.name;
    return std::nullopt;
}

} // namespace alltold
