// SPDX-License-Identifier: BSD-3-Clause
// Shares as ints.
#include "campaign/vectors.hpp"

namespace alltold::play {
namespace {

std::vector<int> ints(const std::vector<std::uint64_t>& values) {
    return {values.begin(), values.end()};
}

} // namespace

Vectors::Vectors(const Specification& specification, int rank) {
    const auto shares = specification.shares(rank);
    send_counts_ = ints(shares.send_bytes);
    send_displacements_ = ints(shares.send_offsets);
    receive_counts_ = ints(shares.receive_bytes);
    receive_displacements_ = ints(shares.receive_offsets);
}

int Vectors::play_mpi(const Buffers& buffers, MPI_Comm comm) const {
    return MPI_Alltoallv(buffers.send(), send_counts_.data(), send_displacements_.data(), MPI_BYTE,
                         buffers.receive(), receive_counts_.data(), receive_displacements_.data(),
                         MPI_BYTE, comm);
}

Call Vectors::call(const Buffers& buffers, const Caller& caller, int& code) const {
    return Call::alltoallv(
        caller, {buffers.send(), send_counts_.data(), send_displacements_.data(), MPI_BYTE},
        {buffers.receive(), receive_counts_.data(), receive_displacements_.data(), MPI_BYTE}, code);
}

} // namespace alltold::play
