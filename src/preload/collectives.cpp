// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions of the program's calls, defined in front of the MPI library.
//
// Both names of each are defined. A program's call comes to MPI_; where a tool stands behind us, it
// is handed on to the tool. The tool's own PMPI_ call, as that of a tool before us, and as those of
// the libraries' Fortran bindings, comes to PMPI_, which does the work.
#include "preload/calls.hpp"

using namespace alltold;
using namespace alltold::preload;

extern "C" {

#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int PMPI_##Name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm) {                                    \
        return blocking(comm, __VA_ARGS__,                                                         \
                        [&] { return library().name(ALLTOLD_LEADING ARGUMENTS comm); });           \
    }                                                                                              \
    int PMPI_I##name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Request* request) {             \
        return nonblocking(comm, __VA_ARGS__, request, [&] {                                       \
            return library().i##name(ALLTOLD_LEADING ARGUMENTS comm, request);                     \
        });                                                                                        \
    }                                                                                              \
    ALLTOLD_FORWARD(MPI_##Name, PMPI_##Name, name, (ALLTOLD_LEADING PARAMETERS MPI_Comm comm),     \
                    (ALLTOLD_LEADING ARGUMENTS comm))                                              \
    ALLTOLD_FORWARD(MPI_I##name, PMPI_I##name, i##name,                                            \
                    (ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Request * request),             \
                    (ALLTOLD_LEADING ARGUMENTS comm, request))
ALLTOLD_COLLECTIVES(DEFINE)
#undef DEFINE

} // extern "C"
