// SPDX-License-Identifier: BSD-3-Clause
// The overhead of running a schedule instead of the same algorithm as hand-written MPI calls.
//
// Run under mpirun with 2 to 8 ranks. Both alternate within one run, so that
// disturbances of the machine affect both.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "timing.hpp"

using alltold_bench::median;

namespace {

struct World {
    int rank = 0;
    int size = 1;
    MPI_Comm by_hand = MPI_COMM_NULL; ///< a communicator of its own, as ours has
};

using Bytes = std::vector<char>;

void copy_own(const World& world, const Bytes& send, Bytes& receive, int m) {
    const auto own = std::ptrdiff_t{world.rank} * m;
    std::copy_n(send.data() + own, m, receive.data() + own);
}

void pairwise(const World& world, const Bytes& send, Bytes& receive, int m) {
    // With a power of two of ranks partners swap, as everyone who writes it by hand does it.
    const bool swap = (world.size & (world.size - 1)) == 0;
    for (int step = 1; step < world.size; ++step) {
        const int to = swap ? world.rank ^ step : (world.rank + step) % world.size;
        const int from = swap ? to : (world.rank - step + world.size) % world.size;
        MPI_Sendrecv(send.data() + std::ptrdiff_t{to} * m, m, MPI_BYTE, to, 0,
                     receive.data() + std::ptrdiff_t{from} * m, m, MPI_BYTE, from, 0, world.by_hand,
                     MPI_STATUS_IGNORE);
    }
    copy_own(world, send, receive, m);
}

void rotated(const World& world, const Bytes& send, Bytes& receive, int m) {
    copy_own(world, send, receive, m);
    std::vector<MPI_Request> requests;
    for (int step = 1; step < world.size; ++step) {
        const int from = (world.rank - step + world.size) % world.size;
        MPI_Irecv(receive.data() + std::ptrdiff_t{from} * m, m, MPI_BYTE, from, 0, world.by_hand,
                  &requests.emplace_back());
    }
    for (int step = 1; step < world.size; ++step) {
        const int to = (world.rank + step) % world.size;
        MPI_Isend(send.data() + std::ptrdiff_t{to} * m, m, MPI_BYTE, to, 0, world.by_hand,
                  &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void binomial(const World& world, Bytes& buffer, int m) {
    int mask = 1;
    for (; mask < world.size; mask <<= 1) {
        if (world.rank & mask) {
            MPI_Recv(buffer.data(), m, MPI_BYTE, world.rank - mask, 0, world.by_hand,
                     MPI_STATUS_IGNORE);
            break;
        }
    }
    for (mask >>= 1; mask > 0; mask >>= 1)
        if (world.rank + mask < world.size)
            MPI_Send(buffer.data(), m, MPI_BYTE, world.rank + mask, 0, world.by_hand);
}

/// The rank that a binomial broadcast reaches last tells the root. Without that a row of broadcasts
/// would time how fast the root can post, not how long one takes.
void answer(const World& world) {
    char nothing = 0;
    if (world.rank == world.size - 1)
        MPI_Send(&nothing, 0, MPI_BYTE, 0, 1, world.by_hand);
    if (world.rank == 0)
        MPI_Recv(&nothing, 0, MPI_BYTE, world.size - 1, 1, world.by_hand, MPI_STATUS_IGNORE);
}

/// Seconds per call of the slowest rank, for `calls` calls in a row after a barrier.
double timed(int calls, const std::function<void()>& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    for (int i = 0; i < calls; ++i)
        call();
    double took_s = (MPI_Wtime() - start_s) / calls;
    MPI_Allreduce(MPI_IN_PLACE, &took_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return took_s;
}

void compare(const World& world, const char* name, int m, const std::function<void()>& ours,
             const std::function<void()>& by_hand) {
    constexpr double budget_s = 1.0;
    const double once_s = timed(3, by_hand) + timed(3, ours);
    const int calls = std::clamp(static_cast<int>(2e-3 / once_s), 1, 200);
    const int turns = std::clamp(static_cast<int>(budget_s / (once_s * calls)), 15, 301);
    std::vector<double> ours_s, by_hand_s, ratio;
    for (int turn = 0; turn < turns; ++turn) {
        // Who goes first changes every turn: the second finds warmer caches.
        if (turn % 2)
            ours_s.push_back(timed(calls, ours));
        by_hand_s.push_back(timed(calls, by_hand));
        if (turn % 2 == 0)
            ours_s.push_back(timed(calls, ours));
        ratio.push_back(ours_s.back() / by_hand_s.back());
    }
    if (world.rank == 0)
        std::printf(
            "%-18s %2d ranks %8d B  by hand %10.2f us  ours %10.2f us  ratio of medians %.3f"
            "  median ratio %.3f\n",
            name, world.size, m, median(by_hand_s) * 1e6, median(ours_s) * 1e6,
            median(ours_s) / median(by_hand_s), median(ratio));
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_dup(MPI_COMM_WORLD, &world.by_hand);
    for (const int m : {8, 64, 512, 4096, 32768, 262144, 1048576}) {
        const auto bytes = static_cast<std::size_t>(m) * static_cast<std::size_t>(world.size);
        Bytes send(bytes, 'x'), receive(bytes);
        const auto alltoall = [&] {
            alltold_alltoall(send.data(), m, MPI_BYTE, receive.data(), m, MPI_BYTE, MPI_COMM_WORLD);
        };
        alltold_set_algorithm(MPI_COMM_WORLD, "alltoall.pairwise");
        compare(world, "alltoall.pairwise", m, alltoall,
                [&] { pairwise(world, send, receive, m); });
        alltold_set_algorithm(MPI_COMM_WORLD, "alltoall.rotated");
        compare(world, "alltoall.rotated", m, alltoall, [&] { rotated(world, send, receive, m); });
        alltold_set_algorithm(MPI_COMM_WORLD, "bcast.binomial");
        compare(
            world, "bcast.binomial", m,
            [&] {
                alltold_bcast(send.data(), m, MPI_BYTE, 0, MPI_COMM_WORLD);
                answer(world);
            },
            [&] {
                binomial(world, send, m);
                answer(world);
            });
    }
    MPI_Comm_free(&world.by_hand);
    MPI_Finalize();
}
