// SPDX-License-Identifier: BSD-3-Clause
// MPI_Request_get_status, which polls no generalized request in MPICH.
#include "preload/progress.hpp"
#include "preload/real.hpp"

#ifdef MPICH_VERSION

using namespace alltold::preload;

extern "C" {

int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    poll_request(request);
    return library().request_get_status(request, flag, status);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    const auto next = tool().request_get_status;
    return next ? next(request, flag, status) : PMPI_Request_get_status(request, flag, status);
}

} // extern "C"

#endif
