// SPDX-License-Identifier: BSD-3-Clause
// Calls that are open at once: ranks complete them in different orders, make blocking calls before
// they do, and free what is no longer needed. Persistent calls start in different orders as well.
#include <algorithm>
#include <vector>

#include <mpi.h>

#include "checks.hpp"

namespace {

constexpr int items = 5000; // of a block: more than eager messages hold

/// An all-to-all in which rank r sends items first + 100 r + i to rank i.
struct Exchange {
    std::vector<int> send, receive;
    alltold_request request = ALLTOLD_REQUEST_NULL;
    int first = 0;

    /// Leaves the buffers where they are once they are there.
    void fill(int first_item) {
        const auto ints = static_cast<std::size_t>(items) * static_cast<std::size_t>(ranks);
        first = first_item;
        send.resize(ints);
        receive.assign(ints, -1);
        for (std::size_t i = 0; i < ints; ++i)
            send[i] = first + 100 * rank + static_cast<int>(i) / items;
    }
    void start(int first_item, MPI_Comm over = comm) {
        fill(first_item);
        expect(alltold_ialltoall(send.data(), items, MPI_INT, receive.data(), items, MPI_INT, over,
                                 &request) == MPI_SUCCESS,
               "start");
    }
    void check(const char* what) const {
        bool right = true;
        for (std::size_t i = 0; i < receive.size(); ++i)
            right = right && receive[i] == first + 100 * (static_cast<int>(i) / items) + rank;
        expect(right, what);
    }
    void complete(bool polls, const char* what) {
        if (!polls)
            expect(alltold_wait(&request) == MPI_SUCCESS, what);
        for (int done = 0; polls && !done;)
            expect(alltold_test(&request, &done) == MPI_SUCCESS, what);
        expect(!request, what);
        check(what);
    }
};

void completed_in_other_orders(bool polls) {
    Exchange one, other;
    one.start(1000);
    other.start(2000);
    (rank % 2 ? other : one).complete(polls, "the first of two");
    (rank % 2 ? one : other).complete(polls, "the second of two");
}

/// Odd ranks wait before blocking calls by alltold's algorithm and the library's, even ones after.
void blocking_calls_between() {
    Exchange exchange;
    exchange.start(3000);
    if (rank % 2)
        exchange.complete(false, "before a blocking call");
    const int root = 1 % ranks;
    int value = rank == root ? 7 : 0, sum = 0;
    expect(alltold_bcast(&value, 1, MPI_INT, root, comm) == MPI_SUCCESS && value == 7,
           "bcast while an all-to-all is open");
    if (rank % 2 == 0)
        exchange.complete(false, "after a blocking call");
    exchange.start(4000);
    if (rank % 2)
        exchange.complete(false, "before the library's own");
    expect(alltold_allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS &&
               sum == 7 * ranks,
           "allreduce while an all-to-all is open");
    if (rank % 2 == 0)
        exchange.complete(false, "after the library's own");
}

void changed_and_freed() {
    Exchange exchange;
    exchange.start(5000);
    alltold_set_cluster(comm, rank % 2);
    exchange.complete(false, "clusters set while it is open");
    alltold_set_cluster(comm, 0);
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &own);
    alltold_set_algorithm(own, "alltoall.rotated window=1");
    exchange.start(6000, own);
    MPI_Comm_free(&own);
    exchange.complete(false, "a communicator freed while it is open");
}

void persistent_calls() {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &own);
    alltold_set_algorithm(own, "alltoall.rotated window=1");
    alltold_set_cluster(own, rank % 2);
    Exchange exchange;
    exchange.fill(0);
    std::vector<int> message(items);
    int value = 0, sum = 0;
    alltold_request requests[3] = {};
    expect(alltold_alltoall_init(exchange.send.data(), items, MPI_INT, exchange.receive.data(),
                                 items, MPI_INT, own, MPI_INFO_NULL, &requests[0]) == MPI_SUCCESS,
           "init of an alltoall");
    expect(alltold_bcast_init(message.data(), items, MPI_INT, 0, own, MPI_INFO_NULL,
                              &requests[1]) == MPI_SUCCESS,
           "init of a bcast");
    expect(alltold_allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, own, MPI_INFO_NULL,
                                  &requests[2]) == MPI_SUCCESS,
           "init of an allreduce");
    alltold_set_algorithm(own, "mpi"); // for later inits
    for (int cycle = 0; cycle < 4; ++cycle) {
        exchange.fill(10000 * cycle);
        std::fill(message.begin(), message.end(), rank == 0 ? cycle : -1);
        value = rank + cycle;
        for (int i = 0; i < 3; ++i)
            expect(alltold_start(&requests[(rank + cycle + i) % 3]) == MPI_SUCCESS, "start");
        if (cycle == 1) {
            expect(class_of(alltold_start(&requests[0])) == MPI_ERR_REQUEST, "started twice");
            expect(class_of(alltold_request_free(&requests[0])) == MPI_ERR_REQUEST,
                   "freed while it is active");
            MPI_Comm_free(&own);
        }
        for (int i = 0; i < 3; ++i)
            expect(alltold_wait(&requests[(2 * rank + i) % 3]) == MPI_SUCCESS, "wait");
        exchange.check("what a persistent alltoall brings");
        expect(std::all_of(message.begin(), message.end(), [&](int one) { return one == cycle; }),
               "what a persistent bcast brings");
        expect(sum == ranks * (ranks - 1) / 2 + ranks * cycle, "the sum of a persistent allreduce");
    }
    int done = 0;
    expect(alltold_test(&requests[0], &done) == MPI_SUCCESS && done, "test of an inactive one");
    expect(alltold_wait(&requests[0]) == MPI_SUCCESS && requests[0], "wait for an inactive one");
    for (auto& request : requests)
        expect(alltold_request_free(&request) == MPI_SUCCESS && !request, "free");
    expect(class_of(alltold_start(&requests[0])) == MPI_ERR_REQUEST, "start of no request");
}

} // namespace

int main(int argc, char** argv) {
    return run_checks(argc, argv, [] {
        for (const char* algorithm : {"alltoall.pairwise", "alltoall.rotated window=1"}) {
            expect(alltold_set_algorithm(comm, algorithm) == MPI_SUCCESS, algorithm);
            completed_in_other_orders(false);
            completed_in_other_orders(true);
            blocking_calls_between();
            changed_and_freed();
            persistent_calls();
        }
    });
}
