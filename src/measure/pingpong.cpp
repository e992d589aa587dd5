// SPDX-License-Identifier: BSD-3-Clause
// Ping-pongs of one pair, reported to rank 0.
#include "measure/pingpong.hpp"

#include <algorithm>

#include "measure/tags.hpp"
#include "measure/warm_up.hpp"
#include "mpi/error.hpp"
#include "mpi/requests.hpp"

namespace alltold::measure {
namespace {

constexpr double worth_timing_s = 2e-3;
constexpr double most_trips = 10;
/// Rank 0 looks for the times at this pace; it must not take a processor from the pair.
constexpr double longest_nap_s = 1e-3;

/// First to second, and back to say that it is ready: how many round trips follow.
struct Go {
    int trips = 0; ///< 0 ends the visit
};

/// The two ends of a ping-pong, as one of them sees it.
struct Pair {
    const Team& team;
    int other;
    std::vector<std::byte> ball;

    Status throw_ball() { return team.traffic().send(ball, other, tag_pingpong); }
    Status catch_ball() { return team.traffic().receive(ball, other, tag_pingpong); }
};

/// Tells the second how many round trips follow and waits until it is ready.
Status announce(const Pair& pair, Go go) {
    if (auto sent = pair.team.traffic().send(mpi::bytes_of(go), pair.other, tag_go); !sent)
        return sent;
    return pair.team.traffic().receive(mpi::bytes_of(go), pair.other, tag_go);
}

Result<double> half_trip(Pair& pair, int trips) {
    const auto& clock = pair.team.clock().local();
    const double started_s = clock.now_s();
    for (int i = 0; i < trips; ++i) {
        if (auto thrown = pair.throw_ball(); !thrown)
            return thrown.error();
        if (auto caught = pair.catch_ball(); !caught)
            return caught.error();
    }
    return (clock.now_s() - started_s) / (2 * trips);
}

/// `series` repetitions of `trips` round trips each, appended to `times_s`.
Status play_series(Pair& pair, int series, int trips, std::vector<double>& times_s) {
    if (series == 0)
        return Done{};
    if (auto ready = announce(pair, Go{series * trips}); !ready)
        return ready;
    for (int i = 0; i < series; ++i) {
        const auto time_s = half_trip(pair, trips);
        if (!time_s)
            return time_s.error();
        times_s.push_back(*time_s);
    }
    return Done{};
}

Result<HalfTrips> play_first(Pair& pair, const Command& command) {
    const auto& clock = pair.team.clock().local();
    const double until_s = clock.now_s() + command.share_s;
    HalfTrips half_trips;
    auto& warm_up_s = half_trips.warm_up_s;
    auto& times_s = half_trips.times_s;
    WarmUp warm_up;
    do {
        if (auto played = play_series(pair, 1, 1, warm_up_s); !played)
            return played.error();
    } while (warm_up.holds(warm_up_s.back(), clock.now_s() > until_s));
    const double trip_s = std::max(2 * warm_up_s.back(), 1e-9);
    const auto trips = static_cast<int>(std::clamp(worth_timing_s / trip_s, 1., most_trips));
    // The last single round trip was warm; where repetitions are single ones it is the first.
    if (trips == 1) {
        times_s.push_back(warm_up_s.back());
        warm_up_s.pop_back();
    }
    const double affordable = (until_s - clock.now_s()) / (trip_s * trips);
    const int first = static_cast<int>(times_s.size());
    const auto series = static_cast<int>(std::clamp(
        affordable, 1. - first, static_cast<double>(std::max(1, command.repetitions) - first)));
    if (auto done = play_series(pair, series, trips, times_s); !done)
        return done.error();
    const Go end{0};
    if (auto sent = pair.team.traffic().send(mpi::bytes_of(end), pair.other, tag_go); !sent)
        return sent.error();
    return half_trips;
}

Status play_second(Pair& pair) {
    for (;;) {
        Go go;
        if (auto got = pair.team.traffic().receive(mpi::bytes_of(go), pair.other, tag_go); !got)
            return got;
        if (go.trips == 0)
            return Done{};
        if (auto sent = pair.team.traffic().send(mpi::bytes_of(go), pair.other, tag_go); !sent)
            return sent;
        for (int i = 0; i < go.trips; ++i) {
            if (auto caught = pair.catch_ball(); !caught)
                return caught;
            if (auto thrown = pair.throw_ball(); !thrown)
                return thrown;
        }
    }
}

/// Rank 0, when it is not the first of the pair: waits asleep for the times. Both lists travel in
/// one message, behind their lengths.
Result<HalfTrips> collect(const Team& team, const Command& command, int first) {
    std::vector<double> message(static_cast<std::size_t>(command.repetitions) + 16);
    mpi::Requests arrival;
    if (auto posted = arrival.receive(team.control(), std::as_writable_bytes(std::span(message)),
                                      first, tag_times);
        !posted)
        return posted.error();
    if (auto waited = arrival.wait_napping(longest_nap_s); !waited)
        return waited.error();
    const auto warm_up_s = message.begin() + 2;
    const auto times_s = warm_up_s + static_cast<std::ptrdiff_t>(message[0]);
    return HalfTrips{{warm_up_s, times_s},
                     {times_s, times_s + static_cast<std::ptrdiff_t>(message[1])}};
}

Status hand_in(const Team& team, const HalfTrips& half_trips) {
    std::vector<double> message{static_cast<double>(half_trips.warm_up_s.size()),
                                static_cast<double>(half_trips.times_s.size())};
    message.insert(message.end(), half_trips.warm_up_s.begin(), half_trips.warm_up_s.end());
    message.insert(message.end(), half_trips.times_s.begin(), half_trips.times_s.end());
    return team.control().send(std::as_bytes(std::span(message)), 0, tag_times);
}

} // namespace

Result<HalfTrips> visit_pingpong(Team& team, const Command& command) {
    const auto& point = team.plan()[static_cast<std::size_t>(command.point)];
    const int rank = team.rank();
    if (rank == point.first_rank) {
        Pair pair{team, point.second_rank, std::vector<std::byte>(point.size_bytes)};
        auto half_trips = play_first(pair, command);
        if (!half_trips || rank == 0)
            return half_trips;
        if (auto sent = hand_in(team, *half_trips); !sent)
            return sent.error();
        return HalfTrips();
    }
    if (rank == point.second_rank) {
        Pair pair{team, point.first_rank, std::vector<std::byte>(point.size_bytes)};
        if (auto played = play_second(pair); !played)
            return played.error();
    }
    return rank == 0 ? collect(team, command, point.first_rank) : HalfTrips();
}

} // namespace alltold::measure
