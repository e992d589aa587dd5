// SPDX-License-Identifier: BSD-3-Clause
// Rounds of the probes of pLogP.
#include "campaign/probes/plogp.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/plan.hpp"
#include "campaign/probes/pair.hpp"
#include "campaign/probes/pingpong.hpp"
#include "campaign/warm_up.hpp"

namespace alltold::measure {
namespace {

constexpr std::uint64_t ki = 1024;
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

std::vector<Point> curve(const char* probe, const Clusters& world, const Wishes& wishes) {
    std::vector<Point> points;
    const auto sizes = sizes_or(wishes, {1, 64, 128, 256, 512, 1 * ki, 2 * ki, 4 * ki, 8 * ki,
                                         16 * ki, 32 * ki, 64 * ki, 128 * ki, 256 * ki, 1024 * ki});
    for (const auto& pair : pairs_for(world))
        for (const auto size_bytes : sizes)
            points.push_back(pair_point(probe, world, pair, size_bytes));
    return points;
}

/// A step of a round that fails ends it.
Status in_turn(std::initializer_list<std::function<Status()>> steps) {
    for (const auto& step : steps)
        if (auto done = step(); !done)
            return done;
    return Done{};
}

/// How long `step` takes.
Result<double> timed(const Clock& clock, const std::function<Status()>& step) {
    const double started_s = clock.now_s();
    if (auto done = step(); !done)
        return done.error();
    return clock.now_s() - started_s;
}

/// Takes warm-ups and repetitions of `sample` as a visit's command asks, at least one of each.
Result<Takings> take_repeatedly(PairEnd& end, const Command& command,
                                const std::function<Result<double>()>& sample) {
    const double until_s = end.clock().now_s() + command.share_s;
    if (auto widened = end.widen(); !widened)
        return widened.error();
    Takings takings;
    for (WarmUp warm_up;;) {
        const auto value = sample();
        if (!value)
            return value.error();
        const bool late = end.clock().now_s() > until_s;
        const bool warming = warm_up.holds(*value, late);
        (warming ? takings.warm_up : takings.values).push_back(*value);
        if (static_cast<int>(takings.values.size()) >= command.repetitions ||
            (late && !takings.values.empty()))
            return takings;
    }
}

/// One o_s(m): the send alone; the sign back keeps the network idle before the next.
Result<double> send_once(PairEnd& end) {
    if (auto ready = end.announce(1); !ready)
        return ready.error();
    const auto time_s = timed(end.clock(), [&] { return end.send(); });
    if (!time_s)
        return time_s;
    if (auto arrived = end.receive_sign(); !arrived)
        return arrived.error();
    return time_s;
}

/// One o_r(m), asleep for `wait_s` between asking for the message and receiving it.
Result<double> receive_once(PairEnd& end, double wait_s) {
    if (auto asked = end.announce(1); !asked)
        return asked.error();
    end.clock().sleep_until(end.clock().now_s() + wait_s);
    return timed(end.clock(), [&] { return end.receive(); });
}

Result<Takings> take_receives(PairEnd& end, const Command& command) {
    double wait_s = 0;
    // The second of these has a warm connection.
    for (int i = 0; i < 2; ++i) {
        const auto asked_s = timed(end.clock(), [&]() -> Status {
            if (const auto received = receive_once(end, 0); !received)
                return received.error();
            return Done{};
        });
        if (!asked_s)
            return asked_s.error();
        wait_s = 1e-3 + 1.5 * *asked_s;
    }
    return take_repeatedly(end, command, [&] { return receive_once(end, wait_s); });
}

/// A train of so many messages, until the other says that it has them all.
Result<double> run_train(PairEnd& end, int messages) {
    if (auto ready = end.announce(messages); !ready)
        return ready.error();
    return timed(end.clock(), [&]() -> Status {
        for (int i = 0; i < messages; ++i)
            if (auto sent = end.send(); !sent)
                return sent;
        return end.receive_sign();
    });
}

Result<Takings> take_gaps(PairEnd& end, const Command& command) {
    std::vector<double> means_s;
    int messages = 1;
    for (double last_s = 0;; messages *= 2) {
        const auto train_s = run_train(end, messages);
        if (!train_s)
            return train_s.error();
        const double mean_s = *train_s / messages;
        means_s.push_back(mean_s);
        const bool is_steady = std::abs(mean_s - last_s) <= steady * mean_s;
        if (messages >= 2 && ((is_steady && *train_s >= shortest_train_s) ||
                              *train_s >= longest_train_s || messages >= most_messages))
            break;
        last_s = mean_s;
    }
    auto takings = take_repeatedly(end, command, [&]() -> Result<double> {
        const auto shorter_s = run_train(end, messages / 2);
        if (!shorter_s)
            return shorter_s;
        const auto longer_s = run_train(end, messages);
        if (!longer_s || *longer_s <= *shorter_s)
            return longer_s ? *longer_s / messages : longer_s;
        return (*longer_s - *shorter_s) / (messages - messages / 2);
    });
    if (takings)
        takings->warm_up.insert(takings->warm_up.begin(), means_s.begin(), means_s.end());
    return takings;
}

Status visit_sends(Visit& visit) {
    return visit_pair(
        visit,
        [&](PairEnd& end) {
            return take_repeatedly(end, visit.command, [&] { return send_once(end); });
        },
        [](PairEnd& end, int) {
            return in_turn({[&] { return end.receive(); }, [&] { return end.send_sign(); }});
        });
}

Status visit_receives(Visit& visit) {
    return visit_pair(
        visit, [&](PairEnd& end) { return take_receives(end, visit.command); },
        [](PairEnd& end, int) { return end.send(); });
}

Status visit_gaps(Visit& visit) {
    return visit_pair(
        visit, [&](PairEnd& end) { return take_gaps(end, visit.command); },
        [](PairEnd& end, int messages) -> Status {
            for (int i = 0; i < messages; ++i)
                if (auto received = end.receive(); !received)
                    return received;
            return end.send_sign();
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

constexpr char sends[] = "plogp.send", receives[] = "plogp.receive", gaps[] = "plogp.gap";

/// Measures a curve over message sizes, more closely where it bends.
template <const char* name>
Probe curve_probe(std::string_view says, Status (*visit)(Visit&),
                  double (*cost_s)(const Point&, double)) {
    Probe probe{name, "plogp", says,
                [](const Clusters& world, const Wishes& wishes) {
                    return Result(curve(name, world, wishes));
                },
                visit};
    probe.cost_s = cost_s;
    probe.refine = bend_points;
    return probe;
}

} // namespace

Probe plogp_send_probe() {
    return curve_probe<sends>("o_s(m): seconds of a send call", visit_sends, send_cost_s);
}

Probe plogp_receive_probe() {
    return curve_probe<receives>("o_r(m): seconds of a receive call for a message that has arrived",
                                 visit_receives, receive_cost_s);
}

Probe plogp_gap_probe() {
    return curve_probe<gaps>("g(m): seconds per message in a long train", visit_gaps, gap_cost_s);
}

Probe plogp_round_trip_probe() {
    Probe probe{"plogp.round_trip", "plogp", "L + g(1): seconds, half a round trip of 1 byte",
                [](const Clusters& world, const Wishes&) {
                    Wishes smallest;
                    smallest.sizes_bytes = {1};
                    return Result(curve("plogp.round_trip", world, smallest));
                },
                visit_pingpong};
    probe.cost_s = send_cost_s;
    return probe;
}

} // namespace alltold::measure
