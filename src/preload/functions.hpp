// SPDX-License-Identifier: BSD-3-Clause
// The collectives that we intercept, and which of their forms the MPI library has.
#pragma once

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "runtime/collective_table.hpp"

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

#define ALLTOLD_COLLECTIVES(ROW)                                                                   \
    ALLTOLD_REGULAR_COLLECTIVES(ROW)                                                               \
    ALLTOLD_ALLTOALLV(ROW)
