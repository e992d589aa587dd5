// SPDX-License-Identifier: BSD-3-Clause
// Algorithm auto: rules of rank 0 hold for all ranks, ours and the library's own take turns by
// size, and results are right either way.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"

namespace {

int failures = 0;
int rank = 0, size = 1;

void expect(bool holds, const char* what) {
    if (holds)
        return;
    ++failures;
    std::fprintf(stderr, "rank %d, wrong: %s; last error: %s\n", rank, what, alltold_last_error());
}

/// Rank r sends base + 100 r + i to rank i, `count` times.
void exchange(MPI_Comm comm, int base, int count, bool blocking) {
    const auto items = static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
    std::vector<int> send, receive(items, -1);
    for (int i = 0; i < size; ++i)
        send.insert(send.end(), static_cast<std::size_t>(count), base + 100 * rank + i);
    if (blocking) {
        alltold_alltoall(send.data(), count, MPI_INT, receive.data(), count, MPI_INT, comm);
    } else {
        alltold_request request = ALLTOLD_REQUEST_NULL;
        alltold_ialltoall(send.data(), count, MPI_INT, receive.data(), count, MPI_INT, comm,
                          &request);
        int done = 0;
        while (!done)
            alltold_test(&request, &done);
        expect(request == ALLTOLD_REQUEST_NULL, "request freed");
    }
    for (std::size_t i = 0; i < items; ++i)
        expect(receive[i] == base + 100 * (static_cast<int>(i) / count) + rank, "all-to-all");
}

void vectors(MPI_Comm comm, bool blocking) {
    const auto ranks = static_cast<std::size_t>(size);
    std::vector<int> counts(ranks, 1), places, send, receive(ranks, -1);
    for (int i = 0; i < size; ++i) {
        places.push_back(i);
        send.push_back(10 * rank + i);
    }
    alltold_request request = ALLTOLD_REQUEST_NULL;
    if (blocking)
        alltold_alltoallv(send.data(), counts.data(), places.data(), MPI_INT, receive.data(),
                          counts.data(), places.data(), MPI_INT, comm);
    else
        alltold_ialltoallv(send.data(), counts.data(), places.data(), MPI_INT, receive.data(),
                           counts.data(), places.data(), MPI_INT, comm, &request);
    alltold_wait(&request);
    for (int i = 0; i < size; ++i)
        expect(receive[static_cast<std::size_t>(i)] == 10 * i + rank, "all-to-all-v");
}

void rooted(MPI_Comm comm, int root, int value, bool blocking) {
    alltold_request request[3] = {};
    std::vector<int> many(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i)
        many[static_cast<std::size_t>(i)] = value + i;
    int one = rank == root ? value : -1, own = -1;
    std::vector<int> gathered(static_cast<std::size_t>(size), -1);
    if (blocking) {
        alltold_bcast(&one, 1, MPI_INT, root, comm);
        alltold_scatter(many.data(), 1, MPI_INT, &own, 1, MPI_INT, root, comm);
        alltold_gather(&rank, 1, MPI_INT, gathered.data(), 1, MPI_INT, root, comm);
    } else {
        alltold_ibcast(&one, 1, MPI_INT, root, comm, &request[0]);
        alltold_iscatter(many.data(), 1, MPI_INT, &own, 1, MPI_INT, root, comm, &request[1]);
        alltold_igather(&rank, 1, MPI_INT, gathered.data(), 1, MPI_INT, root, comm, &request[2]);
        for (auto& each : request)
            alltold_wait(&each);
    }
    expect(one == value, "bcast");
    expect(own == value + rank, "scatter");
    for (int i = 0; rank == root && i < size; ++i)
        expect(gathered[static_cast<std::size_t>(i)] == i, "gather");
}

void all(MPI_Comm comm, int base) {
    for (const bool blocking : {true, false}) {
        for (const int count : {1, 1, 64, 1}) // below and from 64 bytes on: the library's and ours
            exchange(comm, base, count, blocking);
        vectors(comm, blocking);
        for (int root = 0; root < size; ++root)
            rooted(comm, root, base + 7 * root, blocking);
    }
}

/// Rules, a profile or a file of them: `argument` is what the environment of rank 0 names. With
/// `refusal` they must be refused with a message that holds it, which every rank knows.
void run(const char* kind, const char* argument, const char* refusal) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    // The other ranks' environment must not matter.
    if (rank == 0)
        ::setenv(kind, argument, 1);
    else
        ::setenv("ALLTOLD_RULES", "no = rules", 1);
    const int code = alltold_set_algorithm(comm, "auto");
    if (refusal) {
        expect(code != MPI_SUCCESS, "accepted what must be refused");
        expect(std::strstr(alltold_last_error(), refusal) != nullptr, refusal);
    } else {
        expect(code == MPI_SUCCESS, "auto");
        all(comm, 1);
        alltold_set_cluster(comm, -rank); // every rank its own cluster, in reverse order
        all(comm, 2);
        alltold_set_algorithm(comm, "alltoall.bruck");
        all(comm, 3);
        alltold_set_algorithm(comm, "mpi");
        all(comm, 4);
        expect(alltold_set_algorithm(comm, "auto") == MPI_SUCCESS, "auto again");
        all(comm, 5);
        MPI_Comm half = MPI_COMM_NULL;
        MPI_Comm_split(comm, 0, -rank, &half); // another rank 0, whose rules differ
        MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
        if (size > 1)
            expect(alltold_set_algorithm(half, "auto") != MPI_SUCCESS, "rules of rank 0 of comm");
        MPI_Comm_free(&half);
    }
    MPI_Comm_free(&comm);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 4 && std::strcmp(argv[3], "right") == 0)
        run(argv[1], argv[2], nullptr);
    else if (argc == 5 && std::strcmp(argv[3], "refused") == 0)
        run(argv[1], argv[2], argv[4]);
    else
        expect(false, "usage: auto_rules VARIABLE VALUE right|refused [MESSAGE]");
    MPI_Finalize();
    return failures ? 1 : 0;
}
