// SPDX-License-Identifier: BSD-3-Clause
// Runs one algorithm beside the MPI library's own collective and compares every byte of every
// buffer.
//
// Usage: oracle ALGORITHM. Tries every collective the algorithm carries out with the parameters it
// takes. Exit status 0 when all cases agree on all ranks.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "buffer.hpp"
#include "choices.hpp"
#include "datatypes.hpp"

namespace {

using oracle::Buffer;
using oracle::Datatype;

struct World {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int size = 1;
};

int failures = 0;

/// Counts a case as failed on all ranks when a buffer differs or a call failed on any.
void expect(bool same, const World& world, const std::string& what) {
    if (!same)
        std::printf("rank %d of %d: %s differs (%s)\n", world.rank, world.size, what.c_str(),
                    alltold_last_error());
    failures += !same;
}

/// One side of a case: a datatype and how many of it.
struct Items {
    const Datatype* type;
    int count;
};

/// Starts with test() calls on odd seeds, so that both ways of completing are seen.
int finish(int code, alltold_request* request, int seed) {
    if (code != MPI_SUCCESS)
        return code;
    for (int flag = 0; seed % 2 && !flag;)
        if (code = alltold_test(request, &flag); code != MPI_SUCCESS)
            return code;
    return alltold_wait(request);
}

void bcast(const World& world, Items items, int root, int seed) {
    Buffer ours(items.type->type, items.count);
    ours.fill(world.rank, seed);
    Buffer theirs = ours;
    MPI_Bcast(theirs.address(), items.count, items.type->type, root, world.comm);
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3 ? alltold_bcast(ours.address(), items.count, items.type->type, root, world.comm)
                 : finish(alltold_ibcast(ours.address(), items.count, items.type->type, root,
                                         world.comm, &request),
                          &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           "bcast of " + std::to_string(items.count) + " " + items.type->name);
}

void scatter(const World& world, Items from, Items to, int root, bool in_place, int seed) {
    Buffer send(from.type->type, std::int64_t{from.count} * world.size);
    Buffer ours(to.type->type, to.count);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours, sent = send;
    const bool placed = in_place && world.rank == root;
    MPI_Scatter(sent.address(), from.count, from.type->type,
                placed ? MPI_IN_PLACE : theirs.address(), to.count, to.type->type, root,
                world.comm);
    auto* target = placed ? MPI_IN_PLACE : ours.address();
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3 ? alltold_scatter(send.address(), from.count, from.type->type, target, to.count,
                                   to.type->type, root, world.comm)
                 : finish(alltold_iscatter(send.address(), from.count, from.type->type, target,
                                           to.count, to.type->type, root, world.comm, &request),
                          &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs && send == sent, world,
           "scatter of " + std::to_string(from.count) + " " + from.type->name + " to " +
               to.type->name + (in_place ? " in place" : ""));
}

void gather(const World& world, Items from, Items to, int root, bool in_place, int seed) {
    Buffer send(from.type->type, from.count);
    Buffer ours(to.type->type, std::int64_t{to.count} * world.size);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours;
    const bool placed = in_place && world.rank == root;
    auto* source = placed ? MPI_IN_PLACE : send.address();
    MPI_Gather(source, from.count, from.type->type, theirs.address(), to.count, to.type->type, root,
               world.comm);
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3 ? alltold_gather(source, from.count, from.type->type, ours.address(), to.count,
                                  to.type->type, root, world.comm)
                 : finish(alltold_igather(source, from.count, from.type->type, ours.address(),
                                          to.count, to.type->type, root, world.comm, &request),
                          &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           "gather of " + std::to_string(from.count) + " " + from.type->name + " to " +
               to.type->name + (in_place ? " in place" : ""));
}

void alltoall(const World& world, Items from, Items to, bool in_place, int seed) {
    Buffer send(from.type->type, std::int64_t{from.count} * world.size);
    Buffer ours(to.type->type, std::int64_t{to.count} * world.size);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours;
    auto* source = in_place ? MPI_IN_PLACE : send.address();
    MPI_Alltoall(source, from.count, from.type->type, theirs.address(), to.count, to.type->type,
                 world.comm);
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3 ? alltold_alltoall(source, from.count, from.type->type, ours.address(), to.count,
                                    to.type->type, world.comm)
                 : finish(alltold_ialltoall(source, from.count, from.type->type, ours.address(),
                                            to.count, to.type->type, world.comm, &request),
                          &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           "alltoall of " + std::to_string(from.count) + " " + from.type->name + " to " +
               to.type->name + (in_place ? " in place" : ""));
}

/// A count for the pair that both ends work out alike; a third of them are zero.
int pair_count(int from, int to, int seed) {
    const int mixed = (from * 31 + to * 17 + seed * 13) % 12;
    return mixed < 4 ? 0 : mixed;
}

struct VectorArguments {
    std::vector<int> send_counts, send_displacements, receive_counts, receive_displacements;
    int send_items = 0, receive_items = 0;
};

/// Blocks apart from each other, the highest rank's first.
VectorArguments vector_arguments(const World& world, int seed, bool symmetric) {
    VectorArguments arguments;
    const auto n = static_cast<std::size_t>(world.size);
    arguments.send_displacements.resize(n);
    arguments.receive_displacements.resize(n);
    for (int peer = 0; peer < world.size; ++peer) {
        const int low = std::min(peer, world.rank), high = std::max(peer, world.rank);
        arguments.send_counts.push_back(symmetric ? pair_count(low, high, seed)
                                                  : pair_count(world.rank, peer, seed));
        arguments.receive_counts.push_back(symmetric ? pair_count(low, high, seed)
                                                     : pair_count(peer, world.rank, seed));
    }
    for (std::size_t i = n; i-- > 0;) {
        arguments.send_displacements[i] = arguments.send_items + 1;
        arguments.send_items += arguments.send_counts[i] + 2;
        arguments.receive_displacements[i] = arguments.receive_items + 1;
        arguments.receive_items += arguments.receive_counts[i] + 2;
    }
    return arguments;
}

void alltoallv(const World& world, const Datatype& from, const Datatype& to, bool in_place,
               int seed) {
    const auto a = vector_arguments(world, seed, in_place);
    Buffer send(from.type, a.send_items), ours(to.type, a.receive_items);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours;
    auto* source = in_place ? MPI_IN_PLACE : send.address();
    MPI_Alltoallv(source, a.send_counts.data(), a.send_displacements.data(), from.type,
                  theirs.address(), a.receive_counts.data(), a.receive_displacements.data(),
                  to.type, world.comm);
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3
            ? alltold_alltoallv(source, a.send_counts.data(), a.send_displacements.data(),
                                from.type, ours.address(), a.receive_counts.data(),
                                a.receive_displacements.data(), to.type, world.comm)
            : finish(alltold_ialltoallv(source, a.send_counts.data(), a.send_displacements.data(),
                                        from.type, ours.address(), a.receive_counts.data(),
                                        a.receive_displacements.data(), to.type, world.comm,
                                        &request),
                     &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           "alltoallv of " + from.name + " to " + to.name + (in_place ? " in place" : ""));
}

void one_case(const World& world, const std::string& collective, const Datatype& from,
              const Datatype& to, int count, bool in_place, int seed) {
    const int root = seed % world.size;
    if (collective == "bcast")
        bcast(world, {&from, count}, root, seed);
    else if (collective == "scatter")
        scatter(world, {&from, count}, {&to, count}, root, in_place, seed);
    else if (collective == "gather")
        gather(world, {&from, count}, {&to, count}, root, in_place, seed);
    else if (collective == "alltoall")
        alltoall(world, {&from, count}, {&to, count}, in_place, seed);
    else
        alltoallv(world, from, to, in_place, seed);
}

void all_cases(const World& world, const std::string& collective) {
    auto types = oracle::datatypes();
    int seed = 0;
    for (const auto& from : types)
        for (const auto& to : types) {
            // Equal signatures may meet; a broadcast has only one type.
            if (from.signature != to.signature || (collective == "bcast" && &from != &to))
                continue;
            for (const int count : {0, 1, 7, 3000}) {
                if (count == 3000 && from.name != "int" && &from == &to)
                    continue;
                one_case(world, collective, from, to, count, false, ++seed);
                if (&from == &to && collective != "bcast")
                    one_case(world, collective, from, to, count, true, ++seed);
            }
        }
    oracle::free_datatypes(types);
}

World world_of(MPI_Comm comm) {
    World world{comm, 0, 1};
    MPI_Comm_rank(comm, &world.rank);
    MPI_Comm_size(comm, &world.size);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return world;
}

/// Three hosts of 4, 3 and 1 ranks on eight, of 6, 4 and 2 on twelve, of 7, 4 and 2 on thirteen;
/// ranks of one are no neighbours.
int host_of(int rank) {
    constexpr int hosts[] = {0, 1, 2, 0, 1, 0};
    return hosts[rank % 6];
}
constexpr int fewest_on_hosts = 4; // below, no host has two

/// Sets the algorithm, the hosts and the clusters if any on all ranks of a communicator.
void choose(const World& world, const oracle::Choice& choice) {
    if (choice.clustered && world.size == 1)
        return; // one rank makes no two clusters: it keeps the default
    if (choice.needed && world.size < fewest_on_hosts)
        return;
    alltold_set_host(world.comm, choice.on_hosts ? host_of(world.rank) : world.rank);
    if (choice.clustered && choice.on_hosts)
        alltold_set_cluster(world.comm, host_of(world.rank) == 1 ? 4 : 2);
    else if (choice.clustered) // every third rank is in the smaller cluster: ranks of one are no
                               // neighbours
        alltold_set_cluster(world.comm, world.rank % 3 == 0 ? 4 : 2);
    const int code = alltold_set_algorithm(world.comm, choice.text.c_str());
    expect(code == MPI_SUCCESS, world, "choosing " + choice.text);
}

void try_choice(const oracle::Choice& choice) {
    MPI_Comm all = MPI_COMM_NULL, half = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    const auto world = world_of(all);
    if (choice.on_hosts && !choice.needed && world.size < 2 * fewest_on_hosts) {
        MPI_Comm_free(&all);
        return;
    }
    choose(world, choice);
    all_cases(world, choice.collective);
    // Two halves with their ranks in reverse order, so that every rank has another number.
    MPI_Comm_split(all, world.rank % 2, -world.rank, &half);
    const auto reversed = world_of(half);
    choose(reversed, choice);
    all_cases(reversed, choice.collective);
    MPI_Comm_free(&half);
    MPI_Comm_free(&all);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const auto choices = oracle::choices_of(argc > 1 ? argv[1] : "");
    failures += choices.empty(); // no such algorithm
    for (const auto& choice : choices)
        try_choice(choice);
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures ? 1 : 0;
}
