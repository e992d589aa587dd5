// SPDX-License-Identifier: BSD-3-Clause
// Executes the schedules of all ranks on symbolic memory.
#pragma once

#include "schedule/matching.hpp"

namespace alltold {

/// For each operation, numbered consecutively, the ranks that have surely entered when it is done:
/// its own, and those known by all that it waited for.
class Entered {
  public:
    Entered(int ranks, std::size_t operations)
        : ranks_(static_cast<std::size_t>(ranks)), known_(operations) {}

    void enter(std::size_t operation, int rank) {
        auto& known = of(operation);
        known[static_cast<std::size_t>(rank)] = true;
    }
    /// `operation` waited for `earlier`, or received what that sent.
    void learn(std::size_t operation, std::size_t earlier) {
        auto& known = of(operation);
        const auto& other = of(earlier);
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            known[rank] = known[rank] || other[rank];
    }
    bool knows(std::size_t operation, int rank) {
        return of(operation)[static_cast<std::size_t>(rank)];
    }

  private:
    std::vector<bool>& of(std::size_t operation) {
        auto& known = known_[operation];
        known.resize(ranks_);
        return known;
    }

    std::size_t ranks_;
    std::vector<std::vector<bool>> known_;
};

/// Runs operations as soon as they are ready; a message moves once both its ends have started, as
/// if every send were synchronous. This only adds delays, so what finishes here always finishes.
class Replay {
  public:
    Replay(const Specification& specification, std::span<const Schedule> schedules,
           const Matching& matching, std::vector<Transfer>* trace);

    /// The first illegal read, write, send or receive, deadlock, or missing block.
    std::optional<Fault> run();

  private:
    /// One rank's memory and what it has had, received and sent.
    struct Memory {
        Contents buffers[3];
        AddressSet held, used; ///< used: sent, or combined with others
        AddressSet unread;     ///< offsets in the scratch memory
        std::vector<Run> received;
        Contents& of(Buffer buffer) { return buffers[static_cast<std::size_t>(buffer)]; }
        /// Reads `region` into `runs`; false when some byte of it was never written.
        bool read(const Region& region, std::vector<Run>& runs);
        /// Writes `runs`; false when that covers unread scratch bytes.
        bool write(const Region& region, const std::vector<Run>& runs);
    };

    void link_successors();
    std::optional<Fault> start(Place place);
    void complete(Place place);
    std::optional<Fault> copy(Place place);
    std::optional<Fault> combine(Place place);
    std::optional<Fault> deliver(Place from, Place to);
    std::optional<Fault> stuck() const;
    std::optional<Fault> check_results(int rank);
    std::optional<Fault> check_result(const Placement& place, Fault fault) const;
    std::optional<Fault> check_entered(int rank);
    std::string combined_in(std::span<const Run> runs) const;
    /// Which value an address in a reduction belongs to, and which byte of it.
    std::uint64_t value_at(std::uint64_t address) const {
        return address / specification_.contribution_bytes();
    }
    std::uint64_t byte_at(std::uint64_t address) const {
        return address % specification_.contribution_bytes();
    }
    Fault fault(Place place, std::optional<std::uint64_t> address, std::string what) const;
    const Operation& operation(Place place) const {
        return schedules_[static_cast<std::size_t>(place.rank)][place.step];
    }
    std::size_t index(Place place) const {
        return static_cast<std::size_t>(matching_.index(place.rank, place.step));
    }

    const Specification& specification_;
    std::span<const Schedule> schedules_;
    const Matching& matching_;
    std::vector<Transfer>* trace_;

    /// In a reduction byte b of value v has address v * contribution_bytes() + b.
    std::optional<Contributions> contributions_;
    std::optional<Entered> entered_; ///< of a barrier
    std::vector<Run> result_;        ///< of an allreduce, at rank 0
    std::vector<Memory> memory_;
    std::vector<int> waits_for_;       ///< per operation: incomplete operations it is after
    std::vector<char> started_, done_; ///< per operation
    std::vector<int> first_successor_; ///< per operation, into successors_; one more entry
    std::vector<std::int32_t> successors_;
    std::vector<Place> ready_;
    std::vector<Run> runs_, other_runs_; ///< kept between operations to spare allocations
};

} // namespace alltold
