// SPDX-License-Identifier: BSD-3-Clause
// All-to-all-v by LG on five ranks in clusters of two and three: rank 1 passes on the block 0->3,
// whose size changes from call to call while all that rank 1 itself sends and receives stays.
#include <cstdio>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"

namespace {

constexpr int ranks = 5;

/// One rank's side of an exchange in which 0->3 has `varied` ints and every other block three.
struct Exchange {
    Exchange(int me, int varied, int base) : rank(me), first(base) {
        for (int peer = 0; peer < ranks; ++peer) {
            send_places.push_back(static_cast<int>(send.size()));
            send_counts.push_back(rank == 0 && peer == 3 ? varied : 3);
            send.insert(send.end(), static_cast<std::size_t>(send_counts.back()),
                        value(rank, peer));
            receive_places.push_back(static_cast<int>(receive.size()));
            receive_counts.push_back(rank == 3 && peer == 0 ? varied : 3);
            receive.resize(receive.size() + static_cast<std::size_t>(receive_counts.back()), -1);
        }
    }
    int value(int from, int to) const { return first + 10 * from + to; }
    bool right() const {
        std::vector<int> wanted;
        for (int peer = 0; peer < ranks; ++peer)
            wanted.insert(wanted.end(),
                          static_cast<std::size_t>(receive_counts[static_cast<std::size_t>(peer)]),
                          value(peer, rank));
        return receive == wanted;
    }
    int start(MPI_Comm comm, alltold_request* request) {
        return alltold_ialltoallv(send.data(), send_counts.data(), send_places.data(), MPI_INT,
                                  receive.data(), receive_counts.data(), receive_places.data(),
                                  MPI_INT, comm, request);
    }
    int run(MPI_Comm comm) {
        return alltold_alltoallv(send.data(), send_counts.data(), send_places.data(), MPI_INT,
                                 receive.data(), receive_counts.data(), receive_places.data(),
                                 MPI_INT, comm);
    }

    int rank, first;
    std::vector<int> send, receive;
    std::vector<int> send_counts, send_places, receive_counts, receive_places;
};

int failures = 0;

void expect(bool holds, const char* what, int rank) {
    failures += !holds;
    if (!holds)
        std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
}

void blocking(int rank, MPI_Comm comm) {
    for (const int varied : {5, 9, 0, 5}) {
        Exchange exchange(rank, varied, 100 * varied);
        expect(exchange.run(comm) == MPI_SUCCESS && exchange.right(), "blocking", rank);
    }
}

/// Two under way at once, ended in the other order, and begun before a message that a rank waits
/// for between: starting must not wait for the others.
void nonblocking(int rank, MPI_Comm comm) {
    Exchange one(rank, 4, 1000), two(rank, 7, 2000);
    alltold_request requests[2] = {ALLTOLD_REQUEST_NULL, ALLTOLD_REQUEST_NULL};
    int token = 0;
    if (rank == 0) {
        one.start(comm, &requests[0]);
        MPI_Send(&token, 1, MPI_INT, 1, 0, comm);
    } else {
        if (rank == 1)
            MPI_Recv(&token, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
        one.start(comm, &requests[0]);
    }
    two.start(comm, &requests[1]);
    // What is chosen meanwhile is for later calls.
    alltold_set_algorithm(comm, "alltoall.pairwise");
    int flag = 0;
    while (!flag) {
        alltold_test(&requests[0], &flag);
        int other = 0;
        if (requests[1])
            alltold_test(&requests[1], &other);
    }
    expect(alltold_wait(&requests[1]) == MPI_SUCCESS, "wait", rank);
    expect(one.right() && two.right(), "nonblocking", rank);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int sizes[] = {2, 3};
    expect(size == ranks, "number of ranks", rank);
    expect(alltold_set_clusters(MPI_COMM_WORLD, 2, sizes) == MPI_SUCCESS, "clusters", rank);
    expect(alltold_set_algorithm(MPI_COMM_WORLD, "alltoall.lg") == MPI_SUCCESS, "choice", rank);
    if (failures == 0) {
        blocking(rank, MPI_COMM_WORLD);
        nonblocking(rank, MPI_COMM_WORLD);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures ? 1 : 0;
}
