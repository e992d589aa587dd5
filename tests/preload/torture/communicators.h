// SPDX-License-Identifier: BSD-3-Clause
// Communicators that come and go, made in various ways of a thread's own.
#pragma once

#include <mpi.h>

#include "random.h"

enum { communicator_count = 5 };

typedef struct {
    MPI_Comm parent;
    MPI_Comm comms[communicator_count]; ///< MPI_COMM_NULL where this rank does not take part
} Communicators;

/// Collective over `parent`, which must be one nobody else uses.
void make_communicators(Communicators* all, Random* shared, MPI_Comm parent);
/// Frees number `i` and makes another in its place; collective over the parent.
void replace_communicator(Communicators* all, Random* shared, int i);
void free_communicators(Communicators* all);
