// SPDX-License-Identifier: BSD-3-Clause
// Collectives with blocks of one size, beside the MPI library's own.
#include <cstdint>
#include <string>

#include <mpi.h>

#include "alltold/alltold.h"
#include "buffer.hpp"
#include "cases.hpp"
#include "datatypes.hpp"

namespace oracle {
namespace {

/// One side of a case: a datatype and how many of it.
struct Items {
    const Datatype* type;
    int count;
};

void bcast(const World& world, Items items, int root, int seed) {
    Buffer ours(items.type->type, items.count);
    ours.fill(world.rank, seed);
    Buffer theirs = ours;
    by_library(world, theirs, [&] {
        MPI_Bcast(theirs.address(), items.count, items.type->type, root, world.comm);
    });
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
    by_library(world, theirs, [&] {
        MPI_Scatter(sent.address(), from.count, from.type->type,
                    placed ? MPI_IN_PLACE : theirs.address(), to.count, to.type->type, root,
                    world.comm);
    });
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
    by_library(world, theirs, [&] {
        MPI_Gather(source, from.count, from.type->type, theirs.address(), to.count, to.type->type,
                   root, world.comm);
    });
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
    by_library(world, theirs, [&] {
        MPI_Alltoall(source, from.count, from.type->type, theirs.address(), to.count, to.type->type,
                     world.comm);
    });
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

void allgather(const World& world, Items from, Items to, bool in_place, int seed) {
    Buffer send(from.type->type, from.count);
    Buffer ours(to.type->type, std::int64_t{to.count} * world.size);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours;
    auto* source = in_place ? MPI_IN_PLACE : send.address();
    by_library(world, theirs, [&] {
        MPI_Allgather(source, from.count, from.type->type, theirs.address(), to.count,
                      to.type->type, world.comm);
    });
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3 ? alltold_allgather(source, from.count, from.type->type, ours.address(), to.count,
                                     to.type->type, world.comm)
                 : finish(alltold_iallgather(source, from.count, from.type->type, ours.address(),
                                             to.count, to.type->type, world.comm, &request),
                          &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           "allgather of " + std::to_string(from.count) + " " + from.type->name + " to " +
               to.type->name + (in_place ? " in place" : ""));
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
    else if (collective == "allgather")
        allgather(world, {&from, count}, {&to, count}, in_place, seed);
    else
        expect(false, world, "no cases for " + collective);
}

} // namespace

void block_cases(const World& world, const std::string& collective) {
    auto types = datatypes();
    int seed = 0;
    for (const auto& from : types)
        for (const auto& to : types) {
            // A broadcast has only one type.
            if (!sent_as(from, to) || (collective == "bcast" && &from != &to))
                continue;
            for (const int count : {0, 1, 7, 3000}) {
                if (count == 3000 && from.name != "int" && &from == &to)
                    continue;
                // Rings are slow where ranks share cores: they see fewer mixtures of types.
                if (collective == "allgather" && &from != &to && count != 7)
                    continue;
                one_case(world, collective, from, to, count, false, ++seed);
                if (&from == &to && collective != "bcast")
                    one_case(world, collective, from, to, count, true, ++seed);
            }
        }
    free_datatypes(types);
}

} // namespace oracle
