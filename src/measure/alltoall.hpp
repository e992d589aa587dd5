// SPDX-License-Identifier: BSD-3-Clause
// The probe of MPI_Alltoall.
#pragma once

#include <vector>

#include "measure/timed.hpp"

namespace alltold::measure {

/// One rank's buffers for an MPI_Alltoall of `size_bytes` for each pair, touched beforehand so that
/// no page is mapped while the clock runs.
class Alltoall {
  public:
    Alltoall(const mpi::Communicator& over, std::uint64_t size_bytes);
    /// Runs it once. Collective over the communicator.
    Status operator()();

  private:
    const mpi::Communicator& over_;
    int size_bytes_;
    std::vector<char> send_;
    std::vector<char> receive_;
};

} // namespace alltold::measure
