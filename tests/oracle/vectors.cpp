// SPDX-License-Identifier: BSD-3-Clause
// Collectives with a count for every rank, beside the MPI library's own.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include <mpi.h>

#include "alltold/alltold.h"
#include "buffer.hpp"
#include "cases.hpp"
#include "datatypes.hpp"

namespace oracle {
namespace {

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
    by_library(world, theirs, [&] {
        MPI_Alltoallv(source, a.send_counts.data(), a.send_displacements.data(), from.type,
                      theirs.address(), a.receive_counts.data(), a.receive_displacements.data(),
                      to.type, world.comm);
    });
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

/// Rooted forms: the root's side has the counts, places and types of an all-to-all-v's.
void rooted(const World& world, const Datatype& from, const Datatype& to, bool in_place, int seed) {
    const int root = seed % world.size;
    const bool placed = in_place && world.rank == root;
    auto a = vector_arguments(world, seed, false);
    const auto at = static_cast<std::size_t>(root);
    alltold_request request = ALLTOLD_REQUEST_NULL;
    {
        const int count = a.send_counts[at];
        Buffer send(from.type, count), ours(to.type, a.receive_items);
        send.fill(world.rank, seed);
        ours.fill(world.rank, seed + 1);
        Buffer theirs = ours;
        auto* source = placed ? MPI_IN_PLACE : send.address();
        by_library(world, theirs, [&] {
            MPI_Gatherv(source, count, from.type, theirs.address(), a.receive_counts.data(),
                        a.receive_displacements.data(), to.type, root, world.comm);
        });
        const int code =
            seed % 3
                ? alltold_gatherv(source, count, from.type, ours.address(), a.receive_counts.data(),
                                  a.receive_displacements.data(), to.type, root, world.comm)
                : finish(alltold_igatherv(source, count, from.type, ours.address(),
                                          a.receive_counts.data(), a.receive_displacements.data(),
                                          to.type, root, world.comm, &request),
                         &request, seed);
        expect(code == MPI_SUCCESS && ours == theirs, world,
               "gatherv of " + from.name + " to " + to.name + (in_place ? " in place" : ""));
    }
    const int count = a.receive_counts[at];
    Buffer send(from.type, a.send_items), ours(to.type, count);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours;
    by_library(world, theirs, [&] {
        MPI_Scatterv(send.address(), a.send_counts.data(), a.send_displacements.data(), from.type,
                     placed ? MPI_IN_PLACE : theirs.address(), count, to.type, root, world.comm);
    });
    auto* target = placed ? MPI_IN_PLACE : ours.address();
    const int code =
        seed % 3
            ? alltold_scatterv(send.address(), a.send_counts.data(), a.send_displacements.data(),
                               from.type, target, count, to.type, root, world.comm)
            : finish(alltold_iscatterv(send.address(), a.send_counts.data(),
                                       a.send_displacements.data(), from.type, target, count,
                                       to.type, root, world.comm, &request),
                     &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           "scatterv of " + from.name + " to " + to.name + (in_place ? " in place" : ""));
}

/// One side of an all-to-all-w.
struct TypedSide {
    void* buffer;
    std::vector<int> counts, places; ///< places in bytes
    std::vector<MPI_Datatype> types;

    std::byte* at(std::size_t peer) const { return static_cast<std::byte*>(buffer) + places[peer]; }
};

/// By messages: MPI_Alltoallw of Open MPI 4 puts what a rank sends itself in a wrong place. All
/// types are of two ints.
void exchange(const World& world, const TypedSide& send, const TypedSide& receive) {
    const auto n = static_cast<std::size_t>(world.size);
    std::vector<std::vector<int>> packed(n);
    for (std::size_t i = 0; i < n; ++i) {
        packed[i].resize(2 * static_cast<std::size_t>(send.counts[i]) + 1);
        int done = 0;
        MPI_Pack(send.at(i), send.counts[i], send.types[i], packed[i].data(),
                 static_cast<int>(packed[i].size() * sizeof(int)), &done, world.comm);
    }
    std::vector<MPI_Request> requests(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const int peer = static_cast<int>(i);
        MPI_Irecv(receive.at(i), receive.counts[i], receive.types[i], peer, 0, world.comm,
                  &requests[2 * i]);
        MPI_Isend(packed[i].data(), 2 * send.counts[i], MPI_INT, peer, 0, world.comm,
                  &requests[2 * i + 1]);
    }
    MPI_Waitall(static_cast<int>(2 * n), requests.data(), MPI_STATUSES_IGNORE);
}

/// Every rank has a type of its own; those of a pair have one signature.
void alltoallw(const World& world, const std::vector<Datatype>& all, bool in_place, int seed) {
    std::vector<Datatype> types;
    std::ranges::copy_if(all, std::back_inserter(types),
                         [](const Datatype& one) { return one.signature == 2; });
    const auto a = vector_arguments(world, seed, in_place);
    const auto n = static_cast<std::size_t>(world.size);
    Buffer send(MPI_2INT, 4 * a.send_items + 8), ours(MPI_2INT, 4 * a.receive_items + 8);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours;
    TypedSide from{send.address(), a.send_counts, {}, {}},
        to{ours.address(), a.receive_counts, {}, {}};
    constexpr int room = 8 * sizeof(int); // for the widest type
    for (std::size_t i = 0; i < n; ++i) {
        const auto kind = i + static_cast<std::size_t>(seed);
        from.types.push_back(types[(kind + 1) % types.size()].type);
        from.places.push_back(a.send_displacements[i] * room);
        to.types.push_back(types[kind % types.size()].type);
        to.places.push_back(a.receive_displacements[i] * room);
    }
    auto elsewhere = to;
    elsewhere.buffer = theirs.address();
    by_library(world, theirs, [&] { exchange(world, in_place ? elsewhere : from, elsewhere); });
    auto* source = in_place ? MPI_IN_PLACE : send.address();
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3
            ? alltold_alltoallw(source, from.counts.data(), from.places.data(), from.types.data(),
                                to.buffer, to.counts.data(), to.places.data(), to.types.data(),
                                world.comm)
            : finish(alltold_ialltoallw(source, from.counts.data(), from.places.data(),
                                        from.types.data(), to.buffer, to.counts.data(),
                                        to.places.data(), to.types.data(), world.comm, &request),
                     &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           std::string("alltoallw") + (in_place ? " in place" : ""));
}

/// Blocks of `count` items, or of `count` plus the rank, with room between or not.
void allgatherv(const World& world, const Datatype& from, const Datatype& to, int count, bool equal,
                int gap, bool in_place, int seed) {
    std::vector<int> counts, places;
    int items = 0;
    for (int i = 0; i < world.size; ++i) {
        counts.push_back(equal ? count : count + i);
        places.push_back(items);
        items += counts.back() + gap;
    }
    const int mine = counts[static_cast<std::size_t>(world.rank)];
    Buffer send(from.type, mine), ours(to.type, items);
    send.fill(world.rank, seed);
    ours.fill(world.rank, seed + 1);
    Buffer theirs = ours;
    auto* source = in_place ? MPI_IN_PLACE : send.address();
    by_library(world, theirs, [&] {
        MPI_Allgatherv(source, mine, from.type, theirs.address(), counts.data(), places.data(),
                       to.type, world.comm);
    });
    alltold_request request = ALLTOLD_REQUEST_NULL;
    const int code =
        seed % 3
            ? alltold_allgatherv(source, mine, from.type, ours.address(), counts.data(),
                                 places.data(), to.type, world.comm)
            : finish(alltold_iallgatherv(source, mine, from.type, ours.address(), counts.data(),
                                         places.data(), to.type, world.comm, &request),
                     &request, seed);
    expect(code == MPI_SUCCESS && ours == theirs, world,
           "allgatherv of " + from.name + " to " + to.name + (in_place ? " in place" : ""));
}

} // namespace

void vector_cases(const World& world) {
    auto types = datatypes();
    int seed = 0;
    for (const auto& from : types)
        for (const auto& to : types) {
            if (!sent_as(from, to))
                continue;
            for (int repeat = 0; repeat < 3; ++repeat)
                alltoallv(world, from, to, false, ++seed);
            if (&from == &to)
                alltoallv(world, from, to, true, ++seed);
            rooted(world, from, to, false, ++seed);
            if (&from == &to)
                rooted(world, from, to, true, ++seed);
        }
    for (int repeat = 0; repeat < 8; ++repeat)
        alltoallw(world, types, false, ++seed);
    for (int repeat = 0; repeat < 3; ++repeat)
        alltoallw(world, types, true, ++seed);
    free_datatypes(types);
}

void allgatherv_cases(const World& world) {
    auto types = datatypes();
    int seed = 0;
    for (const auto& from : types)
        for (const auto& to : types) {
            if (from.signature != to.signature)
                continue;
            const bool same = &from == &to;
            if (!same && &from + 1 != &to)
                continue;
            allgatherv(world, from, to, 5, true, 0, same, ++seed);
            // The last rank leaves no gap, so that ranks differ in how they receive.
            allgatherv(world, from, to, 4, true, world.rank + 1 < world.size, same, ++seed);
            if (same)
                allgatherv(world, from, to, 3, false, 1, false, ++seed);
        }
    free_datatypes(types);
}

} // namespace oracle
