// SPDX-License-Identifier: BSD-3-Clause
// Runs one algorithm beside the MPI library's own collective and compares every byte of every
// buffer, or, where operators round, what must hold of all results.
//
// Usage: oracle ALGORITHM... Tries every collective that each carries out with the parameters it
// takes. Exit status 0 when all cases agree on all ranks.
#include <array>
#include <cstdio>
#include <map>
#include <string>

#include "cases.hpp"
#include "choices.hpp"

namespace {

int failures = 0;
std::string running; ///< the choice
/// By collective; on all ranks, and on half of them.
std::map<std::string, std::array<oracle::LibraryResults, 2>> library_results;

} // namespace

namespace oracle {

void expect(bool holds, const World& world, const std::string& what) {
    if (!holds)
        std::printf("%s, rank %d of %d: %s differs (%s)\n", running.c_str(), world.rank, world.size,
                    what.c_str(), alltold_last_error());
    failures += !holds;
}

int finish(int code, alltold_request* request, int seed) {
    if (code != MPI_SUCCESS)
        return code;
    for (int flag = 0; seed % 2 && !flag;)
        if (code = alltold_test(request, &flag); code != MPI_SUCCESS)
            return code;
    return alltold_wait(request);
}

} // namespace oracle

namespace {

using oracle::World;

void cases(const World& world, const oracle::Choice& choice) {
    if (choice.collective == "alltoallv")
        oracle::vector_cases(world);
    else if (choice.collective == "barrier")
        oracle::barrier_cases(world);
    else if (choice.reduces)
        oracle::reduction_cases(world, choice.collective);
    else
        oracle::block_cases(world, choice.collective);
    if (choice.collective == "allgather")
        oracle::allgatherv_cases(world);
}

World world_of(MPI_Comm comm, oracle::LibraryResults& results) {
    World world{comm, 0, 1, &results};
    results.next = 0;
    MPI_Comm_rank(comm, &world.rank);
    MPI_Comm_size(comm, &world.size);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return world;
}

/// Three hosts of 4, 3 and 1 ranks on eight, of 6, 4 and 2 on twelve, of 7, 4 and 2 on thirteen;
/// ranks of one are no neighbours. With `neighbours`, half of the ranks, the others but one, and
/// one.
int host_of(const World& world, bool neighbours) {
    if (neighbours)
        return world.rank < world.size / 2 ? 0 : world.rank + 1 < world.size ? 1 : 2;
    constexpr int hosts[] = {0, 1, 2, 0, 1, 0};
    return hosts[world.rank % 6];
}

/// Two clusters; every third rank, or the first third, is in the smaller one where ranks are on
/// hosts of their own.
int cluster_of(const World& world, const oracle::Choice& choice) {
    const bool on = choice.on_hosts;
    if (choice.neighbours)
        return (on ? host_of(world, true) == 0 : world.rank < (world.size + 1) / 3) ? 2 : 4;
    if (on)
        return host_of(world, false) == 1 ? 4 : 2;
    return world.rank % 3 == 0 ? 4 : 2;
}

constexpr int fewest_on_hosts = 4; // below, no host has two

/// Sets the algorithm, the hosts and the clusters if any on all ranks of a communicator; whether it
/// runs there.
bool choose(const World& world, const oracle::Choice& choice) {
    if (choice.clustered && world.size == 1)
        return false; // one rank makes no two clusters
    if (choice.needed && world.size < fewest_on_hosts)
        return false;
    alltold_set_host(world.comm, choice.on_hosts ? host_of(world, choice.neighbours) : world.rank);
    if (choice.clustered)
        alltold_set_cluster(world.comm, cluster_of(world, choice));
    const int code = alltold_set_algorithm(world.comm, choice.text.c_str());
    oracle::expect(code == MPI_SUCCESS, world, "choosing " + choice.text);
    return true;
}

void try_choice(const oracle::Choice& choice) {
    running = choice.text;
    MPI_Comm all = MPI_COMM_NULL, half = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    auto& [of_all, of_half] = library_results[choice.collective];
    const auto world = world_of(all, of_all);
    if (choice.on_hosts && !choice.needed && world.size < 2 * fewest_on_hosts) {
        MPI_Comm_free(&all);
        return;
    }
    if (choose(world, choice))
        cases(world, choice);
    // Two halves with their ranks in reverse order, so that every rank has another number.
    MPI_Comm_split(all, world.rank % 2, -world.rank, &half);
    const auto reversed = world_of(half, of_half);
    if (choose(reversed, choice))
        cases(reversed, choice);
    MPI_Comm_free(&half);
    MPI_Comm_free(&all);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; ++i) {
        const auto choices = oracle::choices_of(argv[i]);
        failures += choices.empty(); // no such algorithm
        for (const auto& choice : choices)
            try_choice(choice);
    }
    failures += argc == 1;
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures ? 1 : 0;
}
