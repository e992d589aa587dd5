// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own collectives, whatever is loaded in front of it.
#pragma once

#include <mpi.h>

#include "collectives.h"

/// PMPI functions may be taken as well, so these come from the library's file.
typedef struct {
#define MEMBER(name, Name, ...) __typeof__(&PMPI_##Name) Name;
    COLLECTIVES(MEMBER)
#undef MEMBER
} Library;

const Library* library(void);
/// The communicator on which the functions of library() run the library's own calls for `comm`. With
/// LIBRARY_APART in the environment a duplicate that alltold's component of Open MPI leaves alone, made at
/// the first call; collective. Else `comm`.
MPI_Comm library_comm(MPI_Comm comm);
