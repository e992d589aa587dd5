// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mpi/all_initialised.hpp"

#include <cstddef>

#include <dlfcn.h>
#include <mpi.h>

namespace alltold::mpi {

void wait_until_all_are_initialised() {
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
    // Without a message of MPI. The library that MPI_Init used is loaded, or there is none.
    using Fence = int (*)(const void* processes, std::size_t, const void* directives, std::size_t);
    if (const auto fence = reinterpret_cast<Fence>(dlsym(RTLD_DEFAULT, "PMIx_Fence")))
        fence(nullptr, 0, nullptr, 0);
#endif
}

} // namespace alltold::mpi
