// SPDX-License-Identifier: BSD-3-Clause
// Many messages between two ranks, all in flight at once.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {

/// `count` messages of `size_bytes` from one rank to another, all posted before any is waited for:
/// the handshakes of large messages in some libraries then overlap instead of adding up. Sleeps
/// while waiting and leaves the processor to working ranks.
class Burst {
  public:
    Burst(const mpi::ManagedCommunicator& over, std::size_t size_bytes, int count)
        : over_(over), size_bytes_(size_bytes), count_(count),
          bytes_(size_bytes * static_cast<std::size_t>(count)) {}
    /// Returns when all sends are complete.
    Status send(int target);
    /// Returns when all have arrived.
    Status receive(int source);

  private:
    std::span<std::byte> message(int i) {
        return std::span(bytes_).subspan(static_cast<std::size_t>(i) * size_bytes_, size_bytes_);
    }

    const mpi::ManagedCommunicator& over_;
    std::size_t size_bytes_;
    int count_;
    std::vector<std::byte> bytes_;
};

} // namespace alltold::campaign
