// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls of the program, with the requests of the MPI library that stand for them.
#pragma once

#include <memory>

#include <mpi.h>

#include "preload/progress_engine.hpp"
#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// A call and its request, which every function for requests takes.
class OpenRequest : public OpenCall {
  public:
    explicit OpenRequest(std::shared_ptr<CommunicatorState> state) : state_(std::move(state)) {}

    Status start(Call call, bool at_once);
    /// Makes the request, which owns this from then on; `comm` is the program's. Returns MPI's
    /// code.
    int make_request(MPI_Comm comm);
    void tell() override;
    MPI_Request request() const { return request_; }
    /// MPI's code, once complete.
    int code() const { return code_; }

  protected:
    std::shared_ptr<CommunicatorState> state_; ///< its communicator must outlive the call

  private:
    friend struct Generalized;

    MPI_Request request_ = MPI_REQUEST_NULL;
    bool complete_ = false; ///< where the MPI library polls it
};

} // namespace alltold::preload
