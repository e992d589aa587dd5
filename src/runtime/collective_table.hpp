// SPDX-License-Identifier: BSD-3-Clause
// The collectives of MPI, one row each, from which every function with such a signature is made:
// those of liballtold, those that intercept a program's calls, and our calls of the MPI library's
// own.
//
// ROW(MPI's name, its name after MPI_I, parameters, arguments, call): parameters and arguments are
// in parentheses and leave out the communicator and what only the nonblocking or persistent form
// has. `call` describes a call to our own code: Arguments, or the two sides of one with a count per
// rank. What defines functions from parameters says what Count and Displacement are: int, or what
// MPI's functions for large counts have, whose names end in _c.
#pragma once

#include "runtime/call.hpp"

#define ALLTOLD_BUFFER void *buffer, Count count, MPI_Datatype type
#define ALLTOLD_SENT const void *send, Count send_count, MPI_Datatype send_type
#define ALLTOLD_SENT_VECTOR                                                                        \
    const void *send, const Count *send_counts, const Displacement *send_displacements,            \
        MPI_Datatype send_type
#define ALLTOLD_RECEIVED void *receive, Count receive_count, MPI_Datatype receive_type
#define ALLTOLD_RECEIVED_VECTOR                                                                    \
    void *receive, const Count *receive_counts, const Displacement *receive_displacements,         \
        MPI_Datatype receive_type
#define ALLTOLD_OPERANDS const void *send, void *receive, Count count, MPI_Datatype type, MPI_Op op

#define ALLTOLD_SENT_GIVEN send, send_count, send_type
#define ALLTOLD_SENT_VECTOR_GIVEN send, send_counts, send_displacements, send_type
#define ALLTOLD_RECEIVED_GIVEN receive, receive_count, receive_type
#define ALLTOLD_RECEIVED_VECTOR_GIVEN receive, receive_counts, receive_displacements, receive_type
#define ALLTOLD_BLOCKS_GIVEN ALLTOLD_SENT_GIVEN, ALLTOLD_RECEIVED_GIVEN
#define ALLTOLD_OPERANDS_GIVEN send, receive, count, type, op

/// A row's parameters or arguments, of which a barrier has none, in front of further ones.
#define ALLTOLD_LEADING(...) __VA_ARGS__ __VA_OPT__(, )

#define ALLTOLD_REGULAR_COLLECTIVES(ROW)                                                           \
    ALLTOLD_BLOCK_COLLECTIVES(ROW)                                                                 \
    ROW(Barrier, barrier, (), (), Arguments{Collective::barrier})

#define ALLTOLD_BLOCK_COLLECTIVES(ROW)                                                             \
    ROW(Bcast, bcast, (ALLTOLD_BUFFER, int root), (buffer, count, type, root),                     \
        Arguments{Collective::bcast, {}, {buffer, count, type}, root})                             \
    ROW(Scatter, scatter, (ALLTOLD_SENT, ALLTOLD_RECEIVED, int root),                              \
        (ALLTOLD_BLOCKS_GIVEN, root), blocks(Collective::scatter, ALLTOLD_BLOCKS_GIVEN, root))     \
    ROW(Gather, gather, (ALLTOLD_SENT, ALLTOLD_RECEIVED, int root), (ALLTOLD_BLOCKS_GIVEN, root),  \
        blocks(Collective::gather, ALLTOLD_BLOCKS_GIVEN, root))                                    \
    ROW(Alltoall, alltoall, (ALLTOLD_SENT, ALLTOLD_RECEIVED), (ALLTOLD_BLOCKS_GIVEN),              \
        blocks(Collective::alltoall, ALLTOLD_BLOCKS_GIVEN))                                        \
    ROW(Allgather, allgather, (ALLTOLD_SENT, ALLTOLD_RECEIVED), (ALLTOLD_BLOCKS_GIVEN),            \
        blocks(Collective::allgather, ALLTOLD_BLOCKS_GIVEN))                                       \
    ROW(Reduce, reduce, (ALLTOLD_OPERANDS, int root), (ALLTOLD_OPERANDS_GIVEN, root),              \
        reduction(Collective::reduce, ALLTOLD_OPERANDS_GIVEN, root))                               \
    ROW(Allreduce, allreduce, (ALLTOLD_OPERANDS), (ALLTOLD_OPERANDS_GIVEN),                        \
        reduction(Collective::allreduce, ALLTOLD_OPERANDS_GIVEN))                                  \
    ROW(Reduce_scatter_block, reduce_scatter_block, (ALLTOLD_OPERANDS), (ALLTOLD_OPERANDS_GIVEN),  \
        reduction(Collective::reduce_scatter_block, ALLTOLD_OPERANDS_GIVEN))                       \
    ROW(Scan, scan, (ALLTOLD_OPERANDS), (ALLTOLD_OPERANDS_GIVEN),                                  \
        reduction(Collective::scan, ALLTOLD_OPERANDS_GIVEN))                                       \
    ROW(Exscan, exscan, (ALLTOLD_OPERANDS), (ALLTOLD_OPERANDS_GIVEN),                              \
        reduction(Collective::exscan, ALLTOLD_OPERANDS_GIVEN))

#define ALLTOLD_ALLTOALLV(ROW)                                                                     \
    ROW(Alltoallv, alltoallv, (ALLTOLD_SENT_VECTOR, ALLTOLD_RECEIVED_VECTOR),                      \
        (ALLTOLD_SENT_VECTOR_GIVEN, ALLTOLD_RECEIVED_VECTOR_GIVEN),                                \
        VectorSide{ALLTOLD_SENT_VECTOR_GIVEN}, VectorSide{ALLTOLD_RECEIVED_VECTOR_GIVEN})

/// The other collectives with a count for every rank, which only liballtold takes.
#define ALLTOLD_OTHER_VECTORS(ROW)                                                                 \
    ROW(Alltoallw, alltoallw,                                                                      \
        (const void* send, const int* send_counts, const int* send_displacements,                  \
         const MPI_Datatype* send_types, void* receive, const int* receive_counts,                 \
         const int* receive_displacements, const MPI_Datatype* receive_types),                     \
        (send, send_counts, send_displacements, send_types, receive, receive_counts,               \
         receive_displacements, receive_types),                                                    \
        TypedSide{send, send_counts, send_displacements, send_types},                              \
        TypedSide{receive, receive_counts, receive_displacements, receive_types})                  \
    ROW(Gatherv, gatherv, (ALLTOLD_SENT, ALLTOLD_RECEIVED_VECTOR, int root),                       \
        (ALLTOLD_SENT_GIVEN, ALLTOLD_RECEIVED_VECTOR_GIVEN, root), Side{ALLTOLD_SENT_GIVEN},       \
        VectorSide{ALLTOLD_RECEIVED_VECTOR_GIVEN}, root)                                           \
    ROW(Scatterv, scatterv, (ALLTOLD_SENT_VECTOR, ALLTOLD_RECEIVED, int root),                     \
        (ALLTOLD_SENT_VECTOR_GIVEN, ALLTOLD_RECEIVED_GIVEN, root),                                 \
        VectorSide{ALLTOLD_SENT_VECTOR_GIVEN}, Side{ALLTOLD_RECEIVED_GIVEN}, root)                 \
    ROW(Allgatherv, allgatherv, (ALLTOLD_SENT, ALLTOLD_RECEIVED_VECTOR),                           \
        (ALLTOLD_SENT_GIVEN, ALLTOLD_RECEIVED_VECTOR_GIVEN), Side{ALLTOLD_SENT_GIVEN},             \
        VectorSide{ALLTOLD_RECEIVED_VECTOR_GIVEN})                                                 \
    ROW(Reduce_scatter, reduce_scatter,                                                            \
        (const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op),        \
        (send, receive, counts, type, op), send, VectorSide{receive, counts, {}, type}, op)

/// Declares the names that rows give to arguments, from `Arguments` whose counts are ints.
#define ALLTOLD_NAMED(arguments)                                                                   \
    const auto& [collective, sent, received, root, op, picked] = arguments;                        \
    const auto& [send, sent_count, send_type] = sent;                                              \
    const auto& [receive_only, received_count, receive_type] = received;                           \
    const int send_count = static_cast<int>(sent_count);                                           \
    const int count = static_cast<int>(received_count), receive_count = count;                     \
    auto* const receive = const_cast<void*>(receive_only);                                         \
    auto* const buffer = receive;                                                                  \
    const auto type = receive_type
