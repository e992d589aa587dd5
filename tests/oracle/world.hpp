// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a case, and how it fails.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "buffer.hpp"

namespace oracle {

/// Results of the library's own calls, in order. Every algorithm of a collective is tried by the
/// same calls on equal communicators, so that the library carries them out for the first one only.
struct LibraryResults {
    std::vector<Buffer> buffers;
    std::size_t next = 0;
};

struct World {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int size = 1;
    LibraryResults* results = nullptr;
};

/// Leaves in `buffer` what the library's own `call` writes there.
template <class Call>
void by_library(const World& world, Buffer& buffer, Call call) {
    auto& [buffers, next] = *world.results;
    if (next == buffers.size()) {
        call();
        buffers.push_back(buffer);
    }
    buffer = buffers[next++];
}

/// Counts a case as failed on this rank unless `holds`.
void expect(bool holds, const World& world, const std::string& what);

/// Completes a request that `code` says was started, with test() calls first on odd seeds, so that
/// both ways are seen.
int finish(int code, alltold_request* request, int seed);

} // namespace oracle
