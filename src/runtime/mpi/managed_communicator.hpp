// SPDX-License-Identifier: BSD-3-Clause
// A communicator that frees itself and returns its errors, and one outcome for all of its ranks.
#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <mpi.h>

#include "core/result.hpp"

namespace alltold::mpi {

/// Owns a communicator unless it is the world or lent. Move-only. MPI errors come back as Error;
/// the handler of the communicator is set to MPI_ERRORS_RETURN.
class ManagedCommunicator {
  public:
    /// The world; not freed. MPI must be initialised. Local.
    static ManagedCommunicator world();

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm handle() const { return handle_; }

    /// A second handle of the communicator, which this one still frees and must outlive. Local.
    ManagedCommunicator lent() const { return {handle_, false}; }
    /// A copy with its own traffic. Collective over this communicator.
    Result<ManagedCommunicator> dup() const;
    /// These ranks in this order. Collective over them alone, who all give the same; `tag` keeps
    /// what they exchange apart.
    Result<ManagedCommunicator> subset(std::span<const int> ranks, int tag) const;

    /// A communicator of the same ranks, each at its `place`; places are 0..size-1. Collective over
    /// this communicator.
    Result<ManagedCommunicator> ordered(int place) const;

    /// Blocking standard send and receive of raw bytes; `source` may be MPI_ANY_SOURCE.
    /// Errors: MPI's own; a longer message than `bytes` is MPI_ERR_TRUNCATE.
    Status send(std::span<const std::byte> bytes, int target, int tag) const;
    Status receive(std::span<std::byte> bytes, int source, int tag) const;

    /// The text rank 0 holds, on every rank. Collective; two broadcasts.
    Result<std::string> broadcast_text(std::string text) const;
    /// Every rank's text in rank order, on rank 0; empty elsewhere. Collective; two gathers.
    Result<std::vector<std::string>> gather_text(const std::string& text) const;

  private:
    ManagedCommunicator(MPI_Comm handle, bool owned);
    struct Free {
        void operator()(MPI_Comm* handle) const;
    };

    MPI_Comm handle_ = MPI_COMM_NULL;
    std::unique_ptr<MPI_Comm, Free> owned_; ///< null for the world and where lent
    int rank_ = 0;
    int size_ = 0;
};

/// The bytes of a value that may be copied bit by bit, to send or to receive into.
template <typename T>
std::span<std::byte> bytes_of(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_writable_bytes(std::span(&value, 1));
}
template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_bytes(std::span(&value, 1));
}

/// Rank 0's outcome on every rank: its error with the text there, with an empty text elsewhere.
/// Collective; one broadcast.
Status agree(const ManagedCommunicator& all, const Status& mine);

/// The error of the lowest rank that has one, as agree gives it: the text on rank 0 only.
/// Collective; two gathers and a broadcast.
Status agree_all(const ManagedCommunicator& all, const Status& mine);

} // namespace alltold::mpi
