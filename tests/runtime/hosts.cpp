// SPDX-License-Identifier: BSD-3-Clause
// What a communicator knows of hosts: those of MPI's processes, or what the program says.
#include <cstdio>
#include <string>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "runtime/communicator_state.hpp"
#include "runtime/mpi/hosts.hpp"

using namespace alltold;

namespace {

int failures = 0;
int rank = 0, size = 1;

void expect(bool holds, const std::string& what) {
    if (holds)
        return;
    ++failures;
    std::fprintf(stderr, "rank %d, wrong: %s; last error: %s\n", rank, what.c_str(),
                 alltold_last_error());
}

std::string clusters_of(MPI_Comm comm) {
    const auto mine = CommunicatorState::of(comm);
    return mine ? (*mine)->choices().clusters().text() : mine.error().message;
}

std::vector<int> order_of(MPI_Comm comm) {
    const auto order = (*CommunicatorState::of(comm))->order();
    return {order.begin(), order.end()};
}

void exchange(MPI_Comm comm, const char* algorithm) {
    expect(alltold_set_algorithm(comm, algorithm) == MPI_SUCCESS, algorithm);
    std::vector<int> send, receive(static_cast<std::size_t>(size), -1);
    for (int i = 0; i < size; ++i)
        send.push_back(100 * rank + i);
    expect(alltold_alltoall(send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT, comm) ==
               MPI_SUCCESS,
           "all-to-all");
    for (int i = 0; i < size; ++i)
        expect(receive[static_cast<std::size_t>(i)] == 100 * i + rank, "what it brings");
}

/// All processes of this test run on one host.
void found(MPI_Comm comm) {
    const auto hosts = mpi::hosts_of(comm);
    expect(hosts && *hosts == std::vector<int>(static_cast<std::size_t>(size)), "hosts by name");
    expect(clusters_of(comm) == "1x" + std::to_string(size), "one host with all ranks");
    expect(order_of(comm).empty(), "ranks in place");
}

/// Five ranks on hosts of three and two, by node, then clusters that keep them.
void said(MPI_Comm comm) {
    expect(alltold_set_host(comm, rank % 2 == 0 ? 9 : 3) == MPI_SUCCESS, "hosts");
    expect(clusters_of(comm) == "1x3/1x2", "two hosts");
    expect(order_of(comm) == std::vector{0, 2, 4, 1, 3}, "neighbours on a host");
    exchange(comm, "alltoall.rotated");
    const int sizes[] = {3, 2};
    expect(alltold_set_clusters(comm, 2, sizes) == MPI_SUCCESS, "clusters");
    expect(clusters_of(comm) == "1x2/1+2", "hosts within clusters");
    exchange(comm, "alltoall.lg");
    expect(alltold_set_cluster(comm, rank % 2) == MPI_SUCCESS, "clusters by rank");
    expect(clusters_of(comm) == "1x3+1x2", "a host in each cluster");
    exchange(comm, "alltoall.lg");
    expect(alltold_set_host(comm, rank) == MPI_SUCCESS, "hosts again");
    expect(clusters_of(comm) == "3+2", "one rank on each host");
    exchange(comm, "alltoall.lg");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    found(comm);
    if (size == 5)
        said(comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failures ? 1 : 0;
}
