// SPDX-License-Identifier: BSD-3-Clause
// Arguments of a call that runs later, perhaps often.
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
    /// To be called once, with the arguments of Call::of. Keeps those that are significant on this
    /// rank. Fails as MPI does, and for arguments that Call would refuse.
    Status keep(const Caller& caller, const Arguments& arguments);
    Status keep(const Caller& caller, const VectorSide& send, const VectorSide& receive);
    /// As Call::of and Call::alltoallv.
    Result<Call> call(const Caller& caller) const;

  private:
    struct OwnedSide {
        const void* buffer = nullptr;
        std::vector<int> counts, displacements;
        MPI_Datatype type = MPI_DATATYPE_NULL;

        VectorSide side() const { return {buffer, counts.data(), displacements.data(), type}; }
    };
    struct Vectors {
        OwnedSide send, receive;
    };
    /// Replaces the type by a copy.
    Status hold(MPI_Datatype& type);
    Result<OwnedSide> owned(const Caller& caller, const VectorSide& side);

    std::variant<Arguments, Vectors> arguments_;
    std::vector<std::shared_ptr<void>> types_; ///< copies
};

} // namespace alltold::preload
