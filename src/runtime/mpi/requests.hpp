// SPDX-License-Identifier: BSD-3-Clause
// Several messages in flight at once, and waiting for them without using a processor.
#pragma once

#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::mpi {

/// Sends and receives in progress. Their buffers must outlive wait or a true `test`. A set
/// destroyed before that cancels its receives.
class Requests {
  public:
    Requests() = default;
    Requests(const Requests&) = delete;
    Requests& operator=(const Requests&) = delete;
    ~Requests();

    Status send(const ManagedCommunicator& over, std::span<const std::byte> bytes, int target,
                int tag);
    Status receive(const ManagedCommunicator& over, std::span<std::byte> bytes, int source,
                   int tag);

    /// True once all are complete. Local.
    Result<bool> test();
    /// Waits for all, sleeping in between: naps grow from 20 us to `longest_nap_s`. A waiting rank
    /// then costs its host next to nothing, where MPI_Wait would take a whole processor.
    Status wait_napping(double longest_nap_s);

  private:
    std::vector<MPI_Request> handles_;
};

/// Sleeps that grow from 20 us to a longest.
class Naps {
  public:
    explicit Naps(double longest_s) : longest_s_(longest_s) {}
    void take();

  private:
    double longest_s_;
    double next_s_ = 20e-6;
};

/// Waits for one request as Requests::wait_napping does for several.
Status wait_napping(MPI_Request request, double longest_nap_s);

/// Gathers `sent` of all ranks, equally long, in `all` at rank 0, which is not used elsewhere.
/// Waits as Requests::wait_napping does.
Status gather_napping(const ManagedCommunicator& over, std::span<const std::byte> sent,
                      std::span<std::byte> all, double longest_nap_s);

} // namespace alltold::mpi
