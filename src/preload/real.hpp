// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions behind ours: the library's own, and a tool's if one is loaded after us.
#pragma once

#include "preload/functions.hpp"

namespace alltold::preload {

/// The functions that we define in front of the MPI library, as it has them: bcast, ibcast,
/// bcast_init and so on.
struct Functions {
    decltype(&PMPI_Init) init = nullptr;
    decltype(&PMPI_Init_thread) init_thread = nullptr;
    decltype(&PMPI_Finalize) finalize = nullptr;
#define ALLTOLD_MEMBERS(Name, name, ...)                                                           \
    decltype(&PMPI_##Name) name = nullptr;                                                         \
    decltype(&PMPI_I##name) i##name = nullptr;
    ALLTOLD_COLLECTIVES(ALLTOLD_MEMBERS)
#undef ALLTOLD_MEMBERS
#ifdef ALLTOLD_PERSISTENT
#define ALLTOLD_MEMBERS(Name, name, ...)                                                           \
    decltype(&ALLTOLD_PROFILED_PERSISTENT(Name)) name##_init = nullptr;
    ALLTOLD_COLLECTIVES(ALLTOLD_MEMBERS)
#undef ALLTOLD_MEMBERS
#endif
    decltype(&PMPI_Start) start = nullptr;
    decltype(&PMPI_Startall) startall = nullptr;
    decltype(&PMPI_Request_free) request_free = nullptr;
    decltype(&PMPI_Request_get_status) request_get_status = nullptr;
};

/// The MPI library's. Found when we are loaded. What we send by collectives ourselves goes through
/// these, since PMPI_ functions are ours as well.
const Functions& library();

/// Where a call of the program goes on from our MPI_ function: to a tool that is loaded after us
/// and has this function, whose PMPI_ call comes back to our PMPI_ function; null without a tool.
const Functions& tool();

} // namespace alltold::preload
