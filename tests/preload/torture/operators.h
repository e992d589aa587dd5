// SPDX-License-Identifier: BSD-3-Clause
// Operators of random reductions, with the type of their elements.
#pragma once

#include <mpi.h>

enum { operator_count = 8 };

typedef struct {
    MPI_Op op;
    MPI_Datatype type;
    int rounds; ///< results may differ by rounding, depending on the order
    const char* name;
} Operator;

/// Operator `number`, below operator_count; made at the first call, in any thread, for good.
const Operator* operator_number(int number);
