// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions of the program's calls, defined in front of the MPI library.
//
// Both names of each are defined. A program's call comes to MPI_; where a tool stands behind us, it
// is handed on to the tool. The tool's own PMPI_ call, as that of a tool before us, and as those of
// the libraries' Fortran bindings, comes to PMPI_, which does the work.
#include "preload/calls.hpp"

using namespace alltold;
using namespace alltold::preload;

/// Both forms of a function, named `Name##suffix` and so on.
#define DEFINE_FORMS(Name, name, suffix, PARAMETERS, ARGUMENTS, ...)                               \
    int PMPI_##Name##suffix(ALLTOLD_LEADING PARAMETERS MPI_Comm comm) {                            \
        const InCollective timed;                                                                  \
        return blocking(ProgramCommunicator::of(comm), comm, __VA_ARGS__,                          \
                        [&] { return library().name##suffix(ALLTOLD_LEADING ARGUMENTS comm); });   \
    }                                                                                              \
    int PMPI_I##name##suffix(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Request* request) {     \
        return nonblocking(                                                                        \
            ProgramCommunicator::of(comm), comm, __VA_ARGS__, request, [&](MPI_Comm on) {          \
                return library().i##name##suffix(ALLTOLD_LEADING ARGUMENTS on, request);           \
            });                                                                                    \
    }                                                                                              \
    ALLTOLD_FORWARD(MPI_##Name##suffix, PMPI_##Name##suffix, name##suffix,                         \
                    (ALLTOLD_LEADING PARAMETERS MPI_Comm comm), (ALLTOLD_LEADING ARGUMENTS comm))  \
    ALLTOLD_FORWARD(MPI_I##name##suffix, PMPI_I##name##suffix, i##name##suffix,                    \
                    (ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Request * request),             \
                    (ALLTOLD_LEADING ARGUMENTS comm, request))

namespace small_counts {
using Count = int;
using Displacement = int;
extern "C" {
#define DEFINE(Name, name, ...) DEFINE_FORMS(Name, name, , __VA_ARGS__)
ALLTOLD_COLLECTIVES(DEFINE)
#undef DEFINE
} // extern "C"
} // namespace small_counts

// A rank may call these where others call those above.
namespace large_counts {
using Count = MPI_Count;
using Displacement = MPI_Aint;
extern "C" {
#define DEFINE(Name, name, ...) DEFINE_FORMS(Name, name, _c, __VA_ARGS__)
ALLTOLD_LARGE_COLLECTIVES(DEFINE)
#undef DEFINE
} // extern "C"
} // namespace large_counts
#undef DEFINE_FORMS

extern "C" {
#define DEFINE(Name, name, PARAMETERS, ARGUMENTS)                                                  \
    int PMPI_##Name PARAMETERS {                                                                   \
        retire_for(op);                                                                            \
        return library().name ARGUMENTS;                                                           \
    }
ALLTOLD_OPERATOR_FUNCTIONS(DEFINE)
#undef DEFINE
ALLTOLD_OPERATOR_FUNCTIONS(ALLTOLD_FORWARD_ROW)
} // extern "C"
