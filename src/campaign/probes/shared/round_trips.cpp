// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/probes/shared/round_trips.hpp"

#include "campaign/probes/shared/pair.hpp"

namespace alltold::campaign {
namespace {

constexpr double worth_timing_s = 2e-3;
constexpr double most_trips = 10;
/// Over such a way an announcement of a few bytes delays nothing, and waiting for its answer costs
/// as much as a sample.
constexpr double long_trip_s = 10e-3;

/// The first's side of `trips` round trips; half of one's time.
Result<double> half_trip(PairEnd& end, int trips) {
    const double started_s = end.clock().now_s();
    for (int i = 0; i < trips; ++i) {
        ALLTOLD_TRY_DONE(end.send());
        ALLTOLD_TRY_DONE(end.receive());
    }
    return (end.clock().now_s() - started_s) / (2 * trips);
}

/// `series` repetitions of `trips` round trips each, appended to `times_s`; `at_once`: behind the
/// announcement, without waiting until the second is ready.
Status run_series(PairEnd& end, int series, int trips, bool at_once, std::vector<double>& times_s) {
    if (series == 0)
        return Done{};
    ALLTOLD_TRY_DONE(at_once ? end.announce_only(series * trips) : end.announce(series * trips));
    for (int i = 0; i < series; ++i) {
        ALLTOLD_TRY(time_s, half_trip(end, trips));
        times_s.push_back(*time_s);
    }
    return at_once ? end.receive_ack() : Done{};
}

Result<Samples> take(PairEnd& end, const Measurement& measurement) {
    const auto& clock = end.clock();
    const double until_s = clock.now_s() + measurement.limit_s;
    Samples samples;
    WarmUp warm_up;
    do {
        const bool at_once = samples.warm_up.empty() || 2 * samples.warm_up.back() >= long_trip_s;
        ALLTOLD_TRY_DONE(run_series(end, 1, 1, at_once, samples.warm_up));
    } while (warm_up.holds(samples.warm_up.back(), clock.now_s() > until_s));
    const double trip_s = std::max(2 * samples.warm_up.back(), 1e-9);
    const auto trips = static_cast<int>(std::clamp(worth_timing_s / trip_s, 1., most_trips));
    // The last single round trip was warm; where repetitions are single ones it is the first.
    if (trips == 1) {
        samples.values.push_back(samples.warm_up.back());
        samples.warm_up.pop_back();
    }
    const double affordable = (until_s - clock.now_s()) / (trip_s * trips);
    const int first = static_cast<int>(samples.values.size());
    const auto series = static_cast<int>(std::clamp(
        affordable, 1. - first, static_cast<double>(std::max(1, measurement.repetitions) - first)));
    ALLTOLD_TRY_DONE(run_series(end, series, trips, trip_s >= long_trip_s, samples.values));
    return samples;
}

Status send_back(PairEnd& end, int trips) {
    for (int i = 0; i < trips; ++i) {
        ALLTOLD_TRY_DONE(end.receive());
        ALLTOLD_TRY_DONE(end.send());
    }
    return Done{};
}

} // namespace

Status measure_round_trips(Context& context) {
    return measure_pair(
        context, [&](PairEnd& end) { return take(end, context.measurement); }, send_back);
}

Result<double> half_trip_with(const Context& context, int other, bool first,
                              std::span<std::byte> ball, int trips) {
    const auto& traffic = context.ranks.traffic();
    const double started_s = Clock::true_now_s();
    for (int i = 0; i < 2 * trips; ++i) {
        const bool throws = (i % 2 == 0) == first;
        ALLTOLD_TRY(done, throws ? traffic.send(ball, other, tag_pingpong)
                                 : traffic.receive(ball, other, tag_pingpong));
    }
    return (Clock::true_now_s() - started_s) / (2 * trips);
}

Result<double> least_trip_s(const mpi::ManagedCommunicator& over, int with, int tag,
                            const RoundTrips& trips) {
    std::vector<std::byte> there(trips.there_bytes);
    std::byte back{};
    double least_s = 0;
    const double started_s = Clock::true_now_s();
    for (int trip = 1;; ++trip) {
        const double sent_s = Clock::true_now_s();
        const bool last =
            trip == trips.most || (trip >= trips.least && sent_s - started_s > trips.enough_s);
        there.front() = std::byte{last};
        ALLTOLD_TRY_DONE(over.send(there, with, tag));
        ALLTOLD_TRY_DONE(over.receive(mpi::bytes_of(back), with, tag));
        const double trip_s = Clock::true_now_s() - sent_s;
        least_s = trip == 1 ? trip_s : std::min(least_s, trip_s);
        if (last)
            return least_s;
    }
}

Status answer_trips(const mpi::ManagedCommunicator& over, int with, int tag,
                    const RoundTrips& trips) {
    std::vector<std::byte> there(trips.there_bytes);
    for (bool last = false; !last;) {
        ALLTOLD_TRY_DONE(over.receive(there, with, tag));
        last = there.front() != std::byte{};
        ALLTOLD_TRY_DONE(over.send(std::span(there).first(1), with, tag));
    }
    return Done{};
}

} // namespace alltold::campaign
