// SPDX-License-Identifier: BSD-3-Clause
// Ping-pongs of one pair.
#include "campaign/probes/pingpong.hpp"

#include <algorithm>

#include "campaign/plan.hpp"
#include "campaign/probes/pair.hpp"
#include "campaign/warm_up.hpp"

namespace alltold::measure {
namespace {

constexpr std::uint64_t ki = 1024;
constexpr double worth_timing_s = 2e-3;
constexpr double most_trips = 10;

Result<std::vector<Point>> plan(const Clusters& world, const Wishes& wishes) {
    std::vector<Point> points;
    const auto sizes = sizes_or(wishes, {1, 64, 1 * ki, 4 * ki, 8 * ki, 16 * ki, 32 * ki, 64 * ki,
                                         128 * ki, 256 * ki, 1024 * ki});
    for (const auto& pair : choose_pairs(world))
        for (const auto size_bytes : sizes)
            points.push_back(pair_point("pingpong", world, pair, size_bytes));
    return points;
}

/// The first's side of `trips` round trips; half of one's time.
Result<double> half_trip(PairEnd& end, int trips) {
    const double started_s = end.clock().now_s();
    for (int i = 0; i < trips; ++i) {
        if (auto thrown = end.send(); !thrown)
            return thrown.error();
        if (auto caught = end.receive(); !caught)
            return caught.error();
    }
    return (end.clock().now_s() - started_s) / (2 * trips);
}

/// `series` repetitions of `trips` round trips each, appended to `times_s`.
Status play_series(PairEnd& end, int series, int trips, std::vector<double>& times_s) {
    if (series == 0)
        return Done{};
    if (auto ready = end.announce(series * trips); !ready)
        return ready;
    for (int i = 0; i < series; ++i) {
        const auto time_s = half_trip(end, trips);
        if (!time_s)
            return time_s.error();
        times_s.push_back(*time_s);
    }
    return Done{};
}

Result<Takings> take(PairEnd& end, const Command& command) {
    const auto& clock = end.clock();
    const double until_s = clock.now_s() + command.share_s;
    Takings takings;
    WarmUp warm_up;
    do {
        if (auto played = play_series(end, 1, 1, takings.warm_up); !played)
            return played.error();
    } while (warm_up.holds(takings.warm_up.back(), clock.now_s() > until_s));
    const double trip_s = std::max(2 * takings.warm_up.back(), 1e-9);
    const auto trips = static_cast<int>(std::clamp(worth_timing_s / trip_s, 1., most_trips));
    // The last single round trip was warm; where repetitions are single ones it is the first.
    if (trips == 1) {
        takings.values.push_back(takings.warm_up.back());
        takings.warm_up.pop_back();
    }
    const double affordable = (until_s - clock.now_s()) / (trip_s * trips);
    const int first = static_cast<int>(takings.values.size());
    const auto series = static_cast<int>(std::clamp(
        affordable, 1. - first, static_cast<double>(std::max(1, command.repetitions) - first)));
    if (auto done = play_series(end, series, trips, takings.values); !done)
        return done.error();
    return takings;
}

Status return_balls(PairEnd& end, int trips) {
    for (int i = 0; i < trips; ++i) {
        if (auto caught = end.receive(); !caught)
            return caught;
        if (auto thrown = end.send(); !thrown)
            return thrown;
    }
    return Done{};
}

/// A sample is half of what a round trip takes.
double cost_s(const Point&, double value) {
    return 2 * value;
}

} // namespace

Status visit_pingpong(Visit& visit) {
    return visit_pair(
        visit, [&](PairEnd& end) { return take(end, visit.command); }, return_balls);
}

Probe pingpong_probe() {
    Probe probe{"pingpong", "p2p", "seconds, half a round trip", plan, visit_pingpong};
    probe.cost_s = cost_s;
    return probe;
}

} // namespace alltold::measure
