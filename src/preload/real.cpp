// SPDX-License-Identifier: BSD-3-Clause
// Looking up what comes after us in the order of symbols.
#include "preload/real.hpp"

#include <dlfcn.h>

namespace alltold::preload {
namespace {

const void* object_of(const void* address) {
    Dl_info info{};
    return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

template <typename Function>
void find(const char* name, Function& real, Function& behind) {
    void* const own = dlsym(RTLD_NEXT, name);
    real = reinterpret_cast<Function>(own);
    void* const profiled = dlsym(RTLD_NEXT, name + 1);
    behind = object_of(profiled) == object_of(own) ? nullptr : reinterpret_cast<Function>(profiled);
}

#define TEXT(name) #name
#define EXPANDED_TEXT(name) TEXT(name)
#define PERSISTENT(name) EXPANDED_TEXT(ALLTOLD_PROFILED_PERSISTENT(name))

struct Found {
    Functions library, tool;
    Found() {
        find("PMPI_Init", library.init, tool.init);
        find("PMPI_Init_thread", library.init_thread, tool.init_thread);
        find("PMPI_Finalize", library.finalize, tool.finalize);
        find("PMPI_Bcast", library.bcast, tool.bcast);
        find("PMPI_Scatter", library.scatter, tool.scatter);
        find("PMPI_Gather", library.gather, tool.gather);
        find("PMPI_Alltoall", library.alltoall, tool.alltoall);
        find("PMPI_Alltoallv", library.alltoallv, tool.alltoallv);
        find("PMPI_Ibcast", library.ibcast, tool.ibcast);
        find("PMPI_Iscatter", library.iscatter, tool.iscatter);
        find("PMPI_Igather", library.igather, tool.igather);
        find("PMPI_Ialltoall", library.ialltoall, tool.ialltoall);
        find("PMPI_Ialltoallv", library.ialltoallv, tool.ialltoallv);
#ifdef ALLTOLD_PERSISTENT
        find(PERSISTENT(Bcast), library.bcast_init, tool.bcast_init);
        find(PERSISTENT(Scatter), library.scatter_init, tool.scatter_init);
        find(PERSISTENT(Gather), library.gather_init, tool.gather_init);
        find(PERSISTENT(Alltoall), library.alltoall_init, tool.alltoall_init);
        find(PERSISTENT(Alltoallv), library.alltoallv_init, tool.alltoallv_init);
#endif
        find("PMPI_Start", library.start, tool.start);
        find("PMPI_Startall", library.startall, tool.startall);
        find("PMPI_Request_free", library.request_free, tool.request_free);
    }
};

const Found& found() {
    static const Found once;
    return once;
}

} // namespace

const Functions& library() {
    return found().library;
}

const Functions& tool() {
    return found().tool;
}

} // namespace alltold::preload
