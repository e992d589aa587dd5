// SPDX-License-Identifier: BSD-3-Clause
// Hashes compared; texts sent only where something is wrong.
#include "preload/agreement.hpp"

#include <array>
#include <cstdint>

#include <fmt/format.h>
#include <mpi.h>

#include "core/environment.hpp"
#include "core/hash.hpp"
#include "preload/functions.hpp"
#include "preload/process.hpp"
#include "preload/settings.hpp"
#include "runtime/mpi/hosts.hpp"

namespace alltold::preload {
namespace {

constexpr std::size_t host_bytes = 65; // Linux allows 64

/// The text of `rank`, which may be any, on every rank.
std::string text_of(int rank, std::string text) {
    int length = static_cast<int>(text.size());
    library().bcast(&length, 1, MPI_INT, rank, MPI_COMM_WORLD);
    text.resize(static_cast<std::size_t>(length));
    library().bcast(text.data(), length, MPI_CHAR, rank, MPI_COMM_WORLD);
    return text;
}

/// The lowest rank for which `guilty` holds; there is one.
int lowest(bool guilty) {
    int first = guilty ? world_rank() : world_size();
    library().allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return first;
}

} // namespace

Result<bool> agree(const Reading& mine) {
    const bool failed = !mine.error.empty();
    std::array<std::uint64_t, 4> most{mine.hash, ~mine.hash, failed, mine.site};
    library().allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_UINT64_T,
                        MPI_MAX, MPI_COMM_WORLD);
    const bool same = most[0] == ~most[1];
    if (same && most[2] == 0)
        return most[3] != 0;
    if (most[2] != 0) {
        const int rank = lowest(failed);
        return environment(
            text_of(rank, fmt::format("rank {} on {}: {}", world_rank(), host_name(), mine.error)));
    }
    auto first = mine.hash;
    library().bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    const int rank = lowest(mine.hash != first);
    return environment(
        text_of(rank, fmt::format("rank {} on {} {} than rank 0", world_rank(), host_name(),
                                  mine.hash == 0
                                      ? "has no profile and no rules, other"
                                      : fmt::format("has another profile, other rules, settings or "
                                                    "another version ({})",
                                                    version))));
}

std::vector<std::string> hosts_of_ranks() {
    std::array<char, host_bytes> mine{};
    host_name().copy(mine.data(), mine.size() - 1);
    std::vector<char> all(static_cast<std::size_t>(world_size()) * host_bytes);
    library().allgather(mine.data(), host_bytes, MPI_CHAR, all.data(), host_bytes, MPI_CHAR,
                        MPI_COMM_WORLD);
    std::vector<std::string> hosts;
    for (std::size_t at = 0; at < all.size(); at += host_bytes)
        hosts.emplace_back(&all[at]);
    return hosts;
}

std::vector<std::uint64_t> switches_of_ranks() {
    const auto switches = slurm_switches(host_name());
    Hash hash;
    hash.add(switches);
    const std::uint64_t mine = switches.empty() ? 0 : hash.value();
    std::vector<std::uint64_t> all(static_cast<std::size_t>(world_size()));
    library().allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return all;
}

} // namespace alltold::preload
