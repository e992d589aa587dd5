// SPDX-License-Identifier: BSD-3-Clause
// Ping-pongs of one pair, reported to rank 0.
#include "measure/probes/pingpong.hpp"

#include <algorithm>

#include "measure/plan.hpp"
#include "measure/tags.hpp"
#include "measure/visits.hpp"
#include "measure/warm_up.hpp"

namespace alltold::measure {
namespace {

constexpr double worth_timing_s = 2e-3;
constexpr double most_trips = 10;
constexpr std::uint64_t ki = 1024;

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

Result<Takings> play_first(Pair& pair, const Command& command) {
    const auto& clock = pair.team.clock().local();
    const double until_s = clock.now_s() + command.share_s;
    Takings takings;
    auto& warm_up_s = takings.warm_up;
    auto& times_s = takings.values;
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
    return takings;
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

Result<std::vector<Point>> plan(const Clusters& world, const Wishes& wishes) {
    std::vector<Point> points;
    const auto sizes = sizes_or(wishes, {1, 64, 1 * ki, 4 * ki, 8 * ki, 16 * ki, 32 * ki, 64 * ki,
                                         128 * ki, 256 * ki, 1024 * ki});
    for (const auto& pair : choose_pairs(world))
        for (const auto size_bytes : sizes)
            points.push_back(pair_point("pingpong", world, pair, size_bytes));
    return points;
}

Status visit(Visit& visit) {
    const auto& point = visit.point;
    Takings mine;
    if (visit.rank() == point.first_rank) {
        Pair pair{visit.team, point.second_rank, std::vector<std::byte>(point.size_bytes)};
        auto taken = play_first(pair, visit.command);
        if (!taken)
            return taken.error();
        mine = std::move(*taken);
    } else if (visit.rank() == point.second_rank) {
        Pair pair{visit.team, point.first_rank, std::vector<std::byte>(point.size_bytes)};
        if (auto played = play_second(pair); !played)
            return played;
    }
    return report(visit, point.first_rank, mine);
}

/// A sample is half of what a round trip takes.
double cost_s(const Point&, double value) {
    return 2 * value;
}

} // namespace

Probe pingpong_probe() {
    Probe probe{"pingpong", "p2p", "seconds, half a round trip", plan, visit};
    probe.cost_s = cost_s;
    return probe;
}

} // namespace alltold::measure
