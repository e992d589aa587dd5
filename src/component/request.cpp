// SPDX-License-Identifier: BSD-3-Clause
// Requests of nonblocking and persistent calls, as Open MPI's own collectives have them.
#include "ompi_config.h"

#include "component/release.h"

#include "preload/functions.hpp"
#include "preload/persistent.hpp"
#include "preload/request.hpp"

using namespace alltold::preload;

namespace {

/// Open MPI keeps the types and operators of a call in a request of this kind until it is complete.
struct Request {
    ompi_coll_base_nbc_request_t base;
    OpenRequest* call;          ///< of a nonblocking call
    PersistentCall* persistent; ///< or of a persistent one
};

void construct(Request* request) {
    request->call = nullptr;
    request->persistent = nullptr;
}

void destruct(Request* request) {
    const OwnCalls own;
    delete request->call;
    delete request->persistent;
    OBJ_RELEASE(request->base.super.req_mpi_object.comm);
}

OBJ_CLASS_INSTANCE(Request, ompi_coll_base_nbc_request_t, construct, destruct);

int release(MPI_Request* handle) {
    auto* request = reinterpret_cast<Request*>(*handle);
    while (!REQUEST_COMPLETE(*handle)) // MPI allows to free only what is
        opal_progress();
    OMPI_REQUEST_FINI(*handle);
    OBJ_RELEASE(request);
    *handle = MPI_REQUEST_NULL;
    return OMPI_SUCCESS;
}

/// MPI forbids to cancel a collective.
int cancel(MPI_Request, int) {
    return MPI_ERR_REQUEST;
}

int start(std::size_t count, MPI_Request* requests) {
    const OwnCalls own;
    for (std::size_t i = 0; i < count; ++i) {
        requests[i]->req_status.MPI_ERROR = MPI_SUCCESS;
        requests[i]->req_complete = REQUEST_PENDING;
        requests[i]->req_state = OMPI_REQUEST_ACTIVE;
        reinterpret_cast<Request*>(requests[i])->persistent->start();
    }
    return OMPI_SUCCESS;
}

/// Null where memory is short. The communicator's error handler takes errors, whenever they come.
Request* make(MPI_Comm comm, bool persistent) {
    auto* const made = OBJ_NEW(Request);
    if (!made)
        return nullptr;
    auto& request = made->base.super;
    OMPI_REQUEST_INIT(&request, persistent);
    request.req_type = OMPI_REQUEST_PML; // errors of others go to the handler of MPI_COMM_WORLD
    request.req_free = release;
    request.req_cancel = cancel;
    request.req_start = start;
    request.req_mpi_object.comm = comm;
    OBJ_RETAIN(comm);
    request.req_status = {};
    request.req_status.MPI_SOURCE = MPI_ANY_SOURCE;
    request.req_status.MPI_TAG = MPI_ANY_TAG;
    request.req_state = persistent ? OMPI_REQUEST_INACTIVE : OMPI_REQUEST_ACTIVE;
    return made;
}

/// The program may free or start it from then on.
void finish(MPI_Request request, int code) {
    request->req_status.MPI_ERROR = code;
    ompi_request_complete(request, true);
}

} // namespace

namespace alltold::preload {

int OpenRequest::make_request(MPI_Comm comm) {
    auto* const made = make(comm, false);
    if (!made)
        return MPI_ERR_NO_MEM;
    made->call = this;
    request_ = &made->base.super;
    return MPI_SUCCESS;
}

void OpenRequest::tell() {
    finish(request_, code_);
}

Status make_request(std::unique_ptr<PersistentCall> call, MPI_Comm comm, MPI_Request* request) {
    auto* const made = make(comm, true);
    if (!made)
        return mpi::out_of_memory();
    *request = &made->base.super;
    call->request = *request;
    made->persistent = call.release();
    return Done{};
}

void complete(PersistentCall& call, int code) {
    finish(call.request, code);
}

} // namespace alltold::preload
