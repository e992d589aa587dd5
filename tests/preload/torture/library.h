// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own collectives, whatever is loaded in front of it.
#pragma once

#include <mpi.h>

/// PMPI functions may be taken as well, so these come from the library's file.
typedef struct {
    __typeof__(&PMPI_Bcast) Bcast;
    __typeof__(&PMPI_Scatter) Scatter;
    __typeof__(&PMPI_Gather) Gather;
    __typeof__(&PMPI_Alltoall) Alltoall;
    __typeof__(&PMPI_Alltoallv) Alltoallv;
} Library;

const Library* library(void);
