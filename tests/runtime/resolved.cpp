// SPDX-License-Identifier: BSD-3-Clause
// Parameters that a call through the C interface leaves open are filled in: paced is paced.
#include <cstdio>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "runtime/communicator_state.hpp"

using namespace alltold;

namespace {

int failures = 0;
int rank = 0, size = 1;

void expect(bool holds, const char* what) {
    if (holds)
        return;
    ++failures;
    std::fprintf(stderr, "rank %d, wrong: %s; last error: %s\n", rank, what, alltold_last_error());
}

/// What a call of this shape runs with.
Parameters parameters(MPI_Comm comm, Collective collective, std::uint64_t size_bytes) {
    int code = MPI_SUCCESS;
    const auto recipe =
        CommunicatorState::of(comm, code)->recipe_for({collective, 0, size_bytes, {}});
    expect(static_cast<bool>(recipe), "a recipe");
    return recipe ? recipe->choice.parameters : Parameters{};
}

void exchange(MPI_Comm comm, int count) {
    const auto items = static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
    std::vector<int> send, receive(items, -1);
    for (int i = 0; i < size; ++i)
        send.insert(send.end(), static_cast<std::size_t>(count), 100 * rank + i);
    expect(alltold_alltoall(send.data(), count, MPI_INT, receive.data(), count, MPI_INT, comm) ==
               MPI_SUCCESS,
           "all-to-all");
    for (std::size_t i = 0; i < items; ++i)
        if (receive[i] != 100 * (static_cast<int>(i) / count) + rank)
            return expect(false, "what the all-to-all brings");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    expect(alltold_set_algorithm(comm, "alltoall.paced") == MPI_SUCCESS, "paced");
    const auto large = parameters(comm, Collective::alltoall, 65536);
    expect(large.segment_bytes == default_segment_bytes && large.window == default_window,
           "paced without parameters is paced");
    expect(parameters(comm, Collective::alltoallv, 0).window == default_window,
           "paced is paced for an all-to-all-v");
    expect(parameters(comm, Collective::alltoall, 64).window == 0, "small blocks go at once");
    exchange(comm, 16384);
    exchange(comm, 16);
    alltold_set_algorithm(comm, "alltoall.paced window=2");
    expect(parameters(comm, Collective::alltoall, 65536).window == 2, "a window given stays");
    expect(alltold_set_algorithm(comm, "bcast.chain_segmented") == MPI_SUCCESS,
           "a segment may be left open");
    expect(parameters(comm, Collective::bcast, 65536).segment_bytes == default_segment_bytes,
           "a segment that was left open");
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failures ? 1 : 0;
}
