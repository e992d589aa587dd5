// SPDX-License-Identifier: BSD-3-Clause
// What programs that test the C interface check, and who they are.
#pragma once

#include <cstdio>

#include <mpi.h>

#include "alltold/alltold.h"

inline int failures = 0;
inline int rank = 0, ranks = 1;
inline MPI_Comm comm = MPI_COMM_NULL;

inline void expect(bool holds, const char* what) {
    if (holds)
        return;
    ++failures;
    std::fprintf(stderr, "rank %d of %d, wrong: %s (%s)\n", rank, ranks, what,
                 alltold_last_error());
}

inline int class_of(int code) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    return error_class;
}

/// Runs `checks` on a copy of the world whose errors are returned; the program's exit status.
template <typename Checks>
int run_checks(int argc, char** argv, Checks&& checks) {
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
#ifdef MPICH_VERSION // gives errors of requests to this one's
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    checks();
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failures ? 1 : 0;
}
