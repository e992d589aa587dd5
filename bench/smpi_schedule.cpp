// SPDX-License-Identifier: BSD-3-Clause
// One of alltold's schedules, run by alltold's executor on SimGrid's MPI. For bench/simgrid.sh,
// which compiles it with smpicxx.
//
//   smpirun ... smpi_schedule CLUSTERS BYTES CHOICE...
//
// prints the seconds from the instant at which all ranks start to the last finish.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include "predict/choice/choice.hpp"
#include "runtime/execute/execution.hpp"
#include "schedule/specification.hpp"

using namespace alltold;

namespace {

int fail(const std::string& why) {
    std::fprintf(stderr, "smpi_schedule: %s\n", why.c_str());
    return 2;
}

/// All ranks leave it at the same instant, which it returns.
double start_together() {
    double at_s = MPI_Wtime() + 1;
    MPI_Bcast(&at_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    usleep(static_cast<useconds_t>((at_s - MPI_Wtime()) * 1e6));
    return at_s;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 4)
        return fail("usage: smpi_schedule CLUSTERS BYTES CHOICE...");
    // smpirun splits its arguments at blanks.
    std::string text;
    for (int i = 3; i < argc; ++i)
        text += std::string(i > 3 ? " " : "") + argv[i];
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto choice = parse_choice(text);
    const auto clusters = Clusters::parse(argv[1]);
    if (!choice || !choice->algorithm || !clusters)
        return fail("unknown algorithm or clusters");
    auto parameters = choice->parameters;
    if (choice->algorithm->takes_clusters())
        parameters.clusters = *clusters;
    const auto size_bytes = std::strtoull(argv[2], nullptr, 10);
    const int ranks = clusters->ranks();
    const Program program(choice->algorithm->generate(
        {choice->algorithm->collective, rank, ranks, 0, size_bytes, nullptr, parameters}));
    // Large enough for either buffer of any collective.
    const auto bytes = static_cast<std::size_t>(size_bytes) * static_cast<std::size_t>(ranks);
    std::vector<std::byte> send(bytes), receive(bytes), scratch(program.schedule().scratch_bytes());
    Execution execution;
    const double started_s = start_together();
    if (execution.run(program, {send.data(), receive.data(), scratch.data()}, MPI_COMM_WORLD, 1) !=
        MPI_SUCCESS)
        return fail("the schedule failed");
    double took_s = MPI_Wtime() - started_s, longest_s = 0;
    MPI_Reduce(&took_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%.9f\n", longest_s);
    MPI_Finalize();
    return 0;
}
