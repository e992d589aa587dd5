// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a case, and how it fails.
#pragma once

#include <string>

#include <mpi.h>

#include "alltold/alltold.h"

namespace oracle {

struct World {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int size = 1;
};

/// Counts a case as failed on this rank unless `holds`.
void expect(bool holds, const World& world, const std::string& what);

/// Completes a request that `code` says was started, with test() calls first on odd seeds, so that
/// both ways are seen.
int finish(int code, alltold_request* request, int seed);

} // namespace oracle
