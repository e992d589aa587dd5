// SPDX-License-Identifier: BSD-3-Clause
// MPI's rank, and getenv.
#include "preload/process.hpp"

#include <cstdlib>

#include <mpi.h>

namespace alltold::preload {

int world_rank() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

} // namespace alltold::preload
