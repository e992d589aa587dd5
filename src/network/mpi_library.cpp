// SPDX-License-Identifier: BSD-3-Clause
#include "network/mpi_library.hpp"

namespace alltold {

MpiLibrary library_named(std::string_view version) {
    if (version.starts_with("Open MPI"))
        return MpiLibrary::open_mpi;
    return version.starts_with("MPICH") ? MpiLibrary::mpich : MpiLibrary::other;
}

std::string_view name_of(MpiLibrary library) {
    return library == MpiLibrary::open_mpi ? "Open MPI"
           : library == MpiLibrary::mpich  ? "MPICH"
                                           : "";
}

MpiLibrary known_defaults(std::string_view version) {
    for (const std::string_view known : {"Open MPI v4.1.", "Open MPI v5."})
        if (version.starts_with(known))
            return MpiLibrary::open_mpi;
    return MpiLibrary::other;
}

} // namespace alltold
