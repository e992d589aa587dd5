// SPDX-License-Identifier: BSD-3-Clause
// The effect of the start on MPI_Alltoall: right after MPI_Barrier, as in most benchmarks, or at an
// agreed time after silence. The two alternate in one run.
//
//   ./alltold lab -- mpirun -n 12 build/release/bin/bench_start
//
// Assumes that all ranks share one clock, as in a lab.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include <mpi.h>

#include "timing.hpp"

using alltold_bench::median;

namespace {

using Clock = std::chrono::steady_clock;

double now_s() {
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void wait_for_instant() {
    double instant_s = now_s() + 0.05;
    MPI_Bcast(&instant_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::this_thread::sleep_for(std::chrono::duration<double>(instant_s - now_s()));
}

/// Seconds from the first start to the last finish.
double exchange(std::vector<char>& send, std::vector<char>& receive, int m) {
    double start_s = now_s();
    MPI_Alltoall(send.data(), m, MPI_BYTE, receive.data(), m, MPI_BYTE, MPI_COMM_WORLD);
    double finish_s = now_s();
    MPI_Allreduce(MPI_IN_PLACE, &start_s, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &finish_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return finish_s - start_s;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (const int m : {4096, 16384, 65536, 262144}) {
        const auto bytes = static_cast<std::size_t>(m) * static_cast<std::size_t>(size);
        std::vector<char> send(bytes, 's'), receive(bytes, 'r');
        std::vector<double> after_barrier_s, at_instant_s;
        for (int turn = 0; turn < 12; ++turn) {
            MPI_Barrier(MPI_COMM_WORLD);
            after_barrier_s.push_back(exchange(send, receive, m));
            wait_for_instant();
            at_instant_s.push_back(exchange(send, receive, m));
        }
        if (rank == 0)
            std::printf("%2d ranks %7d B  after a barrier %8.2f ms  at an instant %8.2f ms  ratio "
                        "%.2f\n",
                        size, m, median(after_barrier_s) * 1e3, median(at_instant_s) * 1e3,
                        median(after_barrier_s) / median(at_instant_s));
    }
    MPI_Finalize();
}
