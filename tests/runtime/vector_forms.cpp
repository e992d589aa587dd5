// SPDX-License-Identifier: BSD-3-Clause
// Vector forms through the C interface: when they run ours, and sizes that do not match between
// ranks, which are errors and no hangs.
#include <cstdio>
#include <vector>

#include <mpi.h>

#include "checks.hpp"
#include "runtime/communicator_state.hpp"

using namespace alltold;

namespace {

bool chosen() {
    const auto mine = CommunicatorState::of(comm);
    return mine && (*mine)->choices().chosen(Collective::alltoallv);
}

/// What runs by default for an all-to-all-v was not chosen for the others.
void choices() {
    expect(!chosen(), "nothing is chosen");
    alltold_set_algorithm(comm, "allgather.ring");
    expect(!chosen(), "nothing is chosen for all-to-all-v");
    alltold_set_algorithm(comm, "alltoall.pairwise");
    expect(chosen(), "pairwise is chosen");
}

/// Completes what was started.
int finish(int code, alltold_request& request) {
    return code == MPI_SUCCESS ? alltold_wait(&request) : code;
}

/// The root makes room for one int of each rank, of which the last sends `sent`.
int gatherv(int sent, bool blocking) {
    const std::vector<int> send(static_cast<std::size_t>(sent), rank);
    std::vector<int> all(static_cast<std::size_t>(ranks), -1), ones(all.size(), 1), places;
    for (int i = 0; i < ranks; ++i)
        places.push_back(i);
    const int mine = rank + 1 == ranks ? sent : 1;
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        blocking ? alltold_gatherv(send.data(), mine, MPI_INT, all.data(), ones.data(),
                                   places.data(), MPI_INT, 0, comm)
                 : finish(alltold_igatherv(send.data(), mine, MPI_INT, all.data(), ones.data(),
                                           places.data(), MPI_INT, 0, comm, &request),
                          request);
    expect(rank > 0 || sent > 1 || all == places, "what a gatherv brings");
    return class_of(code);
}

/// The root has `sent` ints for the last rank, which makes room for one, and one for the others.
int scatterv(int sent, bool blocking) {
    std::vector<int> counts(static_cast<std::size_t>(ranks), 1), places, send;
    counts.back() = sent;
    for (int i = 0; i < ranks; ++i) {
        places.push_back(i);
        send.push_back(i);
    }
    send.resize(send.size() + static_cast<std::size_t>(sent));
    int got = -1;
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code = blocking
                         ? alltold_scatterv(send.data(), counts.data(), places.data(), MPI_INT,
                                            &got, 1, MPI_INT, 0, comm)
                         : finish(alltold_iscatterv(send.data(), counts.data(), places.data(),
                                                    MPI_INT, &got, 1, MPI_INT, 0, comm, &request),
                                  request);
    expect(got == rank || sent > 1, "what a scatterv brings");
    return class_of(code);
}

/// Whoever makes too little room is told; the next call works.
void mismatches(const char* algorithm) {
    expect(alltold_set_algorithm(comm, algorithm) == MPI_SUCCESS, algorithm);
    for (const bool blocking : {true, false}) {
        const int gathered = gatherv(2, blocking);
        expect(rank > 0 || gathered == MPI_ERR_TRUNCATE, "gatherv of too large a block");
        expect(gatherv(1, blocking) == MPI_SUCCESS, "gatherv after that");
        const int scattered = scatterv(2, blocking);
        expect(rank + 1 < ranks || scattered == MPI_ERR_TRUNCATE, "scatterv of too large a block");
        expect(scatterv(1, blocking) == MPI_SUCCESS, "scatterv after that");
    }
}

/// A rank's block for itself has one size; nothing is sent.
void own_block() {
    const std::vector<int> twos(static_cast<std::size_t>(ranks), 2), ones(twos.size(), 1),
        zeros(twos.size(), 0);
    const std::vector<MPI_Datatype> types(twos.size(), MPI_INT);
    int a[2] = {}, b[2] = {};
    expect(class_of(alltold_alltoallv(a, twos.data(), zeros.data(), MPI_INT, b, ones.data(),
                                      zeros.data(), MPI_INT, comm)) == MPI_ERR_TRUNCATE,
           "alltoallv with a block for itself of two sizes");
    expect(class_of(alltold_alltoallw(a, twos.data(), zeros.data(), types.data(), b, ones.data(),
                                      zeros.data(), types.data(), comm)) == MPI_ERR_TRUNCATE,
           "alltoallw with a block for itself of two sizes");
}

/// No one looks at the types of empty blocks, nor at the arguments of the side that is not there.
void unused_arguments() {
    const std::vector<int> zeros(static_cast<std::size_t>(ranks), 0);
    const std::vector<MPI_Datatype> none(zeros.size(), MPI_DATATYPE_NULL);
    expect(alltold_alltoallw(nullptr, zeros.data(), zeros.data(), none.data(), nullptr,
                             zeros.data(), zeros.data(), none.data(), comm) == MPI_SUCCESS,
           "alltoallw of nothing");
    std::vector<int> all(zeros.size(), -1), ones(zeros.size(), 1), places = zeros;
    for (int i = 0; i < ranks; ++i)
        places[static_cast<std::size_t>(i)] = i;
    const bool is_root = rank == ranks - 1;
    expect(alltold_gatherv(&rank, 1, MPI_INT, is_root ? all.data() : nullptr,
                           is_root ? ones.data() : nullptr, is_root ? places.data() : nullptr,
                           is_root ? MPI_INT : MPI_DATATYPE_NULL, ranks - 1, comm) == MPI_SUCCESS,
           "gatherv with a receiving side at the root alone");
    expect(!is_root || all == places, "and what it brings");
}

} // namespace

int main(int argc, char** argv) {
    return run_checks(argc, argv, [] {
        choices();
        alltold_set_cluster(comm, rank % 2);
        for (const char* algorithm :
             {"alltoall.pairwise", "alltoall.direct", "alltoall.rotated window=2", "alltoall.lg"}) {
            mismatches(algorithm);
            own_block();
            unused_arguments();
        }
    });
}
