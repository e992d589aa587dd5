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
