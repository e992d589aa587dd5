// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init and MPI_Finalize of the program, defined in front of the MPI library.
#include <algorithm>
#include <optional>

#include "core/environment.hpp"
#include "preload/functions.hpp"
#include "preload/job.hpp"
#include "preload/load.hpp"
#include "preload/progress_thread.hpp"

using namespace alltold::preload;

namespace {

/// The level that the program got, where the library runs at MPI_THREAD_MULTIPLE for our thread.
std::optional<int> level_of_program;

#ifdef MPICH_VERSION
constexpr const char* level_variable = "MPIR_CVAR_DEFAULT_THREAD_LEVEL";
#else
constexpr const char* level_variable = "OMPI_MPI_THREAD_LEVEL";
#endif

int init_for_thread(int* argc, char*** argv, int required) {
    int level = required;
    const int code = library().init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    level_of_program = std::min(required, level);
    return code;
}

} // namespace

extern "C" {

int PMPI_Init(int* argc, char*** argv) {
    check_library();
    // Whoever has set the level of MPI_Init gets it.
    const int code = ProgressThread::asked() && alltold::variable(level_variable).empty()
                         ? init_for_thread(argc, argv, MPI_THREAD_SINGLE)
                         : library().init(argc, argv);
    if (code == MPI_SUCCESS)
        Job::begin();
    return code;
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    check_library();
    int code = MPI_SUCCESS;
    if (ProgressThread::asked()) {
        code = init_for_thread(argc, argv, required);
        *provided = *level_of_program;
    } else {
        code = library().init_thread(argc, argv, required, provided);
    }
    if (code == MPI_SUCCESS)
        Job::begin();
    return code;
}

int PMPI_Query_thread(int* provided) {
    if (!level_of_program)
        return library().query_thread(provided);
    *provided = *level_of_program;
    return MPI_SUCCESS;
}

int PMPI_Finalize() {
    Job::end();
    return library().finalize();
}

#define SESSION_FINALIZE(Name, name, PARAMETERS, ARGUMENTS)                                        \
    int PMPI_##Name PARAMETERS {                                                                   \
        Job::end_session();                                                                        \
        return library().name ARGUMENTS;                                                           \
    }
ALLTOLD_SESSION_FUNCTIONS(SESSION_FINALIZE)
#undef SESSION_FINALIZE

ALLTOLD_JOB_FUNCTIONS(ALLTOLD_FORWARD_ROW)
ALLTOLD_SESSION_FUNCTIONS(ALLTOLD_FORWARD_ROW)

} // extern "C"
