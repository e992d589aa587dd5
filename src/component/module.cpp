// SPDX-License-Identifier: BSD-3-Clause
// The component's module of a communicator: its functions run the program's calls by our decisions,
// and "the library's own" are the functions that were selected before it.
#include "ompi_config.h"

#include "component/component.h"
#include "component/release.h"

#include "core/environment.hpp"
#include "core/text.hpp"
#include "preload/persistent_calls.hpp"

using namespace alltold;
using namespace alltold::preload;

namespace {

#define ONE_FORM(Name, name, ...) OF(name)
#define ALL_FORMS(Name, name, ...) OF(name) OF(i##name) OF(name##_init)
/// Defines with OF(name) something for every function that we put in front.
#define IN_FRONT                                                                                   \
    ALLTOLD_COLLECTIVES(ALL_FORMS)                                                                 \
    ALLTOLD_OTHER_VECTORS(ONE_FORM)

/// The functions that we put ours in front of, each with its module; null where there was none.
struct Below {
#define OF(name)                                                                                   \
    decltype(mca_coll_base_module_t::coll_##name) name;                                            \
    mca_coll_base_module_t* name##_module;
    IN_FRONT
#undef OF
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

/// Whether a call may be one that Open MPI makes for purposes of its own and that must not run
/// ours, alike on all ranks.
///
/// The collectives of intercommunicators broadcast on the local ranks with types that are of no use
/// outside: their envelope is an error.
bool is_internal(const Arguments& arguments) {
    return arguments.collective == Collective::bcast && !arguments.receive.type->args &&
           !ompi_datatype_is_predefined(arguments.receive.type);
}
/// It agrees on the number of a new communicator by nonblocking calls of one integer each, from
/// inside its progress engine, where calls of ours must not start.
bool is_nonblocking_internal(const Arguments& arguments) {
    switch (arguments.collective) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::allreduce:
        return static_cast<std::size_t>(arguments.receive.count) *
                   arguments.receive.type->super.size ==
               sizeof(int);
    default:
        return false;
    }
}
bool is_internal(const VectorSide&, const VectorSide&) {
    return false;
}
bool is_nonblocking_internal(const VectorSide&, const VectorSide&) {
    return false;
}

using Count = int;
using Displacement = int;

#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, mca_coll_base_module_t* base) {             \
        auto& module = *reinterpret_cast<Module*>(base);                                           \
        const auto below = [&] {                                                                   \
            return module.below.name(ALLTOLD_LEADING ARGUMENTS comm, module.below.name##_module);  \
        };                                                                                         \
        auto* const mine = is_internal(__VA_ARGS__) ? nullptr : module.enter();                    \
        if (!mine)                                                                                 \
            return below();                                                                        \
        const OwnCalls own;                                                                        \
        const InCollective timed;                                                                  \
        return blocking(mine, comm, __VA_ARGS__, below);                                           \
    }                                                                                              \
    int i##name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Request* request,                    \
                mca_coll_base_module_t* base) {                                                    \
        auto& module = *reinterpret_cast<Module*>(base);                                           \
        const auto library_on = [&](MPI_Comm on) {                                                 \
            return on == comm ? module.below.i##name(ALLTOLD_LEADING ARGUMENTS comm, request,      \
                                                     module.below.i##name##_module)                \
                              : library().i##name(ALLTOLD_LEADING ARGUMENTS on, request);          \
        };                                                                                         \
        auto* const mine = is_nonblocking_internal(__VA_ARGS__) ? nullptr : module.enter();        \
        if (!mine)                                                                                 \
            return library_on(comm);                                                               \
        const OwnCalls own;                                                                        \
        return nonblocking(mine, comm, __VA_ARGS__, request, library_on);                          \
    }                                                                                              \
    int name##_init(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info info, MPI_Request* request, \
                    mca_coll_base_module_t* base) {                                                \
        auto& module = *reinterpret_cast<Module*>(base);                                           \
        const auto below = [&] {                                                                   \
            return module.below.name##_init(ALLTOLD_LEADING ARGUMENTS comm, info, request,         \
                                            module.below.name##_init_module);                      \
        };                                                                                         \
        auto* const mine = module.enter();                                                         \
        if (!mine)                                                                                 \
            return below();                                                                        \
        const OwnCalls own;                                                                        \
        return persistent(mine, comm, __VA_ARGS__, request, below);                                \
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
#define OF(name)                                                                                   \
    if (comm->c_coll->coll_##name) {                                                               \
        module.below.name = comm->c_coll->coll_##name;                                             \
        module.below.name##_module = comm->c_coll->coll_##name##_module;                           \
        OBJ_RETAIN(module.below.name##_module);                                                    \
        base->coll_##name = name;                                                                  \
    }
    IN_FRONT
#undef OF
    return OMPI_SUCCESS;
}

void Module::leave() {
#define OF(name)                                                                                   \
    if (comm->c_coll->coll_##name##_module == &base) {                                             \
        comm->c_coll->coll_##name = below.name;                                                    \
        comm->c_coll->coll_##name##_module = below.name##_module;                                  \
    }
    IN_FRONT
#undef OF
    comm = nullptr;
}

void construct(Module* module) {
    module->base.coll_module_enable = enable;
    module->below = {};
    module->comm = nullptr;
}

void destruct(Module* module) {
#define OF(name)                                                                                   \
    if (module->below.name##_module)                                                               \
        OBJ_RELEASE(module->below.name##_module);
    IN_FRONT
#undef OF
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

int alltold_component_runs(int ranks) {
    auto* const job = Job::present();
    return !begun || (job && job->may_concern(ranks));
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
