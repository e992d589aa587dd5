// SPDX-License-Identifier: BSD-3-Clause
// MPI's rank and ranks.
#include "preload/process.hpp"

#include <numeric>

namespace alltold::preload {

int world_rank() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int world_size() {
    int ranks = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

std::vector<int> world_ranks(MPI_Comm comm) {
    int ranks = 1;
    PMPI_Comm_size(comm, &ranks);
    std::vector<int> local(static_cast<std::size_t>(ranks)), world(local.size());
    std::iota(local.begin(), local.end(), 0);
    MPI_Group group = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, ranks, local.data(), all, world.data());
    PMPI_Group_free(&group);
    PMPI_Group_free(&all);
    return world;
}

} // namespace alltold::preload
