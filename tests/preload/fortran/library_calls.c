// SPDX-License-Identifier: BSD-3-Clause
// Loaded between alltold's preload library and MPI: prints at the end how many of the collectives
// that alltold takes, with data, came through to the MPI library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long count;

__attribute__((destructor)) static void print_count(void) {
    fprintf(stderr, "to the library: %ld\n", atomic_load(&count));
}

#define PASS(name, parameters, arguments)                                                          \
    int P##name parameters {                                                                       \
        static int(*volatile next) parameters;                                                     \
        if (!next) {                                                                               \
            void* const found = dlsym(RTLD_NEXT, "P" #name);                                       \
            *(void* volatile*)&next = found;                                                       \
        }                                                                                          \
        atomic_fetch_add(&count, 1);                                                               \
        return next arguments;                                                                     \
    }                                                                                              \
    int name parameters {                                                                          \
        return P##name arguments;                                                                  \
    }

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
// MPICH has no progress engine for ours, and Open MPI 5's Fortran functions take the request for
// one of the library's own: there it is always the library's.
#if !defined(MPICH_VERSION) && !(defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
PASS(MPI_Ialltoallv, (SENDS_V, RECEIVES_V, MPI_Comm comm, MPI_Request* r),
     (send, counts, places, type, receive, counts2, places2, type2, comm, r))
#endif
