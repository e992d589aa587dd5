// SPDX-License-Identifier: BSD-3-Clause
// Rounds of a pair; a burst posts all messages, then waits for all.
#include "campaign/probes/shared/pair.hpp"

namespace alltold::campaign {
namespace {

/// Announced in place of a round's length.
constexpr int no_round = 0;
constexpr int growth = -1;
constexpr int growth_messages = 16;
constexpr std::size_t growth_bytes = 256 << 10;
constexpr double longest_growth_s = 0.25;

/// First to second and back.
struct Go {
    int more = 0; ///< 0 ends the measurement
};

Result<Samples> repeat_as_first(Context& context, const Paired& parts) {
    const auto& traffic = context.ranks.traffic();
    const auto& clock = context.ranks.clock().local();
    const int second = context.point().second_rank;
    const double until_s = clock.now_s() + context.measurement.limit_s;
    Samples mine;
    WarmUp warm_up;
    int taken = 0;
    for (;;) {
        // Take one repetition after the warm-up even if the time is up.
        Go go{taken < context.measurement.repetitions && (taken < 1 || clock.now_s() < until_s)};
        ALLTOLD_TRY_DONE(traffic.send(mpi::bytes_of(go), second, tag_go));
        if (!go.more)
            return mine;
        ALLTOLD_TRY_DONE(traffic.receive(mpi::bytes_of(go), second, tag_go));
        const double started_s = clock.now_s();
        ALLTOLD_TRY(value, parts.first());
        const bool warming = warm_up.holds(clock.now_s() - started_s, clock.now_s() > until_s);
        (warming ? mine.warm_up : mine.values).push_back(*value);
        taken += warming ? 0 : 1;
    }
}

Status repeat_as_second(Context& context, const Paired& parts) {
    const auto& traffic = context.ranks.traffic();
    const int first = context.point().first_rank;
    for (;;) {
        Go go;
        ALLTOLD_TRY_DONE(traffic.receive(mpi::bytes_of(go), first, tag_go));
        if (!go.more)
            return Done{};
        ALLTOLD_TRY_DONE(traffic.send(mpi::bytes_of(go), first, tag_go));
        ALLTOLD_TRY_DONE(parts.second());
    }
}

constexpr double longest_nap_in_burst_s = 50e-6;

} // namespace

PairEnd::PairEnd(const Context& context)
    : ranks_(context.ranks),
      other_(context.rank() == context.point().first_rank ? context.point().second_rank
                                                          : context.point().first_rank),
      message_(context.point().size_bytes) {}

Status PairEnd::send() {
    return ranks_.traffic().send(message_, other_, tag_pingpong);
}

Status PairEnd::receive() {
    return ranks_.traffic().receive(message_, other_, tag_pingpong);
}

Status PairEnd::send_ack() {
    return ranks_.traffic().send({}, other_, tag_ack);
}

Status PairEnd::receive_ack() {
    return ranks_.traffic().receive({}, other_, tag_ack);
}

Status PairEnd::announce_only(int length) {
    return ranks_.traffic().send(mpi::bytes_of(length), other_, tag_go);
}

Status PairEnd::announce(int length) {
    ALLTOLD_TRY_DONE(announce_only(length));
    return receive_ack();
}

Status PairEnd::end() {
    return ranks_.traffic().send(mpi::bytes_of(no_round), other_, tag_go);
}

Status PairEnd::grow_buffers() {
    if (!ranks_.grown().insert(other_).second)
        return Done{};
    const std::vector<std::byte> bytes(growth_bytes);
    const double until_s = clock().now_s() + longest_growth_s;
    for (int i = 0; i < growth_messages && clock().now_s() < until_s; ++i) {
        ALLTOLD_TRY_DONE(announce(growth));
        ALLTOLD_TRY_DONE(ranks_.traffic().send(bytes, other_, tag_pingpong));
        ALLTOLD_TRY_DONE(receive_ack());
    }
    return Done{};
}

Status PairEnd::receive_growth() {
    std::vector<std::byte> bytes(growth_bytes);
    ALLTOLD_TRY_DONE(ranks_.traffic().receive(bytes, other_, tag_pingpong));
    return send_ack();
}

Status PairEnd::follow(const std::function<Status(int length)>& round) {
    for (;;) {
        int length = 0;
        ALLTOLD_TRY_DONE(ranks_.traffic().receive(mpi::bytes_of(length), other_, tag_go));
        if (length == no_round)
            return Done{};
        ALLTOLD_TRY_DONE(send_ack());
        ALLTOLD_TRY_DONE(length == growth ? receive_growth() : round(length));
    }
}

Status measure_pair(Context& context, const std::function<Result<Samples>(PairEnd&)>& take,
                    const std::function<Status(PairEnd&, int length)>& round) {
    Samples mine;
    if (context.rank() == context.point().first_rank) {
        PairEnd end(context);
        ALLTOLD_TRY_INTO(mine, take(end));
        ALLTOLD_TRY_DONE(end.end());
    } else if (context.rank() == context.point().second_rank) {
        PairEnd end(context);
        if (auto followed = end.follow([&](int length) { return round(end, length); }); !followed)
            return followed;
    }
    return report(context, context.point().first_rank, mine);
}

Status repeat_paired(Context& context, const Paired& parts) {
    Samples mine;
    if (context.rank() == context.point().first_rank) {
        ALLTOLD_TRY_INTO(mine, repeat_as_first(context, parts));
    } else if (context.rank() == context.point().second_rank) {
        ALLTOLD_TRY_DONE(repeat_as_second(context, parts));
    }
    return report(context, context.point().first_rank, mine);
}

Status Burst::send(int target) {
    mpi::Requests all;
    for (int i = 0; i < count_; ++i)
        ALLTOLD_TRY_DONE(all.send(over_, message(i), target, tag_pingpong));
    return all.wait_napping(longest_nap_in_burst_s);
}

Status Burst::receive(int source) {
    mpi::Requests all;
    for (int i = 0; i < count_; ++i)
        ALLTOLD_TRY_DONE(all.receive(over_, message(i), source, tag_pingpong));
    return all.wait_napping(longest_nap_in_burst_s);
}

} // namespace alltold::campaign
