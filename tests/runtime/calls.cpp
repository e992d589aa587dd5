// SPDX-License-Identifier: BSD-3-Clause
// Calls through the C interface on two or more ranks: what is refused, and calls that repeat one
// another with something changed.
#include <cstdio>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
    if (holds)
        return;
    ++failures;
    std::fprintf(stderr, "wrong: %s\n", what);
}

int class_of(int code) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    return error_class;
}

/// Refused arguments send nothing, so a rank may be alone in passing them.
void refuses(int rank, MPI_Comm comm) {
    std::vector<int> a(64), b(64);
    const auto counts = [&](int code, const char* what) {
        expect(class_of(code) == MPI_ERR_COUNT, what);
    };
    if (rank == 0) {
        counts(alltold_scatter(a.data(), -1, MPI_INT, b.data(), 1, MPI_INT, 0, comm),
               "scatter, negative sendcount at the root");
        counts(alltold_scatter(a.data(), 1, MPI_INT, b.data(), -1, MPI_INT, 0, comm),
               "scatter, negative recvcount at the root");
        counts(alltold_gather(a.data(), -1, MPI_INT, b.data(), 1, MPI_INT, 0, comm),
               "gather, negative sendcount at the root");
        counts(alltold_gather(a.data(), 1, MPI_INT, b.data(), -1, MPI_INT, 0, comm),
               "gather, negative recvcount at the root");
    }
    counts(alltold_alltoall(a.data(), -1, MPI_INT, b.data(), 1, MPI_INT, comm),
           "alltoall, negative sendcount");
    counts(alltold_bcast(a.data(), -1, MPI_INT, 0, comm), "bcast, negative count");
    expect(class_of(alltold_bcast(a.data(), 1, MPI_INT, -1, comm)) == MPI_ERR_ROOT,
           "bcast, root -1");
    expect(class_of(alltold_alltoall(a.data(), 2, MPI_INT, b.data(), 1, MPI_INT, comm)) ==
               MPI_ERR_TRUNCATE,
           "alltoall, sides of different size");
}

/// An all-to-all of one int in which rank r sends base + 100 r + i to rank i.
void exchange(int rank, int size, MPI_Comm comm, int base, bool in_place, const char* what) {
    std::vector<int> send, receive(static_cast<std::size_t>(size), -1);
    for (int i = 0; i < size; ++i)
        send.push_back(base + 100 * rank + i);
    if (in_place)
        receive = send;
    alltold_alltoall(in_place ? MPI_IN_PLACE : send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT,
                     comm);
    for (int i = 0; i < size; ++i)
        expect(receive[static_cast<std::size_t>(i)] == base + 100 * i + rank, what);
}

void broadcast(int rank, MPI_Comm comm, int root, int value, MPI_Datatype type, const char* what) {
    int data[4] = {0, 0, 0, 0};
    if (rank == root)
        data[0] = data[1] = data[2] = data[3] = value;
    alltold_bcast(data, 2, type, root, comm);
    expect(data[0] == value, what);
}

/// A type of the same size and count as the one freed before may get its handle.
void changing_types(int rank, MPI_Comm comm) {
    for (int gap = 1; gap < 4; ++gap) {
        MPI_Datatype apart = MPI_DATATYPE_NULL;
        MPI_Type_create_resized(MPI_INT, 0, static_cast<MPI_Aint>(sizeof(int)) * gap, &apart);
        MPI_Type_commit(&apart);
        int data[8] = {};
        if (rank == 0)
            data[0] = data[gap] = gap;
        alltold_bcast(data, 2, apart, 0, comm);
        expect(data[0] == gap && data[gap] == gap, "a type with gaps");
        MPI_Type_free(&apart);
    }
}

/// MPI promises 32,767 tags, but says how many there are on MPI_COMM_WORLD alone: asked of any
/// other communicator there seem to be no more, and 511 for a call.
void many_messages(int rank, int size, MPI_Comm comm) {
    constexpr int messages = 700;
    std::vector<int> data(messages, -1);
    if (rank == 0)
        for (int i = 0; i < messages; ++i)
            data[static_cast<std::size_t>(i)] = i;
    alltold_set_algorithm(comm, "bcast.chain_segmented segment=4");
    expect(alltold_bcast(data.data(), messages, MPI_INT, 0, comm) == MPI_SUCCESS,
           "700 messages between two ranks in one call");
    bool right = true;
    for (int i = 0; i < messages; ++i)
        right = right && data[static_cast<std::size_t>(i)] == i;
    expect(right || size == 1, "what 700 messages bring");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    refuses(rank, comm);
    exchange(rank, size, comm, 1, false, "first call");
    exchange(rank, size, comm, 2, false, "same call, other buffers");
    exchange(rank, size, comm, 3, true, "in place after a plain one");
    exchange(rank, size, comm, 4, false, "plain again");
    alltold_set_algorithm(comm, "alltoall.bruck");
    exchange(rank, size, comm, 5, false, "another algorithm");
    alltold_set_cluster(comm, -rank);
    exchange(rank, size, comm, 6, false, "ranks renumbered");
    exchange(rank, size, comm, 7, false, "ranks renumbered, again");
    for (int value = 1; value < 5; ++value)
        broadcast(rank, comm, value % size, value, MPI_INT, "another root each time");
    broadcast(rank, comm, 0, 8, MPI_INT, "same root");
    broadcast(rank, comm, 0, 9, MPI_INT, "same root again");
    broadcast(rank, comm, 0, 10, MPI_2INT, "another type");
    changing_types(rank, comm);
    many_messages(rank, size, comm);
    refuses(rank, comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failures ? 1 : 0;
}
