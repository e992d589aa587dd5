// SPDX-License-Identifier: BSD-3-Clause
// Parameters that a call through the C interface leaves open are filled in: from bytes, or from the
// links of rank 0's profile. A profile that cannot be read is refused.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "predict/rules/rule.hpp"
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
    const auto mine = CommunicatorState::of(comm);
    expect(static_cast<bool>(mine), "a communicator's state");
    const auto recipe = (*mine)->recipe_for({collective, 0, size_bytes, {}});
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

void from_bytes(MPI_Comm comm) {
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
}

/// The links are those of links.json.
void from_links(MPI_Comm comm) {
    Network network;
    network.links.emplace();
    network.links->port = {6e6, 5e-5, 32768};
    network.links->backbone = Link{9e6, 0.01, 262144};
    const auto paced = parse_choice("alltoall.paced");
    expect(alltold_set_algorithm(comm, "alltoall.paced") == MPI_SUCCESS, "paced");
    for (const auto& clusters : {Clusters({size}), Clusters({1, size - 1})}) {
        const int sizes[] = {1, size - 1};
        if (clusters.count() > 1)
            expect(alltold_set_clusters(comm, 2, sizes) == MPI_SUCCESS, "clusters");
        const auto found = parameters(comm, Collective::alltoall, 65536);
        const auto right =
            resolve({Collective::alltoall, clusters, 65536}, &network, {.choice = *paced});
        const auto by_bytes =
            resolve({Collective::alltoall, clusters, 65536}, nullptr, {.choice = *paced});
        expect(found.segment_bytes == right->parameters.segment_bytes &&
                   found.window == right->parameters.window &&
                   found.inter_cluster_window == right->parameters.inter_cluster_window,
               "parameters as the links want them");
        expect(found.segment_bytes != by_bytes->parameters.segment_bytes, "not those from bytes");
        exchange(comm, 16384);
    }
}

/// The calls of before go on.
void refused(MPI_Comm comm, const char* file) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(alltold_set_algorithm(comm, "alltoall.paced"), &error_class);
    expect(error_class == MPI_ERR_ARG, "accepted an unreadable profile");
    expect(std::strstr(alltold_last_error(), file) != nullptr, "the error names the profile");
    exchange(comm, 16);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    // resolved bytes|links|refused [PROFILE]; the profile is known to rank 0 alone
    if (argc == 3 && rank == 0)
        ::setenv("ALLTOLD_PROFILE", argv[2], 1);
    alltold_set_host(comm, rank); // the profile is of a network, which is not within a host
    const std::string_view from = argc > 1 ? argv[1] : "";
    if (from == "bytes")
        from_bytes(comm);
    else if (from == "links")
        from_links(comm);
    else if (from == "refused" && argc == 3)
        refused(comm, argv[2]);
    else
        expect(false, "usage: resolved bytes|links|refused [PROFILE]");
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failures ? 1 : 0;
}
