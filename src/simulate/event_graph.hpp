// SPDX-License-Identifier: BSD-3-Clause
// The schedules of all ranks in compact form for the simulator: numbered consecutively, with
// messages matched.
#pragma once

#include <functional>

#include "schedule/algorithms/algorithm.hpp"

namespace alltold::simulate {

/// One operation; the operations of all ranks are numbered consecutively, rank by rank.
struct EventNode {
    std::uint64_t size_bytes = 0; ///< of a message, a combination or all rows of a copy
    std::int32_t rank = 0;
    std::int32_t partner = -1;       ///< for messages: the other end
    std::int32_t connection = -1;    ///< for messages: the number of their sender and receiver
    std::int32_t first_follower = 0; ///< followers end where those of the next operation begin
    std::int32_t waits_for = 0;      ///< how many operations this one is after
    Kind kind = Kind::join;
    bool synchronous = false;
    bool ends_call = false; ///< of a repeated graph: complete when the rank begins its next call

    bool is_outgoing() const { return kind == Kind::send || kind == Kind::signal; }
    bool is_incoming() const { return kind == Kind::receive || kind == Kind::await; }
    /// The bytes that count on the network: an empty message costs as much as one of one byte.
    double weight_bytes() const { return size_bytes == 0 ? 1.0 : static_cast<double>(size_bytes); }
};

/// All ranks' operations; about 40 bytes each.
class EventGraph {
  public:
    /// Takes each rank's schedule from `schedule_of_rank`, in rank order, one at a time. Fails,
    /// naming rank and operation, where messages do not match in order and with equal sizes.
    static Result<EventGraph> of(int ranks,
                                 const std::function<Schedule(int rank)>& schedule_of_rank);
    static Result<EventGraph> of(std::span<const Schedule> schedules);
    /// The schedules of `algorithm`; `accepts` must hold.
    static Result<EventGraph> of(const Algorithm& algorithm, const Specification& specification,
                                 const Parameters& parameters);

    /// So many calls one after the other: each rank begins a call when all its operations of the
    /// call before are complete. After those of each call comes a join with `ends_call`.
    EventGraph repeated(int calls) const;

    int ranks() const { return static_cast<int>(first_.size()) - 1; }
    int size() const { return first_.back(); }
    int messages() const { return messages_; }
    /// How many pairs of sender and receiver there are, numbered by EventNode::connection.
    int connections() const { return connections_; }
    const EventNode& operator[](std::int32_t i) const {
        return nodes_[static_cast<std::size_t>(i)];
    }
    /// Operations that are after operation `i`.
    std::span<const std::int32_t> followers(std::int32_t i) const {
        const auto from = static_cast<std::size_t>((*this)[i].first_follower);
        const auto to = static_cast<std::size_t>((*this)[i + 1].first_follower);
        return std::span(followers_).subspan(from, to - from);
    }
    std::int32_t first(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
    /// "rank 3, operation 5 (receive of 64 KiB from rank 2)"
    std::string text_of(std::int32_t i) const;

  private:
    struct Side;
    class Sides;
    void append(const Schedule& schedule, Sides& sides);
    Status pair_up(Sides sides);

    std::vector<EventNode> nodes_; ///< one more holds the end of the followers
    std::vector<std::int32_t> followers_;
    std::vector<std::int32_t> first_ = {0};
    int messages_ = 0, connections_ = 0;
};

} // namespace alltold::simulate
