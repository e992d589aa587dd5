// SPDX-License-Identifier: BSD-3-Clause
// The collectives that we intercept: a row each, from which all intercepting functions are made.
#pragma once

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

// Persistent collectives, where the MPI library has them and a progress engine that calls us.
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#define ALLTOLD_PERSISTENT(name) MPI_##name##_init
#define ALLTOLD_PROFILED_PERSISTENT(name) PMPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLTOLD_PERSISTENT(name) MPIX_##name##_init
#define ALLTOLD_PROFILED_PERSISTENT(name) PMPIX_##name##_init
#endif

// Open MPI 5's Fortran functions with a count for every rank write into the request that the C
// function returned, as if it were one of the library's own.
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
inline constexpr bool vector_requests_are_the_librarys = true;
#else
inline constexpr bool vector_requests_are_the_librarys = false;
#endif

// Parameters that several collectives share, and the same as arguments.
#define ALLTOLD_BUFFER void *buffer, int count, MPI_Datatype type
#define ALLTOLD_BLOCKS                                                                             \
    const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,    \
        MPI_Datatype receive_type
#define ALLTOLD_BLOCKS_GIVEN send, send_count, send_type, receive, receive_count, receive_type
#define ALLTOLD_VECTORS                                                                            \
    const void *send, const int *send_counts, const int *send_places, MPI_Datatype send_type,      \
        void *receive, const int *receive_counts, const int *receive_places,                       \
        MPI_Datatype receive_type
#define ALLTOLD_VECTORS_GIVEN                                                                      \
    send, send_counts, send_places, send_type, receive, receive_counts, receive_places, receive_type
#define ALLTOLD_OPERANDS const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op
#define ALLTOLD_OPERANDS_GIVEN send, receive, count, type, op
#define ALLTOLD_LIST(...) __VA_ARGS__

/// ROW(MPI's name, the same as after MPI_I, parameters, the same as arguments, what blocking(),
/// nonblocking() and persistent() take of the call); parameters without those of one form alone.
#define ALLTOLD_COLLECTIVES(ROW)                                                                   \
    ROW(Bcast, bcast, (ALLTOLD_BUFFER, int root, MPI_Comm comm),                                   \
        (buffer, count, type, root, comm),                                                         \
        Arguments{Collective::bcast, {}, {buffer, count, type}, root})                             \
    ROW(Scatter, scatter, (ALLTOLD_BLOCKS, int root, MPI_Comm comm),                               \
        (ALLTOLD_BLOCKS_GIVEN, root, comm),                                                        \
        blocks(Collective::scatter, ALLTOLD_BLOCKS_GIVEN, root))                                   \
    ROW(Gather, gather, (ALLTOLD_BLOCKS, int root, MPI_Comm comm),                                 \
        (ALLTOLD_BLOCKS_GIVEN, root, comm),                                                        \
        blocks(Collective::gather, ALLTOLD_BLOCKS_GIVEN, root))                                    \
    ROW(Alltoall, alltoall, (ALLTOLD_BLOCKS, MPI_Comm comm), (ALLTOLD_BLOCKS_GIVEN, comm),         \
        blocks(Collective::alltoall, ALLTOLD_BLOCKS_GIVEN))                                        \
    ROW(Alltoallv, alltoallv, (ALLTOLD_VECTORS, MPI_Comm comm), (ALLTOLD_VECTORS_GIVEN, comm),     \
        VectorSide{send, send_counts, send_places, send_type},                                     \
        VectorSide{receive, receive_counts, receive_places, receive_type})                         \
    ROW(Allgather, allgather, (ALLTOLD_BLOCKS, MPI_Comm comm), (ALLTOLD_BLOCKS_GIVEN, comm),       \
        blocks(Collective::allgather, ALLTOLD_BLOCKS_GIVEN))                                       \
    ROW(Reduce, reduce, (ALLTOLD_OPERANDS, int root, MPI_Comm comm),                               \
        (ALLTOLD_OPERANDS_GIVEN, root, comm),                                                      \
        reduction(Collective::reduce, ALLTOLD_OPERANDS_GIVEN, root))                               \
    ROW(Allreduce, allreduce, (ALLTOLD_OPERANDS, MPI_Comm comm), (ALLTOLD_OPERANDS_GIVEN, comm),   \
        reduction(Collective::allreduce, ALLTOLD_OPERANDS_GIVEN))                                  \
    ROW(Reduce_scatter_block, reduce_scatter_block, (ALLTOLD_OPERANDS, MPI_Comm comm),             \
        (ALLTOLD_OPERANDS_GIVEN, comm),                                                            \
        reduction(Collective::reduce_scatter_block, ALLTOLD_OPERANDS_GIVEN))                       \
    ROW(Scan, scan, (ALLTOLD_OPERANDS, MPI_Comm comm), (ALLTOLD_OPERANDS_GIVEN, comm),             \
        reduction(Collective::scan, ALLTOLD_OPERANDS_GIVEN))                                       \
    ROW(Exscan, exscan, (ALLTOLD_OPERANDS, MPI_Comm comm), (ALLTOLD_OPERANDS_GIVEN, comm),         \
        reduction(Collective::exscan, ALLTOLD_OPERANDS_GIVEN))                                     \
    ROW(Barrier, barrier, (MPI_Comm comm), (comm), Arguments{Collective::barrier})
