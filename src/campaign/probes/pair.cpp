// SPDX-License-Identifier: BSD-3-Clause
// Rounds of a pair.
#include "campaign/probes/pair.hpp"

#include "campaign/tags.hpp"

namespace alltold::measure {
namespace {
/// Announced in place of a round's length.
constexpr int no_round = 0;
constexpr int widening = -1;
constexpr int widening_messages = 16;
constexpr std::size_t widening_bytes = 256 << 10;
} // namespace

PairEnd::PairEnd(const Visit& visit)
    : team_(visit.team), other_(visit.rank() == visit.point.first_rank ? visit.point.second_rank
                                                                       : visit.point.first_rank),
      message_(visit.point.size_bytes) {}

Status PairEnd::send() {
    return team_.traffic().send(message_, other_, tag_pingpong);
}

Status PairEnd::receive() {
    return team_.traffic().receive(message_, other_, tag_pingpong);
}

Status PairEnd::send_sign() {
    return team_.traffic().send({}, other_, tag_sign);
}

Status PairEnd::receive_sign() {
    return team_.traffic().receive({}, other_, tag_sign);
}

Status PairEnd::announce(int length) {
    if (auto sent = team_.traffic().send(mpi::bytes_of(length), other_, tag_go); !sent)
        return sent;
    return receive_sign();
}

Status PairEnd::end() {
    return team_.traffic().send(mpi::bytes_of(no_round), other_, tag_go);
}

Status PairEnd::widen() {
    if (!team_.widened().insert(other_).second)
        return Done{};
    if (auto ready = announce(widening); !ready)
        return ready;
    const std::vector<std::byte> bytes(widening_bytes);
    for (int i = 0; i < widening_messages; ++i)
        if (auto sent = team_.traffic().send(bytes, other_, tag_pingpong); !sent)
            return sent;
    return receive_sign();
}

Status PairEnd::be_widened() {
    std::vector<std::byte> bytes(widening_bytes);
    for (int i = 0; i < widening_messages; ++i)
        if (auto received = team_.traffic().receive(bytes, other_, tag_pingpong); !received)
            return received;
    return send_sign();
}

Status PairEnd::follow(const std::function<Status(int length)>& round) {
    for (;;) {
        int length = 0;
        if (auto told = team_.traffic().receive(mpi::bytes_of(length), other_, tag_go); !told)
            return told;
        if (length == no_round)
            return Done{};
        if (auto ready = send_sign(); !ready)
            return ready;
        if (auto played = length == widening ? be_widened() : round(length); !played)
            return played;
    }
}

Status visit_pair(Visit& visit, const std::function<Result<Takings>(PairEnd&)>& take,
                  const std::function<Status(PairEnd&, int length)>& round) {
    Takings mine;
    if (visit.rank() == visit.point.first_rank) {
        PairEnd end(visit);
        auto taken = take(end);
        if (!taken)
            return taken.error();
        mine = std::move(*taken);
        if (auto ended = end.end(); !ended)
            return ended;
    } else if (visit.rank() == visit.point.second_rank) {
        PairEnd end(visit);
        if (auto followed = end.follow([&](int length) { return round(end, length); }); !followed)
            return followed;
    }
    return report(visit, visit.point.first_rank, mine);
}

} // namespace alltold::measure
