// SPDX-License-Identifier: BSD-3-Clause
// Requests of nonblocking calls as generalized requests, which MPICH's waits and tests poll.
#include <mutex>
#include <unordered_map>

#include "preload/functions.hpp"
#include "preload/request.hpp"

namespace alltold::preload {

/// The functions of MPI_Grequest_start.
struct Generalized {
    static int query(void* extra, MPI_Status* status);
    static int release(void* extra);
    static int cancel(void*, int complete);
    static int poll(void* extra, MPI_Status*);
    static int wait(int count, void** extras, double, MPI_Status* status);
    static void forget(MPI_Request request);
};

int Generalized::query(void* extra, MPI_Status* status) {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return static_cast<OpenRequest*>(extra)->code();
}

int Generalized::release(void* extra) {
    const std::unique_ptr<OpenRequest> call(static_cast<OpenRequest*>(extra));
    forget(call->request_);
    return MPI_SUCCESS;
}

/// MPI forbids to cancel a collective.
int Generalized::cancel(void*, int complete) {
    return complete ? MPI_SUCCESS : MPI_ERR_REQUEST;
}

#ifdef MPICH_VERSION

/// The calls under way by their requests.
class OpenRequests {
  public:
    void add(MPI_Request request, OpenRequest& call) {
        const std::lock_guard lock(mutex_);
        all_[request] = &call;
    }
    void remove(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        all_.erase(request);
    }
    /// Null for a request that is not ours. The program holds the request, so the call outlives
    /// this.
    OpenRequest* find(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        const auto found = all_.find(request);
        return found == all_.end() ? nullptr : found->second;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<MPI_Request, OpenRequest*> all_;
};

OpenRequests& open_requests() {
    static auto& all = *new OpenRequests; // as the registry of persistent calls
    return all;
}

int Generalized::poll(void* extra, MPI_Status*) {
    auto& call = *static_cast<OpenRequest*>(extra);
    if (call.complete_ || !turn().try_lock())
        return MPI_SUCCESS;
    call.complete_ = call.advance();
    // MPICH calls release() with a lock held, so nothing of MPI's may be left to be freed there.
    if (call.complete_)
        call.state_.reset();
    turn().unlock();
    return call.complete_ ? PMPI_Grequest_complete(call.request_) : MPI_SUCCESS;
}

int Generalized::wait(int count, void** extras, double, MPI_Status* status) {
    for (int i = 0; i < count; ++i)
        while (!static_cast<OpenRequest*>(extras[i])->complete_)
            if (const int code = poll(extras[i], status); code != MPI_SUCCESS)
                return code;
    return MPI_SUCCESS;
}

int OpenRequest::make_request(MPI_Comm) {
    const int code =
        PMPIX_Grequest_start(Generalized::query, Generalized::release, Generalized::cancel,
                             Generalized::poll, Generalized::wait, this, &request_);
    if (code == MPI_SUCCESS)
        open_requests().add(request_, *this);
    return code;
}

void Generalized::forget(MPI_Request request) {
    open_requests().remove(request);
}

#else

int OpenRequest::make_request(MPI_Comm) {
    return PMPI_Grequest_start(Generalized::query, Generalized::release, Generalized::cancel, this,
                               &request_);
}

void Generalized::forget(MPI_Request) {}

#endif

void OpenRequest::tell() {
    PMPI_Grequest_complete(request_);
}

} // namespace alltold::preload

#ifdef MPICH_VERSION

using namespace alltold::preload;

extern "C" {

/// MPICH's own polls no generalized request.
int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    if (auto* const call = open_requests().find(request))
        Generalized::poll(call, MPI_STATUS_IGNORE);
    return library().request_get_status(request, flag, status);
}

ALLTOLD_STATUS_FUNCTIONS(ALLTOLD_FORWARD_ROW)

} // extern "C"

#endif
