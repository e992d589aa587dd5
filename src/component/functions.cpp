// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own functions, as the rest of alltold calls them.
#include "preload/functions.hpp"

namespace alltold::preload {

/// Collectives come to our modules, which hand on those of ours (OwnCalls).
const Functions& library() {
    static const Functions all = [] {
        Functions functions;
#define FIND(Name, name, ...) functions.name = PMPI_##Name;
        ALLTOLD_COLLECTIVES(FIND)
        ALLTOLD_OTHER_FUNCTIONS(FIND)
#undef FIND
#define FIND(Name, name, ...) functions.i##name = PMPI_I##name;
        ALLTOLD_COLLECTIVES(FIND)
#undef FIND
        return functions;
    }();
    return all;
}

/// Open MPI calls the handler when our function has returned.
int raise_error(MPI_Comm, int code) {
    return code;
}

} // namespace alltold::preload
