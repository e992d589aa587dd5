// SPDX-License-Identifier: BSD-3-Clause
// MPI from its initialisation to its end, as one object.
#pragma once

#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::mpi {

/// Initialises MPI and finalises it in the destructor. One per process.
class Session {
  public:
    /// Collective over all processes. Fails when not launched by an MPI launcher, and when the
    /// launcher is of another MPI library than the program.
    static Result<Session> open();

    Session(Session&& other) noexcept;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    Session& operator=(Session&&) = delete;
    ~Session();

    ManagedCommunicator world() const { return ManagedCommunicator::world(); }
    /// First line of MPI_Get_library_version.
    static std::string library();
    /// Ends all processes at once, for errors that only some ranks know of.
    [[noreturn]] static void abort(const Error& error);

  private:
    Session() = default;
    bool open_ = true;
};

} // namespace alltold::mpi
