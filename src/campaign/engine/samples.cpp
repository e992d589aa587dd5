// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/samples.hpp"

#include "campaign/plan.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {
namespace {

/// A rank that waits for others sleeps and leaves its processor to the ranks still working.
constexpr double longest_nap_for_start_s = 100e-6;

Status send_down(const Ranks& ranks, const Tree& tree, const Start& start) {
    for (const int child : tree.children(ranks.rank()))
        ALLTOLD_TRY_DONE(ranks.control().send(mpi::bytes_of(start), child, tag_start));
    return Done{};
}

template <typename T>
Status receive(const Ranks& ranks, T& message, int from, int tag) {
    mpi::Requests arrival;
    ALLTOLD_TRY_DONE(arrival.receive(ranks.control(), mpi::bytes_of(message), from, tag));
    return arrival.wait_napping(longest_nap_for_start_s);
}

/// One repetition here, merged with the reports of the ranks below.
Result<Finish> run_once(Ranks& ranks, const Tree& tree, const Start& start, const Steps& steps) {
    const auto& clock = ranks.clock();
    Finish worst;
    const auto* counter = steps.retransmissions;
    const auto before = counter ? counter->read() : std::nullopt;
    worst.slack_s = start.instant_s - clock.now_s();
    clock.sleep_until(start.instant_s);
    worst.late_by_s = clock.now_s() - start.instant_s;
    ALLTOLD_TRY_DONE(steps.run_loop ? steps.run_loop(start.calls) : steps.run());
    worst.finish_s = clock.now_s();
    worst.interrupted = stop_requested();
    if (steps.reading)
        worst.reading = steps.reading();
    if (counter) {
        const auto after = counter->read();
        worst.counted = before && after;
        worst.retransmitted = worst.counted ? *after - *before : 0;
    }
    for (const int child : tree.children(ranks.rank())) {
        Finish below;
        ALLTOLD_TRY_DONE(receive(ranks, below, child, tag_report));
        worst.merge(below);
    }
    return worst;
}

/// The longest that rank 0 sleeps before it looks for samples again.
constexpr double longest_nap_for_samples_s = 1e-3;
constexpr std::size_t most_warm_ups = 16;

/// Both lists travel in one message, behind their lengths.
Status send_samples(const Context& context, const Samples& mine) {
    assert(mine.warm_up.size() <= most_warm_ups);
    std::vector<double> message{static_cast<double>(mine.warm_up.size()),
                                static_cast<double>(mine.values.size())};
    message.insert(message.end(), mine.warm_up.begin(), mine.warm_up.end());
    message.insert(message.end(), mine.values.begin(), mine.values.end());
    return context.ranks.control().send(std::as_bytes(std::span(message)), 0, tag_times);
}

Result<Samples> collect(const Context& context, int reporter) {
    std::vector<double> message(
        2 + most_warm_ups + static_cast<std::size_t>(std::max(1, context.measurement.repetitions)));
    mpi::Requests arrival;
    ALLTOLD_TRY_DONE(arrival.receive(
        context.ranks.control(), std::as_writable_bytes(std::span(message)), reporter, tag_times));
    ALLTOLD_TRY_DONE(arrival.wait_napping(longest_nap_for_samples_s));
    const auto warm_up = message.begin() + 2;
    const auto values = warm_up + static_cast<std::ptrdiff_t>(message[0]);
    return Samples{{warm_up, values}, {values, values + static_cast<std::ptrdiff_t>(message[1])}};
}

Status keep_all(Recorder& recorder, const Samples& samples) {
    for (const double value : samples.warm_up)
        ALLTOLD_TRY_DONE(recorder.keep({value, true}));
    for (const double value : samples.values)
        ALLTOLD_TRY_DONE(recorder.keep({value, false}));
    return Done{};
}

Status keep_others(Recorder& recorder, const Steps& steps, bool warm_up) {
    if (steps.also)
        for (auto& [point, value] : steps.also())
            ALLTOLD_TRY_DONE(recorder.keep({.value = value, .warm_up = warm_up, .of = point}));
    return Done{};
}

/// Rank 0's loop of repetitions.
Status repeat_as_root(Context& context, const Steps& steps, bool by_reading) {
    const auto& clock = context.ranks.clock().local();
    const auto& asked = context.measurement;
    auto& recorder = *context.recorder;
    const double until_s = clock.now_s() + asked.limit_s;
    const bool judged = asked.start_mode != StartMode::barrier && asked.repetitions > 0;
    auto& margin = recorder.starts.margin(context.in_one_cluster());
    // A loop ramps connections up itself, so one warm-up is enough: the first call.
    double& call_s = recorder.call_s[describe(context.point())];
    WarmUp warm_up;
    bool warmed = asked.warm;
    for (int taken = 0;;) {
        const int calls = asked.loops() && warmed ? calls_of_loop(call_s, context.point().n()) : 1;
        ALLTOLD_TRY(timed, repeat_once(context.ranks, context.participants(), margin.now_s(), steps,
                                       calls));
        if (asked.verify) {
            ALLTOLD_TRY_DONE(end_repetitions(context.ranks, context.participants()));
            ALLTOLD_TRY(checked, check_all(context.ranks, context.participants(), steps));
            timed->worst.wrong_rank = checked->wrong_rank;
            timed->worst.wrong = checked->wrong;
        }
        context.watchdog.feed();
        margin.learn(timed->worst.slack_s);
        const auto& worst = timed->worst;
        recorder.interrupted = recorder.interrupted || worst.interrupted || stop_requested();
        const bool late =
            judged &&
            recorder.starts.was_late(context.point().clusters.text(), *timed,
                                     asked.loops() ? negligible_share_of_loop : negligible_share);
        if (asked.loops())
            call_s = timed->time_s() / calls;
        if (!late || worst.wrong_rank >= 0) {
            const bool warming =
                asked.loops()
                    ? !warmed
                    : !asked.warm && warm_up.holds(timed->time_s(), clock.now_s() > until_s);
            warmed = true;
            const double value = by_reading ? worst.reading : timed->time_s() / calls;
            ALLTOLD_TRY_DONE(
                recorder.keep({.value = value,
                               .warm_up = warming,
                               .wrong_rank = worst.wrong_rank,
                               .wrong = worst.wrong,
                               .calls = calls,
                               .retransmitted = worst.counted ? std::optional(worst.retransmitted)
                                                              : std::nullopt}));
            ALLTOLD_TRY_DONE(keep_others(recorder, steps, warming));
            taken += warming ? 0 : 1;
        }
        // Take one repetition after the warm-up even if the time is up.
        const bool out_of_time = taken >= 1 && clock.now_s() + timed->time_s() > until_s;
        if (recorder.interrupted || asked.verify || taken >= asked.repetitions || out_of_time)
            return Done{};
    }
}

/// The part of the other ranks in `repeat`.
Status follow_and_check(Context& context, const Steps& steps) {
    const auto& tree = context.participants();
    ALLTOLD_TRY_DONE(follow_root(context.ranks, tree, context.watchdog, steps));
    if (!context.measurement.verify)
        return Done{};
    const auto checked = check_all(context.ranks, tree, steps);
    return checked ? Status(Done{}) : checked.error();
}

} // namespace

Result<Timed> repeat_once(Ranks& ranks, const Tree& tree, double margin_s, const Steps& steps,
                          int calls) {
    const Start start{ranks.clock().now_s() + margin_s, false, calls};
    ALLTOLD_TRY_DONE(send_down(ranks, tree, start));
    ALLTOLD_TRY(worst, run_once(ranks, tree, start, steps));
    return Timed{start.instant_s, *worst};
}

Result<Finish> check_all(Ranks& ranks, const Tree& tree, const Steps& steps) {
    Finish worst;
    if (const auto wrong = steps.check ? steps.check() : std::nullopt) {
        worst.wrong_rank = ranks.rank();
        worst.wrong = *wrong;
    }
    for (const int child : tree.children(ranks.rank())) {
        Finish below;
        ALLTOLD_TRY_DONE(receive(ranks, below, child, tag_report));
        worst.merge(below);
    }
    if (ranks.rank() != 0)
        ALLTOLD_TRY_DONE(
            ranks.control().send(mpi::bytes_of(worst), tree.parent(ranks.rank()), tag_report));
    return worst;
}

Status end_repetitions(Ranks& ranks, const Tree& tree) {
    return send_down(ranks, tree, Start{.stop = true});
}

Status follow_root(Ranks& ranks, const Tree& tree, Watchdog& watchdog, const Steps& steps) {
    const int above = tree.parent(ranks.rank());
    for (;;) {
        Start start;
        ALLTOLD_TRY_DONE(receive(ranks, start, above, tag_start));
        watchdog.feed();
        ALLTOLD_TRY_DONE(send_down(ranks, tree, start));
        if (start.stop)
            return Done{};
        ALLTOLD_TRY(worst, run_once(ranks, tree, start, steps));
        ALLTOLD_TRY_DONE(ranks.control().send(mpi::bytes_of(*worst), above, tag_report));
    }
}

Status report(Context& context, int reporter, const Samples& mine) {
    if (context.rank() != 0)
        return context.rank() == reporter ? send_samples(context, mine) : Done{};
    if (reporter == 0)
        return keep_all(*context.recorder, mine);
    const auto theirs = collect(context, reporter);
    return theirs ? keep_all(*context.recorder, *theirs) : theirs.error();
}

Status repeat(Context& context, const Steps& steps) {
    Steps mine = takes_part(context) ? steps : Steps{[] { return Status(Done{}); }};
    mine.retransmissions = context.ranks.counter_for(context.participants());
    if (context.rank() != 0)
        return follow_and_check(context, mine);
    auto repeated = repeat_as_root(context, mine, static_cast<bool>(steps.reading));
    if (context.measurement.verify)
        return repeated; // repeat_as_root has ended it
    // The other ranks wait for the next start, even after an error here.
    ALLTOLD_TRY_DONE(end_repetitions(context.ranks, context.participants()));
    return repeated;
}

bool takes_part(const Context& context) {
    const auto ranks = ranks_of(context.point(), context.ranks.clusters());
    return std::find(ranks.begin(), ranks.end(), context.rank()) != ranks.end();
}

Status repeat_outside(Context& context, bool by_reading) {
    Steps none;
    if (by_reading)
        none.reading = [] { return 0.; };
    return repeat(context, none);
}

} // namespace alltold::campaign
