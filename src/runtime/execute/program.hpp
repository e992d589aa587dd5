// SPDX-License-Identifier: BSD-3-Clause
// A schedule made ready to run: each operation's followers, found once and reused by every call.
#pragma once

#include "schedule/schedule.hpp"

namespace alltold {

/// One rank's schedule with its edges turned forwards. Immutable once made; many runs may share it.
class Program {
  public:
    explicit Program(Schedule schedule);

    const Schedule& schedule() const { return schedule_; }
    int size() const { return schedule_.size(); }
    const Operation& operator[](int i) const { return schedule_[i]; }

    std::span<const std::int32_t> waiting() const { return waiting_; }
    /// The operations that wait for `i`.
    std::span<const std::int32_t> next(int i) const {
        const auto at = static_cast<std::size_t>(i);
        return std::span(next_).subspan(
            static_cast<std::size_t>(first_next_[at]),
            static_cast<std::size_t>(first_next_[at + 1] - first_next_[at]));
    }
    /// The highest tag of any message, or -1.
    int highest_tag() const { return highest_tag_; }

    /// Neighbouring operations that need nothing of each other but follow all messages of the phase
    /// before.
    struct Phase {
        std::int32_t end = 0;            ///< one past its last operation
        std::int32_t outgoing = 0;       ///< how many sends and signals it has
        std::int32_t incoming = 0;       ///< how many receives and awaits
        std::int32_t local = 0;          ///< how many copies and combinations
        std::int32_t last_outgoing = -1; ///< the last of these operations; -1: none
        std::int32_t last_incoming = -1;

        /// At most one message each way.
        bool one_by_one() const { return outgoing <= 1 && incoming <= 1; }
        void add(std::int32_t i, const Operation& operation);
    };
    /// Whether operation `a` is started before `b` when both are ready: sends, and copies that they
    /// wait for, come before receives, else earlier ones first. A large message of most MPI
    /// libraries is only announced until its receiver asks for it (rendezvous). A receive that
    /// finds an announcement asks at once; if our own announcement has not left by then, it queues
    /// behind the data that the peer now sends, and the pair works one way at a time.
    bool starts_before(std::int32_t a, std::int32_t b) const {
        const bool a_sends = sends_first_[static_cast<std::size_t>(a)];
        const bool b_sends = sends_first_[static_cast<std::size_t>(b)];
        return a_sends != b_sends ? a_sends : a < b;
    }
    /// The operations of a phased program, phase by phase, each in the order of starts_before.
    std::span<const std::int32_t> order() const { return order_; }
    /// The phases, when the schedule is nothing but a row of them; empty when it is not. A phased
    /// program is run with one blocking MPI call a phase, as one would by hand.
    std::span<const Phase> phases() const { return phases_; }

  private:
    void turn_edges();
    void find_phases();
    void find_order();

    Schedule schedule_;
    std::vector<std::int32_t> waiting_;
    std::vector<std::int32_t> first_next_;
    std::vector<std::int32_t> next_;
    std::vector<char>
        sends_first_; ///< per operation: a send or signal, or one waits for it locally
    std::vector<Phase> phases_;
    std::vector<std::int32_t> order_;
    int highest_tag_ = -1;
};

} // namespace alltold
