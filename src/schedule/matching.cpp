// SPDX-License-Identifier: BSD-3-Clause
// Pairing of messages by sender, receiver and tag.
#include "schedule/matching.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace alltold {
namespace {

/// One end of a message, filed under its ordered pair of ranks.
struct MessageEnd {
    std::int32_t sender, receiver, tag;
    bool incoming;
    Place place;
    auto pair() const { return std::tuple(sender, receiver); }
    auto key() const { return std::tuple(sender, receiver, tag, incoming, place.step); }
};

std::vector<MessageEnd> message_ends(std::span<const Schedule> schedules) {
    std::vector<MessageEnd> ends;
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(schedules.size()); ++rank) {
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        for (int step = 0; step < schedule.size(); ++step) {
            const auto& operation = schedule[step];
            if (!operation.is_message())
                continue;
            const bool incoming = operation.is_incoming();
            ends.push_back({incoming ? operation.peer : rank,
                            incoming ? rank : operation.peer,
                            operation.tag,
                            incoming,
                            {rank, step}});
        }
    }
    std::sort(ends.begin(), ends.end(),
              [](const MessageEnd& a, const MessageEnd& b) { return a.key() < b.key(); });
    return ends;
}

Fault fault_at(const MessageEnd& end, std::string what) {
    return {end.place.rank, end.place.step, "", std::move(what)};
}

Fault alone(const MessageEnd& end) {
    return fault_at(
        end, end.incoming ? fmt::format("waits for message {} from rank {}, which does not send it",
                                        end.tag, end.sender)
                          : fmt::format("sends message {} to rank {}, which does not receive it",
                                        end.tag, end.receiver));
}

} // namespace

Matching::Matching(std::span<const Schedule> schedules) : schedules_(schedules), first_{0} {
    for (const auto& schedule : schedules)
        first_.push_back(first_.back() + schedule.size());
    partners_.resize(static_cast<std::size_t>(size()));
}

std::optional<Fault> Matching::pair_up() {
    const auto ends = message_ends(schedules_);
    const auto operation = [&](const MessageEnd& end) -> const Operation& {
        return schedules_[static_cast<std::size_t>(end.place.rank)][end.place.step];
    };
    std::int32_t expected_tag = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
        const auto& out = ends[i];
        const bool same_pair = i > 0 && ends[i - 1].pair() == out.pair();
        expected_tag = same_pair ? expected_tag + 1 : 0;
        if (out.incoming || i + 1 == ends.size())
            return alone(out);
        const auto& in = ends[i + 1];
        if (in.pair() == out.pair() && in.tag == out.tag && !in.incoming)
            return fault_at(
                in, fmt::format("sends message {} to rank {} a second time", in.tag, in.receiver));
        if (in.pair() != out.pair() || in.tag != out.tag)
            return alone(out);
        if (out.tag != expected_tag)
            return fault_at(out, fmt::format("message {} to rank {} should have tag {}", out.tag,
                                             out.receiver, expected_tag));
        if (same_pair &&
            (out.place.step < ends[i - 2].place.step || in.place.step < ends[i - 1].place.step))
            return fault_at(out, fmt::format("messages to rank {} are out of order", out.receiver));
        const auto sent = operation(out).region.size_bytes;
        const auto wanted = operation(in).region.size_bytes;
        if (sent != wanted ||
            (operation(out).kind == Kind::send) != (operation(in).kind == Kind::receive))
            return fault_at(out,
                            fmt::format("sends {} bytes to rank {}, which expects {} (step {})",
                                        sent, out.receiver, wanted, in.place.step));
        partners_[static_cast<std::size_t>(index(out.place.rank, out.place.step))] = in.place;
        partners_[static_cast<std::size_t>(index(in.place.rank, in.place.step))] = out.place;
    }
    return std::nullopt;
}

} // namespace alltold
