// SPDX-License-Identifier: BSD-3-Clause
// The collectives that are called, a row each.
#pragma once

/// ROW(name, MPI's name, arguments in issue.c)
#define COLLECTIVES(ROW)                                                                           \
    ROW(bcast, Bcast, BCAST)                                                                       \
    ROW(scatter, Scatter, SCATTER)                                                                 \
    ROW(gather, Gather, GATHER)                                                                    \
    ROW(alltoall, Alltoall, ALLTOALL)                                                              \
    ROW(alltoallv, Alltoallv, ALLTOALLV)                                                           \
    ROW(allgather, Allgather, ALLTOALL)                                                            \
    ROW(reduce, Reduce, REDUCE)                                                                    \
    ROW(allreduce, Allreduce, ALLREDUCE)                                                           \
    ROW(reduce_scatter_block, Reduce_scatter_block, ALLREDUCE)                                     \
    ROW(scan, Scan, ALLREDUCE)                                                                     \
    ROW(exscan, Exscan, ALLREDUCE)                                                                 \
    ROW(barrier, Barrier, BARRIER)                                                                 \
    ROW(gatherv, Gatherv, GATHERV)                                                                 \
    ROW(scatterv, Scatterv, SCATTERV)                                                              \
    ROW(allgatherv, Allgatherv, ALLGATHERV)                                                        \
    ROW(alltoallw, Alltoallw, ALLTOALLW)

#define ENUMERATOR(name, ...) name,
enum { COLLECTIVES(ENUMERATOR) collective_count };
#undef ENUMERATOR
