// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init and MPI_Finalize of the program, defined in front of the MPI library.
#include "preload/job.hpp"
#include "preload/real.hpp"

using namespace alltold::preload;

extern "C" {

int PMPI_Init(int* argc, char*** argv) {
    const int code = library().init(argc, argv);
    if (code == MPI_SUCCESS)
        Job::begin();
    return code;
}

int MPI_Init(int* argc, char*** argv) {
    const auto next = tool().init;
    return next ? next(argc, argv) : PMPI_Init(argc, argv);
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int code = library().init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS)
        Job::begin();
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const auto next = tool().init_thread;
    return next ? next(argc, argv, required, provided)
                : PMPI_Init_thread(argc, argv, required, provided);
}

int PMPI_Finalize() {
    Job::end();
    return library().finalize();
}

int MPI_Finalize() {
    const auto next = tool().finalize;
    return next ? next() : PMPI_Finalize();
}

} // extern "C"
