// SPDX-License-Identifier: BSD-3-Clause
// What we keep for each of the caller's communicators: a private one, the choices, cached programs.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "exec/execution.hpp"
#include "runtime/call.hpp"
#include "runtime/choice.hpp"
#include "runtime/repeat.hpp"

namespace alltold {

/// Hangs on the caller's communicator as an attribute and goes away with it. Not thread-safe: MPI
/// forbids two collectives at once on one communicator anyway.
class Communicator {
  public:
    /// The one of `comm`, made at the first call (then collective). Null, with `code` set, when it
    /// cannot be: intercommunicators give MPI_ERR_COMM.
    static Communicator* of(MPI_Comm comm, int& code);
    ~Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    const Caller& caller() const { return caller_; }
    /// Carries our traffic and nothing else; errors are returned.
    MPI_Comm channel() const { return channel_; }

    /// Runs `choice` from now on for what it can carry out. Fails, changing nothing, when it
    /// cannot.
    Status choose(const Choice& choice);
    /// Takes the cluster of every rank, any numbers; collective. Returns an MPI error code.
    int set_clusters(const std::vector<int>& cluster_of);
    /// order()[i] is the caller's rank that is rank i of schedules and of the channel; empty when
    /// ranks are the caller's.
    std::span<const int> order() const { return order_; }

    /// The cached program for calls of this shape; null when there is none yet.
    const std::shared_ptr<const Program>* find(const Shape& shape);
    /// Makes and caches it. Fails when the algorithm does not accept the call, or the schedule
    /// needs more tags than MPI has.
    Result<const std::shared_ptr<const Program>*> make(const Shape& shape);
    /// Calls in a loop; empty again after choose() and set_clusters().
    Repeats& repeats() { return repeats_; }
    /// The first of the tags that belong to the next call, the same on every rank.
    int take_tags();

    /// For blocking calls: an execution and scratch memory that are used again and again.
    Execution& idle_execution() { return idle_; }
    std::byte* idle_scratch(std::size_t size_bytes);

  private:
    struct Cached {
        Shape shape;
        std::shared_ptr<const Program> program;
    };

    Communicator(MPI_Comm comm, MPI_Comm channel);
    static Communicator* find_or_make(MPI_Comm comm, int& code);
    static int forget(MPI_Comm comm, int keyval, void* state, void* extra);
    static int keyval(int& code);
    void forget_programs();
    Parameters parameters_of(const Choice& choice) const;
    std::shared_ptr<const Program> build(const Choice& choice, const Shape& shape) const;

    Caller caller_;
    MPI_Comm channel_ = MPI_COMM_NULL;
    int tags_per_call_ = 0;
    int next_slot_ = 0;
    std::array<Choice, 5> choices_;    ///< by Collective
    std::optional<Clusters> clusters_; ///< of the ranks in order()
    std::vector<int> order_;
    std::list<Cached> cache_; ///< used last first
    Repeats repeats_;
    Execution idle_;
    std::unique_ptr<std::byte[]> scratch_;
    std::size_t scratch_size_ = 0;
};

} // namespace alltold
