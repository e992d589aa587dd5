// SPDX-License-Identifier: BSD-3-Clause
// Arguments of nonblocking and persistent calls that start after the program's call has returned.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include <mpi.h>

#include "runtime/call.hpp"

namespace alltold::preload {

/// The program's arguments, whose types and counts it may free. Its buffers are not copied.
class KeptArguments {
  public:
    /// `picked`: Shape::picked.
    explicit KeptArguments(const Choice* picked = nullptr) : picked_(picked) {}
    /// To be called once, with the arguments of Call::of. Keeps those that are significant on this
    /// rank. Fails as MPI does, and for arguments that Call would refuse.
    Status keep(const Caller& caller, const Arguments& arguments);
    Status keep(const Caller& caller, const VectorSide& send, const VectorSide& receive);
    void pick(const Choice* picked) { picked_ = picked; }
    /// As Call::of and Call::alltoallv.
    Result<Call> call(const Caller& caller) const;
    /// Starts the library's own on `comm`; once. Fails as MPI does.
    Status start_library(MPI_Comm comm, MPI_Request* request);

  private:
    struct OwnedSide {
        const void* buffer = nullptr;
        std::vector<MPI_Count> counts, displacements;
        MPI_Datatype type = MPI_DATATYPE_NULL;

        /// For MPI's functions; in place there are none.
        std::vector<int> int_counts = {}, int_displacements = {};

        VectorSide side() const { return {buffer, counts.data(), displacements.data(), type}; }
    };
    struct Vectors {
        OwnedSide send, receive;
    };
    /// Replaces the type by a copy.
    Status hold(MPI_Datatype& type);
    Result<OwnedSide> owned(const Caller& caller, const VectorSide& side);

    const Choice* picked_;
    std::variant<Arguments, Vectors> arguments_;
    std::vector<std::shared_ptr<void>> types_; ///< copies
};

} // namespace alltold::preload
