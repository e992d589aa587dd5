// SPDX-License-Identifier: BSD-3-Clause
// Reductions through the C interface: what is refused, operators of the program's own, items with
// gaps, and arguments that change from call to call.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include <mpi.h>

#include "checks.hpp"

namespace {

/// Every rank refuses these before it sends anything. MPI_COMM_WORLD's error handler, which ends
/// the program, must not be called.
void refuses() {
    int a[4] = {}, b[4] = {};
    const auto reduce = [&](const void* send, void* receive, MPI_Datatype type, MPI_Op op) {
        return class_of(alltold_reduce(send, receive, 2, type, op, 0, comm));
    };
    expect(reduce(a, b, MPI_INT, MPI_OP_NULL) == MPI_ERR_OP, "MPI_OP_NULL");
    expect(reduce(a, b, MPI_DATATYPE_NULL, MPI_SUM) == MPI_ERR_TYPE, "MPI_DATATYPE_NULL");
    expect(reduce(a, b, MPI_FLOAT, MPI_BAND) == MPI_ERR_OP, "MPI_BAND of floats");
    expect(reduce(a, b, MPI_INT, MPI_MAXLOC) == MPI_ERR_OP, "MPI_MAXLOC of ints");
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    expect(class_of(alltold_reduce(a, b, 1, pair, MPI_SUM, 0, comm)) == MPI_ERR_OP,
           "MPI_SUM of a type of the program's own");
    MPI_Type_free(&pair);
    expect(class_of(alltold_reduce(a, b, -1, MPI_INT, MPI_SUM, 0, comm)) == MPI_ERR_COUNT,
           "a count below 0");
    expect(class_of(alltold_reduce(a, b, 1, MPI_INT, MPI_SUM, ranks, comm)) == MPI_ERR_ROOT,
           "no such root");
    if (rank == 0)
        expect(reduce(a, MPI_IN_PLACE, MPI_INT, MPI_SUM) == MPI_ERR_BUFFER,
               "the result in place of nothing");
    else
        expect(reduce(MPI_IN_PLACE, nullptr, MPI_INT, MPI_SUM) == MPI_ERR_BUFFER,
               "in place, but not at the root");
    expect(class_of(alltold_allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm)) ==
               MPI_ERR_BUFFER,
           "blocks received in place of nothing");
}

/// A value and where it is: MPI_DOUBLE_INT, which has a gap.
struct At {
    double value;
    int place;
};

bool aligned = true; ///< whether every At that `nearest` saw was where an At may be

/// MPI_MINLOC, commutative and the program's own.
void nearest(void* in, void* inout, int* count, MPI_Datatype*) {
    for (const void* address : {in, inout})
        aligned = aligned && reinterpret_cast<std::uintptr_t>(address) % alignof(At) == 0;
    const auto* a = static_cast<const At*>(in);
    auto* b = static_cast<At*>(inout);
    for (int i = 0; i < *count; ++i)
        if (a[i].value < b[i].value || (a[i].value == b[i].value && a[i].place < b[i].place))
            b[i] = a[i];
}

void with_gaps() {
    MPI_Op own = MPI_OP_NULL;
    MPI_Op_create(nearest, 1, &own);
    for (const MPI_Op op : {MPI_MINLOC, own})
        for (const int count : {0, 1, 3, 40000}) { // some are combined in parts
            std::vector<At> send, receive(static_cast<std::size_t>(count), At{-1, -1});
            for (int i = 0; i < count; ++i)
                send.push_back({static_cast<double>((rank + i) % ranks), rank});
            const int root = count % ranks;
            expect(alltold_reduce(send.data(), receive.data(), count, MPI_DOUBLE_INT, op, root,
                                  comm) == MPI_SUCCESS,
                   "a reduction of items with gaps");
            bool right = true;
            for (int i = 0; i < count; ++i) {
                const auto& got = receive[static_cast<std::size_t>(i)];
                const int place = rank == root ? (ranks - i % ranks) % ranks : -1;
                right = right && got.place == place && got.value == (rank == root ? 0 : -1);
            }
            expect(right, "the smallest and its rank");
        }
    expect(aligned, "items where they are aligned");
    MPI_Op_free(&own);
}

/// Its items lie before the buffer's address, far apart.
void before_the_buffer() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const int one = 1, back = -2;
    MPI_Type_indexed(1, &one, &back, MPI_INT, &type);
    MPI_Datatype apart = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(type, -2 * static_cast<MPI_Aint>(sizeof(int)), 5 * sizeof(int), &apart);
    MPI_Type_commit(&apart);
    MPI_Type_free(&type);
    MPI_Op own = MPI_OP_NULL;
    MPI_Op_create(
        [](void* in, void* inout, int* count, MPI_Datatype*) {
            for (int i = 0; i < *count; ++i)
                static_cast<int*>(inout)[5 * i - 2] += static_cast<int*>(in)[5 * i - 2];
        },
        1, &own);
    std::vector<int> send(24, 1000), receive(24, -7);
    for (int i = 0; i < 4; ++i)
        send[static_cast<std::size_t>(5 * i)] = rank + i;
    expect(alltold_reduce(send.data() + 2, receive.data() + 2, 4, apart, own, 0, comm) ==
               MPI_SUCCESS,
           "a reduction of items before the buffer");
    for (int i = 0; i < 24; ++i) {
        const bool written = rank == 0 && i < 20 && i % 5 == 0;
        expect(receive[static_cast<std::size_t>(i)] ==
                   (written ? ranks * (ranks - 1) / 2 + ranks * (i / 5) : -7),
               "sums before the buffer, gaps left alone");
    }
    MPI_Op_free(&own);
    MPI_Type_free(&apart);
}

/// Calls that follow each other with one thing changed. Equal ones take a short way.
void changing() {
    const auto reduce = [&](MPI_Op op, MPI_Datatype type, int root, bool in_place, int wanted,
                            const char* what) {
        int send[2] = {rank + 1, 1}, receive[2] = {-1, -1};
        if (in_place && rank == root)
            receive[0] = send[0], receive[1] = send[1];
        alltold_reduce(in_place && rank == root ? MPI_IN_PLACE : send, receive, 2, type, op, root,
                       comm);
        expect(receive[0] == (rank == root ? wanted : -1), what);
    };
    const int sum = ranks * (ranks + 1) / 2, last = ranks - 1;
    int product = 1;
    for (int i = 1; i <= ranks; ++i)
        product *= i;
    reduce(MPI_SUM, MPI_INT, 0, false, sum, "first");
    reduce(MPI_SUM, MPI_INT, 0, false, sum, "the same");
    reduce(MPI_PROD, MPI_INT, 0, false, product, "another operator");
    reduce(MPI_PROD, MPI_INT, 0, true, product, "in place");
    reduce(MPI_PROD, MPI_UNSIGNED, 0, false, product, "another type");
    reduce(MPI_PROD, MPI_UNSIGNED, last, false, product, "another root");
    reduce(MPI_MAX, MPI_INT, last, true, ranks, "in place at another root");
}

/// The handle of a freed operator may become that of the next.
void changing_operators() {
    for (int turn = 0; turn < 4; ++turn) {
        MPI_Op op = MPI_OP_NULL;
        const auto add = [](void* in, void* inout, int* count, MPI_Datatype*) {
            for (int i = 0; i < *count; ++i)
                static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
        };
        const auto greatest = [](void* in, void* inout, int* count, MPI_Datatype*) {
            for (int i = 0; i < *count; ++i)
                if (static_cast<int*>(in)[i] > static_cast<int*>(inout)[i])
                    static_cast<int*>(inout)[i] = static_cast<int*>(in)[i];
        };
        turn % 2 ? MPI_Op_create(add, 1, &op) : MPI_Op_create(greatest, 1, &op);
        int send = rank + 1, receive = 0;
        alltold_request request = ALLTOLD_REQUEST_NULL;
        if (turn < 2) {
            alltold_reduce(&send, &receive, 1, MPI_INT, op, 0, comm);
            MPI_Op_free(&op);
        } else { // freed before it is complete
            alltold_ireduce(&send, &receive, 1, MPI_INT, op, 0, comm, &request);
            MPI_Op_free(&op);
            alltold_wait(&request);
        }
        expect(rank > 0 || receive == (turn % 2 ? ranks * (ranks + 1) / 2 : ranks),
               "another operator of the program's own");
    }
}

/// No int holds the bytes of one such item.
void large_type() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(1 << 30, MPI_INT, &type);
    MPI_Type_commit(&type);
    int nothing = 0;
    for (const char* choice : {"allgather.ring", "mpi"}) {
        alltold_set_algorithm(comm, choice);
        expect(alltold_allgather(MPI_IN_PLACE, 0, MPI_INT, &nothing, 0, type, comm) == MPI_SUCCESS,
               "no items of 4 GiB");
    }
    MPI_Type_free(&type);
}

/// Types freed while blocks are on their way.
void freed_types() {
    alltold_set_algorithm(comm, "allgather.ring");
    MPI_Datatype apart = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
    MPI_Type_commit(&apart);
    std::vector<int> all(2 * static_cast<std::size_t>(ranks), -1);
    alltold_request request = ALLTOLD_REQUEST_NULL;
    alltold_iallgather(&rank, 1, MPI_INT, all.data(), 1, apart, comm, &request);
    MPI_Type_free(&apart);
    alltold_wait(&request);
    for (int i = 0; i < 2 * ranks; ++i)
        expect(all[static_cast<std::size_t>(i)] == (i % 2 ? -1 : i / 2), "a type freed early");
}

} // namespace

int main(int argc, char** argv) {
    return run_checks(argc, argv, [] {
        large_type();
        freed_types();
        for (const char* choice : {"reduce.chain_segmented segment=1KiB", "allgather.ring"})
            expect(alltold_set_algorithm(comm, choice) == MPI_SUCCESS, choice);
        refuses();
        with_gaps();
        before_the_buffer();
        changing();
        changing_operators();
        refuses();
    });
}
