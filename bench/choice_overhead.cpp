// SPDX-License-Identifier: BSD-3-Clause
// The overhead of algorithm auto: calls on one rank, which send nothing, alternate between a fixed
// choice and rules.
//
//   mpirun -n 1 build/release/bin/bench_choice_overhead
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "timing.hpp"

namespace {

constexpr int calls = 20000, turns = 21;

/// Seconds a call, sizes as `sizes` says in turn.
double timed(const char* choice, const std::vector<int>& sizes, bool by_mpi = false) {
    static std::vector<char> send(1 << 16), receive(1 << 16);
    if (!by_mpi)
        alltold_set_algorithm(MPI_COMM_WORLD, choice);
    double start_s = 0;
    for (int i = -100; i < calls; ++i) { // the first ones fill caches
        if (i == 0)
            start_s = MPI_Wtime();
        const int size = sizes[static_cast<std::size_t>(i + 100) % sizes.size()];
        if (by_mpi)
            MPI_Alltoall(send.data(), size, MPI_BYTE, receive.data(), size, MPI_BYTE,
                         MPI_COMM_WORLD);
        else
            alltold_alltoall(send.data(), size, MPI_BYTE, receive.data(), size, MPI_BYTE,
                             MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start_s) / calls;
}

void compare(const char* what, const char* choice, const std::vector<int>& sizes, bool by_mpi) {
    std::vector<double> fixed_s, auto_s;
    for (int turn = 0; turn < turns; ++turn) {
        fixed_s.push_back(timed(choice, sizes, by_mpi));
        auto_s.push_back(timed("auto", sizes));
    }
    const double fixed_ns = alltold_bench::median(fixed_s) * 1e9;
    const double auto_ns = alltold_bench::median(auto_s) * 1e9;
    std::printf("%-44s %7.1f ns, by rules %7.1f ns: %6.1f ns more\n", what, fixed_ns, auto_ns,
                auto_ns - fixed_ns);
}

} // namespace

int main(int argc, char** argv) {
    // As many rules as a table has, the last ones for this call.
    setenv("ALLTOLD_RULES",
           "bcast:any=mpi;scatter:any=mpi;gather:any=mpi;alltoall:-8=mpi;alltoall:8-16=alltoall."
           "bruck;alltoall:16-32=mpi;alltoall:32-64=alltoall.bruck;alltoall:64-128=mpi;"
           "alltoall:128- = alltoall.pairwise",
           1);
    MPI_Init(&argc, &argv);
    compare("ours, the same call again", "alltoall.pairwise", {256}, false);
    compare("ours, two sizes in turn", "alltoall.pairwise", {256, 512}, false);
    compare("the library's own, the same call again", "mpi", {64}, true);
    compare("the library's own, two sizes in turn", "mpi", {64, 100}, true);
    MPI_Finalize();
}
