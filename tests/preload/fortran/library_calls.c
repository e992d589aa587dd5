// SPDX-License-Identifier: BSD-3-Clause
// Loaded between alltold's preload library and MPI: prints at the end how many calls of each
// collective that alltold takes came through to the MPI library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>

#define PASS(name, parameters, arguments)                                                          \
    static atomic_long count_##name;                                                               \
    __attribute__((destructor)) static void print_##name(void) {                                   \
        fprintf(stderr, "to the library: " #name " %ld\n", atomic_load(&count_##name));            \
    }                                                                                              \
    int P##name parameters {                                                                       \
        static int(*volatile next) parameters;                                                     \
        if (!next) {                                                                               \
            void* const found = dlsym(RTLD_NEXT, "P" #name);                                       \
            *(void* volatile*)&next = found;                                                       \
        }                                                                                          \
        if (COUNTS)                                                                                \
            atomic_fetch_add(&count_##name, 1);                                                    \
        return next arguments;                                                                     \
    }                                                                                              \
    int name parameters {                                                                          \
        return P##name arguments;                                                                  \
    }

#define COUNTS 1
#define SENDS const void *send, int m, MPI_Datatype type
#define RECEIVES void *receive, int m2, MPI_Datatype type2
#define SENDS_V const void *send, const int *counts, const int *places, MPI_Datatype type
#define RECEIVES_V void *receive, const int *counts2, const int *places2, MPI_Datatype type2

PASS(MPI_Bcast, (void* buffer, int m, MPI_Datatype type, int root, MPI_Comm comm),
     (buffer, m, type, root, comm))
PASS(MPI_Scatter, (SENDS, RECEIVES, int root, MPI_Comm comm),
     (send, m, type, receive, m2, type2, root, comm))
PASS(MPI_Gather, (SENDS, RECEIVES, int root, MPI_Comm comm),
     (send, m, type, receive, m2, type2, root, comm))
PASS(MPI_Alltoall, (SENDS, RECEIVES, MPI_Comm comm), (send, m, type, receive, m2, type2, comm))
PASS(MPI_Alltoallv, (SENDS_V, RECEIVES_V, MPI_Comm comm),
     (send, counts, places, type, receive, counts2, places2, type2, comm))
PASS(MPI_Ibcast, (void* buffer, int m, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* r),
     (buffer, m, type, root, comm, r))
PASS(MPI_Iscatter, (SENDS, RECEIVES, int root, MPI_Comm comm, MPI_Request* r),
     (send, m, type, receive, m2, type2, root, comm, r))
PASS(MPI_Igather, (SENDS, RECEIVES, int root, MPI_Comm comm, MPI_Request* r),
     (send, m, type, receive, m2, type2, root, comm, r))
PASS(MPI_Ialltoall, (SENDS, RECEIVES, MPI_Comm comm, MPI_Request* r),
     (send, m, type, receive, m2, type2, comm, r))
PASS(MPI_Ialltoallv, (SENDS_V, RECEIVES_V, MPI_Comm comm, MPI_Request* r),
     (send, counts, places, type, receive, counts2, places2, type2, comm, r))
PASS(MPI_Barrier, (MPI_Comm comm), (comm))
PASS(MPI_Ibarrier, (MPI_Comm comm, MPI_Request* r), (comm, r))

// Inside MPI_Init alltold itself gathers names and compares hashes.
#undef COUNTS
#define COUNTS (type != MPI_CHAR)
PASS(MPI_Allgather, (SENDS, RECEIVES, MPI_Comm comm), (send, m, type, receive, m2, type2, comm))
PASS(MPI_Iallgather, (SENDS, RECEIVES, MPI_Comm comm, MPI_Request* r),
     (send, m, type, receive, m2, type2, comm, r))

// Operators of the program may be for the library, as the algorithm is. Reductions of no items are
// alltold's own, which ask whether the library has an operator for a type.
#undef COUNTS
#define COUNTS ((op == MPI_SUM || op == MPI_MAX) && type != MPI_UINT64_T && m > 0)
#define OPERANDS const void *send, void *receive, int m, MPI_Datatype type, MPI_Op op

PASS(MPI_Reduce, (OPERANDS, int root, MPI_Comm comm), (send, receive, m, type, op, root, comm))
PASS(MPI_Ireduce, (OPERANDS, int root, MPI_Comm comm, MPI_Request* r),
     (send, receive, m, type, op, root, comm, r))
PASS(MPI_Allreduce, (OPERANDS, MPI_Comm comm), (send, receive, m, type, op, comm))
PASS(MPI_Iallreduce, (OPERANDS, MPI_Comm comm, MPI_Request* r),
     (send, receive, m, type, op, comm, r))
PASS(MPI_Reduce_scatter_block, (OPERANDS, MPI_Comm comm), (send, receive, m, type, op, comm))
PASS(MPI_Ireduce_scatter_block, (OPERANDS, MPI_Comm comm, MPI_Request* r),
     (send, receive, m, type, op, comm, r))
PASS(MPI_Scan, (OPERANDS, MPI_Comm comm), (send, receive, m, type, op, comm))
PASS(MPI_Iscan, (OPERANDS, MPI_Comm comm, MPI_Request* r), (send, receive, m, type, op, comm, r))
PASS(MPI_Exscan, (OPERANDS, MPI_Comm comm), (send, receive, m, type, op, comm))
PASS(MPI_Iexscan, (OPERANDS, MPI_Comm comm, MPI_Request* r), (send, receive, m, type, op, comm, r))
