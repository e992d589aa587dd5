// SPDX-License-Identifier: BSD-3-Clause
// The library's own all-to-all.
#include "measure/alltoall.hpp"

#include "mpi/error.hpp"

namespace alltold::measure {

Alltoall::Alltoall(const mpi::Communicator& over, std::uint64_t size_bytes)
    : over_(over), size_bytes_(static_cast<int>(size_bytes)),
      send_(size_bytes * static_cast<std::size_t>(over.size()), 's'),
      receive_(size_bytes * static_cast<std::size_t>(over.size()), 'r') {}

Status Alltoall::operator()() {
    return mpi::check(MPI_Alltoall(send_.data(), size_bytes_, MPI_BYTE, receive_.data(),
                                   size_bytes_, MPI_BYTE, over_.handle()),
                      "MPI_Alltoall");
}

} // namespace alltold::measure
