// SPDX-License-Identifier: BSD-3-Clause
// Proves by replay, without MPI, that the schedules of all ranks carry out a collective.
#pragma once

#include "schedule/contents.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// Which operations of one rank are complete before which others start, over any number of edges.
class LocalOrder {
  public:
    explicit LocalOrder(const Schedule& schedule);
    bool is_before(int earlier, int later) const {
        return ancestors_[row(later) + static_cast<std::size_t>(earlier) / 64] >> (earlier % 64) &
               1;
    }

  private:
    std::size_t row(int step) const { return static_cast<std::size_t>(step) * words_; }
    std::size_t words_;
    std::vector<std::uint64_t> ancestors_; ///< one bit per pair
};

/// Two unordered operations of which one writes bytes the other touches, the later one second; the
/// same one twice for a copy onto itself. Schedules without such a pair give the same result in
/// every order.
std::optional<std::pair<int, int>> find_race(const Schedule& schedule, const LocalOrder& order);

/// Limits that an algorithm keeps besides delivering; 0 is no limit.
struct Limits {
    /// A rank has at most this many messages with data in flight in each direction.
    int per_rank = 0;
    /// At most this many ranks send data to the root at once.
    int into_root = 0;
};

/// The first error found.
struct Fault {
    int rank = 0;
    int step = -1;     ///< operation of that rank, -1 where one is missing
    std::string block; ///< "3->7", empty if no block is involved
    std::string what;
    /// "rank 3, step 5, block 3->7: ..."
    std::string text() const;
};

/// One message of a replay, and the block bytes it carried (none: a signal).
struct Transfer {
    int source = 0, source_step = 0;
    int destination = 0, destination_step = 0;
    std::vector<Run> runs;
    /// In a reduction, whose contributions they combine: "ranks 1 to 2", or "ranks 1 to 2 [0..7]"
    /// of a part.
    std::string combined = {};
};

/// Checks the schedules of all ranks, one each, in rank order. Proved, for any timing and with
/// every send synchronous:
/// - messages match one to one, in order, with equal sizes; no operation waits for ever;
/// - no bytes are touched while an unordered operation writes them (so that one replay proves
///   all orders), no send buffer is written, nothing undefined is read;
/// - every block is where the specification wants it after, and nothing is written elsewhere in
///   the receive buffer;
/// - in a reduction, every byte of a result combines the contributions it should, each once, and in
///   the order of ranks if the operator does not commute; no element is cut; all ranks of an
///   allreduce combine them in the same order, so that they have the same bits;
/// - no rank leaves a barrier before all have entered it;
/// - no rank receives a byte twice or one it had from the start, and, unless several ranks want it,
///   none sends one twice (Tam and Wang 1999, restriction 1); none receives one it neither wants
///   nor passes on nor combines; no copy writes what is there already, nothing goes to scratch
///   memory that is not read from there; every await has a successor, except in a barrier;
/// - the limits.
/// A `trace`, if given, receives the messages in a possible order of delivery.
std::optional<Fault> check(const Specification& specification, std::span<const Schedule> schedules,
                           const Limits& limits = {}, std::vector<Transfer>* trace = nullptr);

} // namespace alltold
