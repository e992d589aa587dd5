// SPDX-License-Identifier: BSD-3-Clause
// Packing schedules, and pairing of messages in linear time.
#include "simulate/event_graph.hpp"

#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold::simulate {

/// One end of a message.
struct EventGraph::Side {
    std::int32_t sender, receiver, tag, node;
};

/// Both ends of all messages.
class EventGraph::Sides {
  public:
    std::vector<Side> outgoing, incoming;

    /// Orders both by receiver, then sender, then operation. Stable counting sorts make use of the
    /// order in which the sides were added: rank by rank, operation by operation.
    void sort(int ranks) {
        outgoing = sorted(outgoing, &Side::receiver, ranks);
        incoming = sorted(sorted(incoming, &Side::sender, ranks), &Side::receiver, ranks);
    }

  private:
    static std::vector<Side> sorted(const std::vector<Side>& sides, std::int32_t Side::*key,
                                    int ranks) {
        std::vector<std::size_t> place(static_cast<std::size_t>(ranks) + 1);
        for (const auto& side : sides)
            ++place[static_cast<std::size_t>(side.*key) + 1];
        std::partial_sum(place.begin(), place.end(), place.begin());
        std::vector<Side> result(sides.size());
        for (const auto& side : sides)
            result[place[static_cast<std::size_t>(side.*key)]++] = side;
        return result;
    }
};

Result<EventGraph> EventGraph::of(int ranks,
                                  const std::function<Schedule(int rank)>& schedule_of_rank) {
    EventGraph graph;
    Sides sides;
    for (int rank = 0; rank < ranks; ++rank)
        graph.append(schedule_of_rank(rank), sides);
    graph.nodes_.push_back({.first_follower = static_cast<std::int32_t>(graph.followers_.size())});
    for (const auto* side : {&sides.outgoing, &sides.incoming})
        for (const auto& [sender, receiver, tag, node] : *side)
            if (std::min(sender, receiver) < 0 || std::max(sender, receiver) >= ranks)
                return bad_input(fmt::format("{}: its peer is not one of the ranks 0 to {}",
                                             graph.text_of(node), ranks - 1));
    sides.sort(ranks);
    ALLTOLD_TRY_DONE(graph.pair_up(std::move(sides)));
    return graph;
}

Result<EventGraph> EventGraph::of(std::span<const Schedule> schedules) {
    return of(static_cast<int>(schedules.size()),
              [&](int rank) { return schedules[static_cast<std::size_t>(rank)]; });
}

Result<EventGraph> EventGraph::of(const Algorithm& algorithm, const Specification& specification,
                                  const Parameters& parameters) {
    return of(specification.ranks(),
              [&](int rank) { return schedule_of(algorithm, specification, parameters, rank); });
}

void EventGraph::append(const Schedule& schedule, Sides& sides) {
    const auto rank = static_cast<std::int32_t>(ranks());
    const auto base = first_.back();
    for (std::int32_t step = 0; step < schedule.size(); ++step) {
        const auto& operation = schedule[step];
        const auto rows =
            static_cast<std::uint64_t>(operation.kind == Kind::copy ? operation.rows : 1);
        // A message's partner is the other rank until messages are paired.
        nodes_.push_back({.size_bytes = operation.region.size_bytes * rows,
                          .rank = rank,
                          .partner = operation.peer,
                          .waits_for = static_cast<std::int32_t>(schedule.after(step).size()),
                          .kind = operation.kind,
                          .synchronous = operation.synchronous});
        if (operation.is_outgoing())
            sides.outgoing.push_back({rank, operation.peer, operation.tag, base + step});
        else if (operation.is_incoming())
            sides.incoming.push_back({operation.peer, rank, operation.tag, base + step});
    }
    std::vector<std::int32_t> place(static_cast<std::size_t>(schedule.size()) + 1);
    for (std::int32_t step = 0; step < schedule.size(); ++step)
        for (const auto earlier : schedule.after(step))
            ++place[static_cast<std::size_t>(earlier) + 1];
    place[0] = static_cast<std::int32_t>(followers_.size());
    std::partial_sum(place.begin(), place.end(), place.begin());
    followers_.resize(static_cast<std::size_t>(place.back()));
    for (std::int32_t step = 0; step < schedule.size(); ++step)
        nodes_[static_cast<std::size_t>(base + step)].first_follower =
            place[static_cast<std::size_t>(step)];
    for (std::int32_t step = 0; step < schedule.size(); ++step)
        for (const auto earlier : schedule.after(step))
            followers_[static_cast<std::size_t>(place[static_cast<std::size_t>(earlier)]++)] =
                base + step;
    first_.push_back(base + schedule.size());
}

Status EventGraph::pair_up(Sides sides) {
    const auto& [outgoing, incoming] = std::tie(sides.outgoing, sides.incoming);
    const auto pair = [](const Side& side) { return std::pair(side.receiver, side.sender); };
    const auto key = [&](const Side& side) { return std::pair(pair(side), side.tag); };
    const auto alone = [&](const Side& side) {
        return bad_input(text_of(side.node) + ": has no matching operation");
    };
    for (std::size_t i = 0; i < std::max(outgoing.size(), incoming.size()); ++i) {
        if (i >= incoming.size() || (i < outgoing.size() && key(outgoing[i]) < key(incoming[i])))
            return alone(outgoing[i]);
        if (i >= outgoing.size() || key(incoming[i]) < key(outgoing[i]))
            return alone(incoming[i]);
        auto& out = nodes_[static_cast<std::size_t>(outgoing[i].node)];
        auto& in = nodes_[static_cast<std::size_t>(incoming[i].node)];
        if (out.size_bytes != in.size_bytes ||
            (out.kind == Kind::send) != (in.kind == Kind::receive))
            return bad_input(fmt::format("{}: does not match {}", text_of(outgoing[i].node),
                                         text_of(incoming[i].node)));
        if (i == 0 || pair(outgoing[i]) != pair(outgoing[i - 1]))
            ++connections_;
        out.partner = incoming[i].node;
        in.partner = outgoing[i].node;
        out.connection = in.connection = connections_ - 1;
    }
    messages_ = static_cast<int>(outgoing.size());
    return Done{};
}

EventGraph EventGraph::repeated(int calls) const {
    EventGraph all;
    all.messages_ = calls * messages_;
    all.connections_ = connections_;
    const auto ends = static_cast<std::size_t>(ranks()); // which follow on all operations at most
    all.nodes_.reserve(static_cast<std::size_t>(calls) * (nodes_.size() + ends));
    all.followers_.reserve(static_cast<std::size_t>(calls) *
                           (followers_.size() + 2 * nodes_.size() + ends));
    const auto length_of = [&](int rank) { return first(rank + 1) - first(rank) + 1; };
    const auto place = [&](std::int32_t i, int call) {
        const auto rank = (*this)[i].rank;
        return calls * (first(rank) + rank) + call * length_of(rank) + i - first(rank);
    };
    for (std::int32_t rank = 0; rank < ranks(); ++rank) {
        for (int call = 0; call < calls; ++call) {
            const bool again = call > 0;
            const auto end = calls * (first(rank) + rank) + (call + 1) * length_of(rank) - 1;
            std::int32_t last = again && length_of(rank) == 1 ? 1 : 0;
            for (auto i = first(rank); i < first(rank + 1); ++i) {
                auto node = (*this)[i];
                node.first_follower = static_cast<std::int32_t>(all.followers_.size());
                if (node.partner >= 0)
                    node.partner = place(node.partner, call);
                node.waits_for += again && node.waits_for == 0 ? 1 : 0;
                all.nodes_.push_back(node);
                for (const auto follower : followers(i))
                    all.followers_.push_back(place(follower, call));
                if (followers(i).empty()) {
                    all.followers_.push_back(end);
                    ++last;
                }
            }
            all.nodes_.push_back(
                {.rank = rank,
                 .first_follower = static_cast<std::int32_t>(all.followers_.size()),
                 .waits_for = last,
                 .ends_call = true});
            if (call + 1 == calls)
                continue;
            if (length_of(rank) == 1)
                all.followers_.push_back(end + 1);
            for (auto i = first(rank); i < first(rank + 1); ++i)
                if ((*this)[i].waits_for == 0)
                    all.followers_.push_back(place(i, call + 1));
        }
        all.first_.push_back(static_cast<std::int32_t>(all.nodes_.size()));
    }
    all.nodes_.push_back({.first_follower = static_cast<std::int32_t>(all.followers_.size())});
    return all;
}

std::string EventGraph::text_of(std::int32_t i) const {
    const auto& node = (*this)[i];
    const bool paired = messages_ > 0;
    const auto other = paired && node.partner >= 0 ? (*this)[node.partner].rank : node.partner;
    auto what = std::string(node.synchronous ? "synchronous " : "");
    what += name_of(node.kind);
    if (node.kind == Kind::send || node.kind == Kind::receive)
        what += " of " + format_size(static_cast<double>(node.size_bytes));
    if (node.is_outgoing() || node.is_incoming())
        what += fmt::format(" {} rank {}", node.is_outgoing() ? "to" : "from", other);
    return fmt::format("rank {}, operation {} ({})", node.rank, i - first(node.rank), what);
}

} // namespace alltold::simulate
