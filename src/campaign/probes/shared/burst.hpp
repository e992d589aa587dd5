// SPDX-License-Identifier: BSD-3-Clause
// Many messages between two ranks, all under way at once.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {

/// `count` messages of `size_bytes` from one rank to another, all posted before any is waited for:
/// the handshakes that some libraries begin large messages with then cost their time once, not
/// once a message. Waits asleep, so that the processor belongs to those at work.
class Burst {
  public:
    Burst(const mpi::Communicator& over, std::size_t size_bytes, int count)
        : over_(over), size_bytes_(size_bytes), count_(count),
          bytes_(size_bytes * static_cast<std::size_t>(count)) {}
    /// Returns when all may be forgotten here.
    Status send(int target);
    /// Returns when all are here.
    Status receive(int source);

  private:
    std::span<std::byte> message(int i) {
        return std::span(bytes_).subspan(static_cast<std::size_t>(i) * size_bytes_, size_bytes_);
    }

    const mpi::Communicator& over_;
    std::size_t size_bytes_;
    int count_;
    std::vector<std::byte> bytes_;
};

} // namespace alltold::campaign
