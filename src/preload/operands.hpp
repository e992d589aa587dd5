// SPDX-License-Identifier: BSD-3-Clause
// Which operators MPI has for which types, and whose results depend on the order of combining.
#pragma once

#include <mpi.h>

namespace alltold::preload {

/// An operator with the type of a reduction.
struct Operands {
    /// Whether MPI defines it, so that PMPI_Reduce_local takes it. False for what we do not know as
    /// well: the MPI library carries it out, or says what is wrong.
    bool known = false;
    /// Whether every order gives the same bits (NaN and the sign of 0 aside). False for sums and
    /// products that are rounded, and for operators of the program.
    bool exact = false;
};

/// Local, and quick for the pair that was asked for last. `type` is no null type.
Operands operands_of(MPI_Op op, MPI_Datatype type);

} // namespace alltold::preload
