// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions that we intercept, and those behind ours: the library's own, and a tool's if
// one is loaded after us.
#pragma once

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "runtime/collective_table.hpp"

// Persistent collectives, where the MPI library has them and a progress engine that calls us.
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#define ALLTOLD_PERSISTENT(name) MPI_##name##_init
#define ALLTOLD_PROFILED_PERSISTENT(name) PMPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define ALLTOLD_PERSISTENT(name) MPIX_##name##_init
#define ALLTOLD_PROFILED_PERSISTENT(name) PMPIX_##name##_init
#endif

// Open MPI 5's Fortran functions with a count for every rank write into the request that the C
// function returned, as if it were one of the library's own.
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
inline constexpr bool vector_requests_are_the_librarys = true;
#else
inline constexpr bool vector_requests_are_the_librarys = false;
#endif

#define ALLTOLD_COLLECTIVES(ROW)                                                                   \
    ALLTOLD_REGULAR_COLLECTIVES(ROW)                                                               \
    ALLTOLD_ALLTOALLV(ROW)
/// Those that have forms for large counts, which end in _c, from MPI 4 on.
#if MPI_VERSION >= 4
#define ALLTOLD_LARGE_COLLECTIVES(ROW)                                                             \
    ALLTOLD_BLOCK_COLLECTIVES(ROW)                                                                 \
    ALLTOLD_ALLTOALLV(ROW)
#else
#define ALLTOLD_LARGE_COLLECTIVES(ROW)
#endif

/// The other functions that we intercept; rows as those of collectives, with all parameters.
#define ALLTOLD_OTHER_FUNCTIONS(ROW)                                                               \
    ALLTOLD_JOB_FUNCTIONS(ROW)                                                                     \
    ALLTOLD_SESSION_FUNCTIONS(ROW)                                                                 \
    ALLTOLD_PERSISTENT_FUNCTIONS(ROW)                                                              \
    ALLTOLD_STATUS_FUNCTIONS(ROW)                                                                  \
    ALLTOLD_OPERATOR_FUNCTIONS(ROW)
#define ALLTOLD_JOB_FUNCTIONS(ROW)                                                                 \
    ROW(Init, init, (int* argc, char*** argv), (argc, argv))                                       \
    ROW(Init_thread, init_thread, (int* argc, char*** argv, int required, int* provided),          \
        (argc, argv, required, provided))                                                          \
    ROW(Query_thread, query_thread, (int* provided), (provided))                                   \
    ROW(Finalize, finalize, (), ())
#if MPI_VERSION >= 4 || (defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5)
#define ALLTOLD_SESSION_FUNCTIONS(ROW)                                                             \
    ROW(Session_finalize, session_finalize, (MPI_Session * session), (session))
#else
#define ALLTOLD_SESSION_FUNCTIONS(ROW)
#endif
#define ALLTOLD_PERSISTENT_FUNCTIONS(ROW)                                                          \
    ROW(Start, start, (MPI_Request * request), (request))                                          \
    ROW(Startall, startall, (int count, MPI_Request* requests), (count, requests))                 \
    ROW(Request_free, request_free, (MPI_Request * request), (request))
#define ALLTOLD_STATUS_FUNCTIONS(ROW)                                                              \
    ROW(Request_get_status, request_get_status,                                                    \
        (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status))

/// Calls of the library's own that may run an operator of the program at any time.
#define ALLTOLD_OPERATOR_FUNCTIONS(ROW)                                                            \
    ROW(Ireduce_scatter, ireduce_scatter,                                                          \
        (const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,         \
         MPI_Comm comm, MPI_Request* request),                                                     \
        (send, receive, counts, type, op, comm, request))                                          \
    ALLTOLD_LARGE_OPERATOR_FUNCTIONS(ROW)
#if MPI_VERSION >= 4
#define ALLTOLD_LARGE_OPERATOR_FUNCTIONS(ROW)                                                      \
    ROW(Ireduce_scatter_c, ireduce_scatter_c,                                                      \
        (const void* send, void* receive, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,   \
         MPI_Comm comm, MPI_Request* request),                                                     \
        (send, receive, counts, type, op, comm, request))
#else
#define ALLTOLD_LARGE_OPERATOR_FUNCTIONS(ROW)
#endif

/// Defines the program's function in front of our PMPI_ function.
#define ALLTOLD_FORWARD(function, profiled, member, PARAMETERS, ARGUMENTS)                         \
    int function PARAMETERS {                                                                      \
        const auto next = tool().member ? tool().member : profiled;                                \
        return next ARGUMENTS;                                                                     \
    }
#define ALLTOLD_FORWARD_ROW(Name, name, PARAMETERS, ARGUMENTS)                                     \
    ALLTOLD_FORWARD(MPI_##Name, PMPI_##Name, name, PARAMETERS, ARGUMENTS)

namespace alltold::preload {

/// The functions that we define in front of the MPI library, as it has them: bcast, ibcast,
/// bcast_c, bcast_init and so on.
struct Functions {
#define ALLTOLD_MEMBER(Name, name, ...) decltype(&PMPI_##Name) name = nullptr;
    ALLTOLD_COLLECTIVES(ALLTOLD_MEMBER)
    ALLTOLD_OTHER_FUNCTIONS(ALLTOLD_MEMBER)
#undef ALLTOLD_MEMBER
#define ALLTOLD_MEMBER(Name, name, ...) decltype(&PMPI_I##name) i##name = nullptr;
    ALLTOLD_COLLECTIVES(ALLTOLD_MEMBER)
#undef ALLTOLD_MEMBER
#define ALLTOLD_MEMBER(Name, name, ...)                                                            \
    decltype(&PMPI_##Name##_c) name##_c = nullptr;                                                 \
    decltype(&PMPI_I##name##_c) i##name##_c = nullptr;
    ALLTOLD_LARGE_COLLECTIVES(ALLTOLD_MEMBER)
#undef ALLTOLD_MEMBER
#ifdef ALLTOLD_PERSISTENT
#define ALLTOLD_MEMBER(Name, name, ...)                                                            \
    decltype(&ALLTOLD_PROFILED_PERSISTENT(Name)) name##_init = nullptr;
    ALLTOLD_COLLECTIVES(ALLTOLD_MEMBER)
    ALLTOLD_MEMBER(Reduce_scatter, reduce_scatter)
#undef ALLTOLD_MEMBER
#endif
};

/// The MPI library's. What we send by collectives ourselves goes through these, since PMPI_
/// functions are ours as well in the preload library.
const Functions& library();

/// Hands an error of one of the program's calls on `comm` to its error handler, as MPI does, and
/// returns it.
int raise_error(MPI_Comm comm, int code);

/// Lives while this thread is in code of ours. In a component of Open MPI, the collectives that it
/// calls then, and those that the library calls for it, are the library's own.
class OwnCalls {
  public:
    OwnCalls() { ++depth; }
    ~OwnCalls() { --depth; }
    OwnCalls(const OwnCalls&) = delete;
    OwnCalls& operator=(const OwnCalls&) = delete;

    static bool any() { return depth > 0; }

  private:
    [[gnu::tls_model("initial-exec")]] static inline constinit thread_local int depth = 0;
};

/// The functions of a tool that is loaded after us, to which our MPI_ function hands on a call of
/// the program. The tool's PMPI_ call comes back to our PMPI_ function. Null without a tool.
const Functions& tool();

} // namespace alltold::preload
