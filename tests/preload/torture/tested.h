// SPDX-License-Identifier: BSD-3-Clause
// What is tested: MPI's functions or, with TORTURE_LIBRARY, those of liballtold, which has calls
// that the preload library leaves alone.
#pragma once

#include <mpi.h>

#ifdef TORTURE_LIBRARY

#include <alltold/alltold.h>

typedef alltold_request Request;
#define REQUEST_NULL ALLTOLD_REQUEST_NULL
#define BLOCKING(Name, name) alltold_##name
#define NONBLOCKING(name) alltold_i##name
#define PERSISTENT(Name, name) alltold_##name##_init
#define HAS_PERSISTENT 1
#define START alltold_start
#define REQUEST_FREE alltold_request_free

#else

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define PERSISTENT(Name, name) MPIX_##Name##_init
#define HAS_PERSISTENT 1
#elif defined(OPEN_MPI)
#define PERSISTENT(Name, name) MPI_##Name##_init
#define HAS_PERSISTENT 1
#else // MPICH's own fail in MPI_Testall, and 4.0's give wrong results when started again
#define HAS_PERSISTENT 0
#endif
typedef MPI_Request Request;
#define REQUEST_NULL MPI_REQUEST_NULL
#define BLOCKING(Name, name) MPI_##Name
#define NONBLOCKING(name) MPI_I##name
#define START MPI_Start
#define REQUEST_FREE MPI_Request_free

#endif

/// Tells liballtold that `comm` follows the rules, on the clusters and hosts of ./run. Collective.
void prepare_tested(MPI_Comm comm);
