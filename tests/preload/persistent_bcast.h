/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Bcast_init under its name in the MPI library, where alltold takes it. */
#pragma once

#include <mpi.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#if OMPI_MAJOR_VERSION < 5
#define MPI_Bcast_init MPIX_Bcast_init
#endif
#define HAS_PERSISTENT 1
#else
#define HAS_PERSISTENT 0
#endif
