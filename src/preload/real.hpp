// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions behind ours: the library's own, and a tool's if one is loaded after us.
#pragma once

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

// Persistent collectives, where the MPI library has them and a progress engine that calls us.
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#define ALLTOLD_PERSISTENT(name) MPI_##name##_init
#define ALLTOLD_PROFILED_PERSISTENT(name) PMPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLTOLD_PERSISTENT(name) MPIX_##name##_init
#define ALLTOLD_PROFILED_PERSISTENT(name) PMPIX_##name##_init
#endif

namespace alltold::preload {

/// The functions that we define in front of the MPI library, as it has them.
struct Functions {
    decltype(&PMPI_Init) init = nullptr;
    decltype(&PMPI_Init_thread) init_thread = nullptr;
    decltype(&PMPI_Finalize) finalize = nullptr;
    decltype(&PMPI_Bcast) bcast = nullptr;
    decltype(&PMPI_Scatter) scatter = nullptr;
    decltype(&PMPI_Gather) gather = nullptr;
    decltype(&PMPI_Alltoall) alltoall = nullptr;
    decltype(&PMPI_Alltoallv) alltoallv = nullptr;
    decltype(&PMPI_Ibcast) ibcast = nullptr;
    decltype(&PMPI_Iscatter) iscatter = nullptr;
    decltype(&PMPI_Igather) igather = nullptr;
    decltype(&PMPI_Ialltoall) ialltoall = nullptr;
    decltype(&PMPI_Ialltoallv) ialltoallv = nullptr;
#ifdef ALLTOLD_PERSISTENT
    decltype(&ALLTOLD_PROFILED_PERSISTENT(Bcast)) bcast_init = nullptr;
    decltype(&ALLTOLD_PROFILED_PERSISTENT(Scatter)) scatter_init = nullptr;
    decltype(&ALLTOLD_PROFILED_PERSISTENT(Gather)) gather_init = nullptr;
    decltype(&ALLTOLD_PROFILED_PERSISTENT(Alltoall)) alltoall_init = nullptr;
    decltype(&ALLTOLD_PROFILED_PERSISTENT(Alltoallv)) alltoallv_init = nullptr;
#endif
    decltype(&PMPI_Start) start = nullptr;
    decltype(&PMPI_Startall) startall = nullptr;
    decltype(&PMPI_Request_free) request_free = nullptr;
};

/// The MPI library's. Found when we are loaded.
const Functions& library();

/// Where a call of the program goes on from our MPI_ function: to a tool that is loaded after us
/// and has this function, whose PMPI_ call comes back to our PMPI_ function; null without a tool.
const Functions& tool();

} // namespace alltold::preload
