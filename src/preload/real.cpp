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
#define FIND(Name, name, ...)                                                                      \
    find("PMPI_" #Name, library.name, tool.name);                                                  \
    find("PMPI_I" #name, library.i##name, tool.i##name);
        ALLTOLD_COLLECTIVES(FIND)
#undef FIND
#ifdef ALLTOLD_PERSISTENT
#define FIND_PERSISTENT(Name, name, ...)                                                           \
    find(PERSISTENT(Name), library.name##_init, tool.name##_init);
        ALLTOLD_COLLECTIVES(FIND_PERSISTENT)
#undef FIND_PERSISTENT
#endif
        find("PMPI_Start", library.start, tool.start);
        find("PMPI_Startall", library.startall, tool.startall);
        find("PMPI_Request_free", library.request_free, tool.request_free);
        find("PMPI_Request_get_status", library.request_get_status, tool.request_get_status);
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
