// SPDX-License-Identifier: BSD-3-Clause
// MPI's return codes as errors that carry the call, the code's text and the rank.
#pragma once

#include "core/result.hpp"

namespace alltold::mpi {

/// Success, or an environment error "CALL failed on rank R: TEXT (code C)".
/// `call` is the MPI function's name. The error's `code` is `code`. Local; sends nothing.
Status check(int code, const char* call);

/// check() of a call of MPI's function `name`, without its prefix, with these arguments.
#define ALLTOLD_PMPI(name, ...) ::alltold::mpi::check(PMPI_##name(__VA_ARGS__), "MPI_" #name)

/// The code that an MPI function returns for `status`: MPI_ERR_OTHER where the error has none.
int code_of(const Status& status);

/// A caller's argument that MPI would refuse with an error of this class (its `code`).
Error argument_error(int mpi_class, const char* what);

Error out_of_memory();

} // namespace alltold::mpi
