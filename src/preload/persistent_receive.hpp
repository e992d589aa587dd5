// SPDX-License-Identifier: BSD-3-Clause
// Requests that make_request() of a persistent call has made, for MPI's functions that are in
// front.
#pragma once

#include <mpi.h>

namespace alltold::preload {

/// Whether it is one of those.
bool is_ours(MPI_Request request);
/// MPI_Start for such a request.
int start_persistent(MPI_Request* request);
/// MPI_Request_free for such a request.
int free_persistent(MPI_Request* request);

} // namespace alltold::preload
