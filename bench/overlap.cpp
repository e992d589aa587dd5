// SPDX-License-Identifier: BSD-3-Clause
// How much of a nonblocking all-to-all overlaps with computation that polls it.
//
// Run it where the network, not the processor, is the bottleneck, for example
//   ./alltold lab --clusters 4 -- mpirun -n 4 build/release/bin/bench_overlap
// Overlap is (exchange + computation - both together) / the shorter of the two; 1 is complete.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "timing.hpp"

using alltold_bench::median;

namespace {

constexpr double slice_s = 200e-6; ///< of computation between two tests

/// Computes for about `duration_s`, calling `between` after every slice.
double compute(double duration_s, const std::function<void()>& between) {
    double value = 1;
    const double end_s = MPI_Wtime() + duration_s;
    for (double now_s = MPI_Wtime(); now_s < end_s; now_s = MPI_Wtime()) {
        for (const double stop_s = now_s + slice_s; MPI_Wtime() < stop_s;)
            for (int i = 0; i < 100; ++i)
                value = value * 1.0000001 + 1e-9;
        between();
    }
    return value;
}

double slowest(double mine_s) {
    MPI_Allreduce(MPI_IN_PLACE, &mine_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return mine_s;
}

double timed(const std::function<void()>& action) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    action();
    return slowest(MPI_Wtime() - start_s);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    alltold_set_algorithm(MPI_COMM_WORLD, "alltoall.pairwise");
    double sink = 0;
    for (const int m : {4096, 65536, 262144}) {
        const auto bytes = static_cast<std::size_t>(m) * static_cast<std::size_t>(size);
        std::vector<char> send(bytes, 'x'), receive(bytes);
        const auto exchange = [&] {
            alltold_alltoall(send.data(), m, MPI_BYTE, receive.data(), m, MPI_BYTE, MPI_COMM_WORLD);
        };
        exchange();
        std::vector<double> alone_s, both_s;
        double work_s = 0;
        for (int turn = 0; turn < 9; ++turn) {
            alone_s.push_back(timed(exchange));
            work_s = median(alone_s); // as much computation as the exchange takes
            both_s.push_back(timed([&] {
                alltold_request request = ALLTOLD_REQUEST_NULL;
                alltold_ialltoall(send.data(), m, MPI_BYTE, receive.data(), m, MPI_BYTE,
                                  MPI_COMM_WORLD, &request);
                sink += compute(work_s, [&] {
                    int done = 0;
                    alltold_test(&request, &done);
                });
                alltold_wait(&request);
            }));
        }
        const double exchange_s = median(alone_s), together_s = median(both_s);
        if (rank == 0)
            std::printf("%2d ranks %7d B  exchange %8.2f ms  computation %8.2f ms  together %8.2f "
                        "ms  hidden %.2f\n",
                        size, m, exchange_s * 1e3, work_s * 1e3, together_s * 1e3,
                        (exchange_s + work_s - together_s) / std::min(exchange_s, work_s));
    }
    MPI_Finalize();
    return sink < 0; // the computation must not be optimised away
}
