// SPDX-License-Identifier: BSD-3-Clause
// An all-to-all-v as MPI takes it.
#pragma once

#include <vector>

#include "campaign/pattern.hpp"
#include "runtime/call.hpp"

namespace alltold::play {

/// One rank's counts and displacements in bytes; each must fit an int.
class Vectors {
  public:
    Vectors(const Specification& specification, int rank);

    /// The MPI library's own, run to its end; an MPI error code. Collective.
    int play_mpi(const Buffers& buffers, MPI_Comm comm) const;
    /// The call of ours.
    Call call(const Buffers& buffers, const Caller& caller, int& code) const;

  private:
    std::vector<int> send_counts_, send_displacements_, receive_counts_, receive_displacements_;
};

} // namespace alltold::play
