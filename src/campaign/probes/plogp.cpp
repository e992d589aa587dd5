// SPDX-License-Identifier: BSD-3-Clause
// The probes of pLogP: o_s(m), o_r(m), g(m) as curves, and the round trip that L comes from.
//
// Kielmann, Bal and Verstoep 2000, "Fast measurement of LogP parameters for message passing
// platforms", whose parameters BM04 uses; between two hosts of one cluster. Deviations: g(m) is
// measured by saturation at every size, where they do so for the smallest message and derive the
// others from round trips; and a size interval is halved where the line between its neighbours
// misses a point, where they extrapolate from the two smaller sizes. Before a pair's first
// samples 4 MiB are sent, so that the kernel's buffers have grown; even so a send call's time
// beyond the eager limit depends on what the connection has carried before.
#include "campaign/plan.hpp"
#include "campaign/probe.hpp"
#include "campaign/probes/shared/bend_points.hpp"
#include "campaign/probes/shared/pair.hpp"
#include "campaign/probes/shared/round_trips.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

constexpr double steady = 0.05;
constexpr double shortest_train_s = 3e-3;
constexpr double longest_train_s = 0.25;
constexpr int most_messages = 512;

/// The first pair within a cluster; none where no cluster has two hosts.
std::vector<std::pair<int, int>> pairs_for(const Clusters& world) {
    for (const auto& pair : choose_pairs(world))
        if (world.cluster_of(pair.first) == world.cluster_of(pair.second))
            return {pair};
    return {};
}

std::vector<Point> curve(const char* probe, const Clusters& world, const Request& request) {
    std::vector<Point> points;
    const std::vector<std::uint64_t> few{1, 256, 2 * ki, 16 * ki};
    const auto sizes =
        request.rough
            ? sizes_or(request, few)
            : sizes_or(request, {1, 64, 128, 256, 512, 1 * ki, 2 * ki, 4 * ki, 8 * ki, 16 * ki,
                                 32 * ki, 64 * ki, 128 * ki, 256 * ki, 1024 * ki});
    for (const auto& pair : pairs_for(world))
        for (const auto size_bytes : sizes)
            points.push_back(pair_point(probe, world, pair, size_bytes));
    return points;
}

/// A failed step ends its round.
Status in_turn(std::initializer_list<std::function<Status()>> steps) {
    for (const auto& step : steps)
        ALLTOLD_TRY_DONE(step());
    return Done{};
}

/// The time of `step`.
Result<double> timed(const Clock& clock, const std::function<Status()>& step) {
    const double started_s = clock.now_s();
    ALLTOLD_TRY_DONE(step());
    return clock.now_s() - started_s;
}

/// Takes warm-ups and repetitions of `sample` as the measurement asks, at least one of each.
Result<Samples> take_repeatedly(PairEnd& end, const Measurement& measurement,
                                const std::function<Result<double>()>& sample) {
    const double until_s = end.clock().now_s() + measurement.limit_s;
    ALLTOLD_TRY_DONE(end.grow_buffers());
    Samples samples;
    for (WarmUp warm_up;;) {
        ALLTOLD_TRY(value, sample());
        const bool late = end.clock().now_s() > until_s;
        const bool warming = warm_up.holds(*value, late);
        (warming ? samples.warm_up : samples.values).push_back(*value);
        if (static_cast<int>(samples.values.size()) >= measurement.repetitions ||
            (late && !samples.values.empty()))
            return samples;
    }
}

/// One o_s(m): the send alone; the acknowledgement keeps the network idle before the next.
Result<double> send_once(PairEnd& end) {
    ALLTOLD_TRY_DONE(end.announce(1));
    const auto time_s = timed(end.clock(), [&] { return end.send(); });
    if (!time_s)
        return time_s;
    ALLTOLD_TRY_DONE(end.receive_ack());
    return time_s;
}

/// One o_r(m), asleep for `wait_s` between asking for the message and receiving it.
Result<double> receive_once(PairEnd& end, double wait_s) {
    ALLTOLD_TRY_DONE(end.announce(1));
    end.clock().sleep_until(end.clock().now_s() + wait_s);
    return timed(end.clock(), [&] { return end.receive(); });
}

Result<Samples> take_receives(PairEnd& end, const Measurement& measurement) {
    double wait_s = 0;
    // The second of these has a warm connection.
    for (int i = 0; i < 2; ++i) {
        const auto asked_s = timed(end.clock(), [&]() -> Status {
            ALLTOLD_TRY_DONE(receive_once(end, 0));
            return Done{};
        });
        if (!asked_s)
            return asked_s.error();
        wait_s = 1e-3 + 1.5 * *asked_s;
    }
    return take_repeatedly(end, measurement, [&] { return receive_once(end, wait_s); });
}

/// A train of messages until the other rank acknowledges the last one.
Result<double> run_train(PairEnd& end, int messages) {
    ALLTOLD_TRY_DONE(end.announce(messages));
    return timed(end.clock(), [&]() -> Status {
        for (int i = 0; i < messages; ++i)
            ALLTOLD_TRY_DONE(end.send());
        return end.receive_ack();
    });
}

Result<Samples> take_gaps(PairEnd& end, const Measurement& measurement) {
    std::vector<double> means_s;
    int messages = 1;
    for (double last_s = 0;; messages *= 2) {
        ALLTOLD_TRY(train_s, run_train(end, messages));
        const double mean_s = *train_s / messages;
        means_s.push_back(mean_s);
        const bool is_steady = std::abs(mean_s - last_s) <= steady * mean_s;
        if (messages >= 2 && ((is_steady && *train_s >= shortest_train_s) ||
                              *train_s >= longest_train_s || messages >= most_messages))
            break;
        last_s = mean_s;
    }
    auto samples = take_repeatedly(end, measurement, [&]() -> Result<double> {
        ALLTOLD_TRY(shorter_s, run_train(end, messages / 2));
        const auto longer_s = run_train(end, messages);
        if (!longer_s || *longer_s <= *shorter_s)
            return longer_s ? *longer_s / messages : longer_s;
        return (*longer_s - *shorter_s) / (messages - messages / 2);
    });
    if (samples)
        samples->warm_up.insert(samples->warm_up.begin(), means_s.begin(), means_s.end());
    return samples;
}

Status measure_sends(Context& context) {
    return measure_pair(
        context,
        [&](PairEnd& end) {
            return take_repeatedly(end, context.measurement, [&] { return send_once(end); });
        },
        [](PairEnd& end, int) {
            return in_turn({[&] { return end.receive(); }, [&] { return end.send_ack(); }});
        });
}

Status measure_receives(Context& context) {
    return measure_pair(
        context, [&](PairEnd& end) { return take_receives(end, context.measurement); },
        [](PairEnd& end, int) { return end.send(); });
}

Status measure_gaps(Context& context) {
    return measure_pair(
        context, [&](PairEnd& end) { return take_gaps(end, context.measurement); },
        [](PairEnd& end, int messages) -> Status {
            for (int i = 0; i < messages; ++i)
                ALLTOLD_TRY_DONE(end.receive());
            return end.send_ack();
        });
}

/// A send of its own and the round trip around it.
double send_cost_s(const Point&, double value) {
    return 2 * value;
}

/// Asking, sleeping, receiving.
double receive_cost_s(const Point&, double value) {
    return 1e-3 + 3.5 * value;
}

/// Two trains, the longer of them at most twice longest_train_s unless two messages take longer.
double gap_cost_s(const Point&, double value) {
    return std::max(3 * value, std::min(1.5 * most_messages * value, 3 * longest_train_s));
}

/// Measures a curve over message sizes, more closely where it bends.
Probe curve_probe(const char* name, std::string_view help, Status (*measure)(Context&),
                  double (*cost_s)(const Point&, double)) {
    Probe probe{name, "plogp", help,
                [name](const Clusters& world, const Request& request) {
                    return Result(curve(name, world, request));
                },
                measure};
    probe.cost_s = cost_s;
    probe.refine = bend_points;
    probe.refine_rough = longer_messages;
    probe.urgency = urgency_of_all<5>;
    return probe;
}

} // namespace

std::vector<Probe> plogp_probes() {
    return {
        // o_s(m): seconds a blocking standard send of m bytes takes, on an idle network: each waits
        // for the acknowledgement of the one before. A message beyond the library's eager limit is
        // sent only once the receiver takes it, and o_s includes that wait.
        curve_probe("plogp.send", "o_s(m): seconds of a send call", measure_sends, send_cost_s),
        // o_r(m): seconds a blocking receive takes when the message is there already. The receiver
        // asks for it, sleeps for 1.5 times what asking and receiving takes, and 1 ms, and then
        // receives; o_r includes work that the library does only when called, as beyond the eager
        // limit.
        curve_probe("plogp.receive",
                    "o_r(m): seconds of a receive call for a message that has arrived",
                    measure_receives, receive_cost_s),
        // g(m): seconds a message of a long train takes, all messages sent at once and the last one
        // acknowledged: the difference of two trains, one twice as long as the other, over that of
        // their lengths, so that latency and start-up cancel. Trains are doubled until the mean
        // time of a message is steady to 5 % and a train takes 3 ms, or the longer train takes 0.25
        // s or has 512 messages; the means up to there are the warm-ups. Where noise exceeds the
        // difference the mean of the longer train is the sample.
        curve_probe("plogp.gap", "g(m): seconds per message in a long train", measure_gaps,
                    gap_cost_s),
        // Half a round trip of 1 byte: L + g(1) by RTT(m) = 2 (L + g(m)).
        {.name = "plogp.round_trip",
         .kind = "plogp",
         .help = "L + g(1): seconds, half a round trip of 1 byte",
         .plan =
             [](const Clusters& world, const Request&) {
                 Request smallest;
                 smallest.sizes_bytes = {1};
                 return Result(curve("plogp.round_trip", world, smallest));
             },
         .measure = measure_round_trips,
         .cost_s = send_cost_s,
         .urgency = urgency_of_all<5>},
    };
}

} // namespace alltold::campaign
