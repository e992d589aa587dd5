// SPDX-License-Identifier: BSD-3-Clause
// Looking up what comes after us in the order of symbols.
#include "preload/functions.hpp"

#include <dlfcn.h>

namespace alltold::preload {
namespace {

const void* object_of(const void* address) {
    Dl_info info{};
    return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

template <typename Function>
void find(const char* name, Function& real, Function& behind) {
    void* const profiled = dlsym(RTLD_NEXT, name);
    real = reinterpret_cast<Function>(profiled);
    void* const plain = dlsym(RTLD_NEXT, name + 1);
    behind = object_of(plain) == object_of(profiled) ? nullptr : reinterpret_cast<Function>(plain);
}

#define TEXT(name) #name
#define EXPANDED_TEXT(name) TEXT(name)
#define PERSISTENT(name) EXPANDED_TEXT(ALLTOLD_PROFILED_PERSISTENT(name))

struct Found {
    Functions library, tool;
    Found() {
#define FIND(Name, name, ...) find("PMPI_" #Name, library.name, tool.name);
        ALLTOLD_COLLECTIVES(FIND)
        ALLTOLD_OTHER_FUNCTIONS(FIND)
#undef FIND
#define FIND(Name, name, ...) find("PMPI_I" #name, library.i##name, tool.i##name);
        ALLTOLD_COLLECTIVES(FIND)
#undef FIND
#define FIND(Name, name, ...)                                                                      \
    find("PMPI_" #Name "_c", library.name##_c, tool.name##_c);                                     \
    find("PMPI_I" #name "_c", library.i##name##_c, tool.i##name##_c);
        ALLTOLD_LARGE_COLLECTIVES(FIND)
#undef FIND
#ifdef ALLTOLD_PERSISTENT
#define FIND(Name, name, ...) find(PERSISTENT(Name), library.name##_init, tool.name##_init);
        ALLTOLD_COLLECTIVES(FIND)
        FIND(Reduce_scatter, reduce_scatter)
#undef FIND
#endif
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

int raise_error(MPI_Comm comm, int code) {
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

} // namespace alltold::preload
