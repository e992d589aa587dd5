// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface: every collective once, blocking, nonblocking and persistent, and what it
// refuses.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "alltold/alltold.hpp"

namespace {

int failures = 0;
int rank = 0, size = 1;

using Ints = std::vector<int>;

void expect(bool holds, const char* what) {
    if (holds)
        return;
    ++failures;
    std::fprintf(stderr, "rank %d of %d, wrong: %s\n", rank, size, what);
}

std::span<const int> in(const Ints& values) {
    return values;
}

/// `count` ints from `first` on.
Ints run(int count, int first) {
    Ints values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), first);
    return values;
}

/// Sums over all ranks before `end` of what `run(count, rank)` has.
Ints sums(int count, int end) {
    Ints values;
    for (int i = 0; i < count; ++i)
        values.push_back(end * i + end * (end - 1) / 2);
    return values;
}

void reductions(const alltold::Communicator& comm) {
    const auto mine = run(4, rank), all = sums(4, size);
    const int root = size - 1;
    for (const bool blocking : {true, false}) {
        Ints got(4, -1);
        blocking ? comm.reduce(in(mine), std::span(got), MPI_SUM, root)
                 : comm.ireduce(in(mine), std::span(got), MPI_SUM, root).wait();
        expect(rank != root || got == all, "reduce");
        Ints everywhere(4, -1);
        blocking ? comm.allreduce(in(mine), std::span(everywhere), MPI_SUM)
                 : comm.iallreduce(in(mine), std::span(everywhere), MPI_SUM).wait();
        expect(everywhere == all, "allreduce");
        blocking ? comm.scan(in(mine), std::span(got), MPI_SUM)
                 : comm.iscan(in(mine), std::span(got), MPI_SUM).wait();
        expect(got == sums(4, rank + 1), "scan");
        blocking ? comm.exscan(in(mine), std::span(got), MPI_SUM)
                 : comm.iexscan(in(mine), std::span(got), MPI_SUM).wait();
        expect(rank == 0 || got == sums(4, rank), "exscan");
        const auto wide = run(2 * size, rank), total = sums(2 * size, size);
        Ints part(2, -1);
        blocking ? comm.reduce_scatter_block(in(wide), std::span(part), MPI_SUM)
                 : comm.ireduce_scatter_block(in(wide), std::span(part), MPI_SUM).wait();
        const Ints wanted(total.begin() + 2 * rank, total.begin() + 2 * rank + 2);
        expect(part == wanted, "reduce_scatter_block");
        const Ints counts(static_cast<std::size_t>(size), 2);
        part = {-1, -1};
        blocking ? comm.reduce_scatter(in(wide), std::span(part), in(counts), MPI_SUM)
                 : comm.ireduce_scatter(in(wide), std::span(part), in(counts), MPI_SUM).wait();
        expect(part == wanted, "reduce_scatter");
        blocking ? comm.barrier() : comm.ibarrier().wait();
    }
    auto values = mine;
    comm.allreduce(std::span(values), MPI_SUM);
    expect(values == all, "allreduce in place");
}

/// Rank r has r + 1 elements for everyone.
void vectors(const alltold::Communicator& comm) {
    Ints counts, places, wanted;
    for (int i = 0; i < size; ++i) {
        counts.push_back(i + 1);
        places.push_back(static_cast<int>(wanted.size()));
        wanted.insert(wanted.end(), static_cast<std::size_t>(i + 1), 10 * i);
    }
    const Ints mine(static_cast<std::size_t>(rank + 1), 10 * rank);
    const Ints same(static_cast<std::size_t>(size), rank + 1), zeros(same.size(), 0);
    Ints bytes;
    for (const int place : places)
        bytes.push_back(place * static_cast<int>(sizeof(int)));
    const std::vector<MPI_Datatype> types(same.size(), MPI_INT);
    for (const bool blocking : {true, false}) {
        Ints got(wanted.size(), -1);
        blocking ? comm.gatherv(in(mine), std::span(got), in(counts), in(places), 0)
                 : comm.igatherv(in(mine), std::span(got), in(counts), in(places), 0).wait();
        expect(rank > 0 || got == wanted, "gatherv");
        got.assign(wanted.size(), -1);
        blocking ? comm.allgatherv(in(mine), std::span(got), in(counts), in(places))
                 : comm.iallgatherv(in(mine), std::span(got), in(counts), in(places)).wait();
        expect(got == wanted, "allgatherv");
        Ints own(mine.size(), -1);
        blocking ? comm.scatterv(in(wanted), in(counts), in(places), std::span(own), 0)
                 : comm.iscatterv(in(wanted), in(counts), in(places), std::span(own), 0).wait();
        expect(own == mine, "scatterv");
        got.assign(wanted.size(), -1);
        blocking
            ? comm.alltoallv(in(mine), in(same), in(zeros), std::span(got), in(counts), in(places))
            : comm.ialltoallv(in(mine), in(same), in(zeros), std::span(got), in(counts), in(places))
                  .wait();
        expect(got == wanted, "alltoallv");
        got.assign(wanted.size(), -1);
        blocking ? comm.alltoallw(mine.data(), in(same), in(zeros), types, got.data(), in(counts),
                                  in(bytes), types)
                 : comm.ialltoallw(mine.data(), in(same), in(zeros), types, got.data(), in(counts),
                                   in(bytes), types)
                       .wait();
        expect(got == wanted, "alltoallw");
        Ints blocks(2 * same.size(), -1), pairs;
        for (int i = 0; i < size; ++i)
            pairs.insert(pairs.end(), {i, i + 1});
        const auto pair = run(2, rank);
        blocking ? comm.allgather(in(pair), std::span(blocks))
                 : comm.iallgather(in(pair), std::span(blocks)).wait();
        expect(blocks == pairs, "allgather");
    }
}

/// Starts a persistent call twice.
void repeat(alltold::PersistentRequest request) {
    for (int turn = 0; turn < 2; ++turn) {
        request.start();
        request.wait();
    }
}

void persistent_reductions(const alltold::Communicator& comm) {
    const auto mine = run(4, rank), all = sums(4, size);
    const auto wide = run(2 * size, rank), total = sums(2 * size, size);
    const Ints wanted(total.begin() + 2 * rank, total.begin() + 2 * rank + 2);
    const Ints counts(static_cast<std::size_t>(size), 2);
    const int root = size - 1;
    Ints got(4, -1), part(2, -1);
    repeat(comm.reduce_init(in(mine), std::span(got), MPI_SUM, root));
    expect(rank != root || got == all, "persistent reduce");
    repeat(comm.allreduce_init(in(mine), std::span(got), MPI_SUM));
    expect(got == all, "persistent allreduce");
    repeat(comm.scan_init(in(mine), std::span(got), MPI_SUM));
    expect(got == sums(4, rank + 1), "persistent scan");
    repeat(comm.exscan_init(in(mine), std::span(got), MPI_SUM));
    expect(rank == 0 || got == sums(4, rank), "persistent exscan");
    repeat(comm.reduce_scatter_block_init(in(wide), std::span(part), MPI_SUM));
    expect(part == wanted, "persistent reduce_scatter_block");
    part = {-1, -1};
    repeat(comm.reduce_scatter_init(in(wide), std::span(part), in(counts), MPI_SUM));
    expect(part == wanted, "persistent reduce_scatter");
    repeat(comm.barrier_init());
}

/// Rank r has the int 10 r for everyone.
void persistent_blocks(const alltold::Communicator& comm) {
    Ints places, bytes, tens;
    for (int i = 0; i < size; ++i) {
        places.push_back(i);
        bytes.push_back(i * static_cast<int>(sizeof(int)));
        tens.push_back(10 * i);
    }
    const Ints one(1, 10 * rank), ones(tens.size(), 1), zeros(tens.size(), 0);
    const Ints same(tens.size(), 10 * rank);
    const std::vector<MPI_Datatype> types(tens.size(), MPI_INT);
    const int root = size - 1;
    Ints all, own;
    const auto clear = [&] {
        all.assign(tens.size(), -1);
        own.assign(1, -1);
    };
    clear();
    own[0] = rank == root ? 5 : -1;
    repeat(comm.bcast_init(std::span(own), root));
    expect(own[0] == 5, "persistent bcast");
    clear();
    repeat(comm.scatter_init(in(tens), std::span(own), root));
    expect(own == one, "persistent scatter");
    repeat(comm.gather_init(in(one), std::span(all), root));
    expect(rank != root || all == tens, "persistent gather");
    clear();
    repeat(comm.scatterv_init(in(tens), in(ones), in(places), std::span(own), root));
    expect(own == one, "persistent scatterv");
    repeat(comm.gatherv_init(in(one), std::span(all), in(ones), in(places), root));
    expect(rank != root || all == tens, "persistent gatherv");
    clear();
    repeat(comm.allgather_init(in(one), std::span(all)));
    expect(all == tens, "persistent allgather");
    clear();
    repeat(comm.allgatherv_init(in(one), std::span(all), in(ones), in(places)));
    expect(all == tens, "persistent allgatherv");
    clear();
    repeat(comm.alltoall_init(in(same), std::span(all)));
    expect(all == tens, "persistent alltoall");
    clear();
    repeat(comm.alltoallv_init(in(one), in(ones), in(zeros), std::span(all), in(ones), in(places)));
    expect(all == tens, "persistent alltoallv");
    clear();
    repeat(comm.alltoallw_init(one.data(), in(ones), in(zeros), types, all.data(), in(ones),
                               in(bytes), types));
    expect(all == tens, "persistent alltoallw");
    clear();
    comm.iscatter(in(tens), std::span(own), root).wait();
    comm.igather(in(one), std::span(all), root).wait();
    expect(own == one && (rank != root || all == tens), "iscatter and igather");
}

/// Spans of the wrong size throw before anything is sent.
void refuses(const alltold::Communicator& comm) {
    const auto mine = run(3, rank);
    Ints short_one(2);
    const auto throws = [](auto&& call, const char* what) {
        try {
            call();
        } catch (const std::invalid_argument&) {
            return;
        }
        expect(false, what);
    };
    throws([&] { comm.allreduce(in(mine), std::span(short_one), MPI_SUM); }, "allreduce");
    throws([&] { comm.scan(in(mine), std::span(short_one), MPI_SUM); }, "scan");
    throws([&] { comm.allgather(in(mine), std::span(short_one)); }, "allgather");
    throws([&] { comm.allgatherv(in(mine), std::span(short_one), {}, {}); }, "allgatherv");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const alltold::Communicator comm(MPI_COMM_WORLD);
    for (const char* choice : {"mpi", "alltoall.rotated window=2", "reduce.chain_segmented",
                               "allgather.ring", "barrier.dissemination"}) {
        comm.choose(choice);
        reductions(comm);
        vectors(comm);
        persistent_reductions(comm);
        persistent_blocks(comm);
        refuses(comm);
    }
    MPI_Finalize();
    return failures ? 1 : 0;
}
