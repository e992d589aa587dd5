// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init and MPI_Finalize of the program, defined in front of the MPI library.
#include "preload/functions.hpp"
#include "preload/job.hpp"
#include "preload/load.hpp"

using namespace alltold::preload;

extern "C" {

int PMPI_Init(int* argc, char*** argv) {
    check_library();
    const int code = library().init(argc, argv);
    if (code == MPI_SUCCESS)
        Job::begin();
    return code;
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    check_library();
    const int code = library().init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS)
        Job::begin();
    return code;
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
