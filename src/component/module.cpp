// SPDX-License-Identifier: BSD-3-Clause
// The component's module of a communicator: its functions run the program's calls by our decisions,
// and "the library's own" are the functions that were selected before it.
#include "ompi_config.h"

#include "component/component.h"
#include "component/release.h"

#include "core/environment.hpp"
#include "core/text.hpp"
#include "preload/calls.hpp"

using namespace alltold;
using namespace alltold::preload;

namespace {

#define IN_FRONT(ROW)                                                                              \
    ALLTOLD_COLLECTIVES(ROW)                                                                       \
    ALLTOLD_OTHER_VECTORS(ROW)

/// The functions that we put ours in front of, each with its module; null where there was none.
struct Below {
#define MEMBER(Name, name, ...)                                                                    \
    decltype(mca_coll_base_module_t::coll_##name) name;                                            \
    mca_coll_base_module_t* name##_module;
    IN_FRONT(MEMBER)
#undef MEMBER
};

/// Open MPI makes and frees it by its class.
struct Module {
    mca_coll_base_module_t base;
    Below below;
    /// Null once the functions of the communicator are those below again, since none of ours runs.
    MPI_Comm comm;

    /// Our state of the communicator; null where the library runs the call. Collectives that the
    /// library calls while it runs one of its own, or makes a communicator for us, are its own.
    ProgramCommunicator* enter() {
        if (!comm || OwnCalls::any() || !Job::present())
            return nullptr;
        auto* const mine = ProgramCommunicator::of(comm);
        if (!mine)
            leave();
        return mine;
    }
    void leave();
};

using Count = int;
using Displacement = int;

#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, mca_coll_base_module_t* base) {             \
        auto& module = *reinterpret_cast<Module*>(base);                                           \
        const auto below = [&] {                                                                   \
            return module.below.name(ALLTOLD_LEADING ARGUMENTS comm, module.below.name##_module);  \
        };                                                                                         \
        auto* const mine = module.enter();                                                         \
        if (!mine)                                                                                 \
            return below();                                                                        \
        const OwnCalls own;                                                                        \
        const InCollective timed;                                                                  \
        return blocking(mine, comm, __VA_ARGS__, below);              \
    }
ALLTOLD_COLLECTIVES(DEFINE)
#undef DEFINE

// The library makes some of these from others, of parts that are its own.
#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, mca_coll_base_module_t* base) {             \
        const auto& below = reinterpret_cast<Module*>(base)->below;                                \
        const OwnCalls own;                                                                        \
        return below.name(ALLTOLD_LEADING ARGUMENTS comm, below.name##_module);                    \
    }
ALLTOLD_OTHER_VECTORS(DEFINE)
#undef DEFINE

/// Puts the functions of ours that have something below them in front.
int enable(mca_coll_base_module_t* base, MPI_Comm comm) {
    auto& module = *reinterpret_cast<Module*>(base);
    module.comm = comm;
#define ENABLE(Name, name, ...)                                                                    \
    if (comm->c_coll->coll_##name) {                                                               \
        module.below.name = comm->c_coll->coll_##name;                                             \
        module.below.name##_module = comm->c_coll->coll_##name##_module;                           \
        OBJ_RETAIN(module.below.name##_module);                                                    \
        base->coll_##name = name;                                                                  \
    }
    IN_FRONT(ENABLE)
#undef ENABLE
    return OMPI_SUCCESS;
}

void Module::leave() {
#define LEAVE(Name, name, ...)                                                                     \
    if (comm->c_coll->coll_##name##_module == &base) {                                             \
        comm->c_coll->coll_##name = below.name;                                                    \
        comm->c_coll->coll_##name##_module = below.name##_module;                                  \
    }
    IN_FRONT(LEAVE)
#undef LEAVE
    comm = nullptr;
}

void construct(Module* module) {
    module->base.coll_module_enable = enable;
    module->below = {};
    module->comm = nullptr;
}

void destruct(Module* module) {
#define RELEASE(Name, name, ...)                                                                   \
    if (module->below.name##_module)                                                               \
        OBJ_RELEASE(module->below.name##_module);
    IN_FRONT(RELEASE)
#undef RELEASE
}

OBJ_CLASS_INSTANCE(Module, mca_coll_base_module_t, construct, destruct);

bool begun = false;

} // namespace

extern "C" {

const char* alltold_component_version() {
    return version;
}

void alltold_component_say(const char* line) {
    if (const auto process = launched_process(); !process || process->rank == 0)
        say(line);
}

void alltold_component_begin() {
    const OwnCalls own;
    Job::begin();
    begun = true;
    if (!Job::present())
        alltold_component_leave_world();
}

void alltold_component_end() {
    const OwnCalls own;
    Job::end();
}

int alltold_component_runs() {
    return !begun || Job::present();
}

void* alltold_component_module() {
    return OBJ_NEW(Module);
}

void alltold_component_leave_world() {
    begun = true;
    auto* const base = MPI_COMM_WORLD->c_coll->coll_barrier_module;
    if (base && base->super.obj_class == OBJ_CLASS(Module))
        reinterpret_cast<Module*>(base)->leave();
}

} // extern "C"
