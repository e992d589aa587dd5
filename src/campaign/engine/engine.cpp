// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/engine.hpp"

#include <new>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "campaign/plan.hpp"
#include "campaign/probe.hpp"
#include "core/units.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {
namespace {

constexpr double compare_clocks_every_s = 5;
/// Over wide-area links a comparison takes most of a second.
constexpr double most_share_of_comparisons = 0.05;

std::string kernel() {
    utsname about{};
    uname(&about);
    return fmt::format("{} {} {}", about.sysname, about.release, about.machine);
}

/// Ranks other than 0 follow orders until the last one.
Result<ExitStatus> serve(Ranks& ranks, Watchdog& watchdog) {
    for (;;) {
        ALLTOLD_TRY(order, ranks.await(watchdog));
        if (order->what == Order::What::finish)
            return order->status;
        if (order->what == Order::What::compare_clocks) {
            ALLTOLD_TRY(quality, compare_clocks(ranks.control(), ranks.everyone(), ranks.clock()));
        } else {
            Context context{ranks, watchdog, order->measurement};
            ALLTOLD_TRY_DONE(probe_of(context.point()).measure(context));
        }
    }
}

template <typename T>
T value_or_abort(Result<T> result) {
    if (!result)
        mpi::Session::abort(result.error());
    return std::move(*result);
}

Status run_session(const Arrangement& arrangement, const SessionOptions& options,
                   const std::function<Status(Engine&)>& work) {
    const auto& world = arrangement.ranks;
    catch_stop_signals();
    Watchdog watchdog(world.rank(), std::chrono::seconds(options.watchdog_s));
    auto ranks =
        value_or_abort(Ranks::gather(world, arrangement.clusters, GlobalClock(), options.extras));
    const auto clocks =
        value_or_abort(compare_clocks(ranks.control(), ranks.everyone(), ranks.clock()));
    const Provenance here{arrangement.hosts, arrangement.clusters, mpi::Session::library(),
                          kernel(),          clocks.text(),        arrangement.how,
                          options.start_mode};
    std::optional<Campaign> store;
    Status opened = Done{};
    if (world.rank() == 0 && !options.store.empty()) {
        auto resumed = Campaign::resume(options.store, here, options.seed);
        if (resumed)
            store.emplace(std::move(*resumed));
        else
            opened = resumed.error();
    }
    ALLTOLD_TRY_DONE(mpi::agree(world, opened));
    if (world.rank() != 0) {
        const auto status = value_or_abort(serve(ranks, watchdog));
        return status == ExitStatus::done ? Status(Done{}) : Error{"", status};
    }
    Engine engine(ranks, store ? &*store : nullptr, here, watchdog, clocks);
    const auto worked = work(engine);
    const auto status = !worked                       ? worked.error().status
                        : engine.status().interrupted ? ExitStatus::no
                                                      : ExitStatus::done;
    ALLTOLD_TRY_DONE(ranks.give({.status = status}));
    return worked;
}

} // namespace

Engine::Engine(Ranks& ranks, Campaign* store, const Provenance& here, Watchdog& watchdog,
               const ClockQuality& first_comparison)
    : ranks_(ranks), store_(store), here_(here), watchdog_(watchdog),
      counts_retransmissions_(names_are_hosts(here.hosts, here.clusters)), compared_s_(now_s()),
      starts_(2 * first_comparison.bound_s, first_comparison.likely_s) {
    status_.clocks = first_comparison;
}

Status Engine::run(Policy& policy) {
    for (;;) {
        ALLTOLD_TRY_DONE(between_measurements());
        if (status_.interrupted)
            break;
        ALLTOLD_TRY(next, policy.next(now_s()));
        if (!*next)
            break;
        progress_.show(now_s(), [&] { return policy.progress(**next, now_s()); });
        ALLTOLD_TRY_DONE(measure(policy, **next));
    }
    return policy.ended(status_, now_s());
}

Status Engine::measure(Policy& policy, const Measurement& measurement) {
    watchdog_.begin(describe(measurement.point));
    ALLTOLD_TRY_DONE(ranks_.give({Order::What::measure, measurement}));
    const auto& probe = probe_of(measurement.point);
    if (store_)
        for (const auto& [samples_of, unit] : probe.units)
            ALLTOLD_TRY_DONE(store_->measured_in(samples_of, unit));
    const auto keep = [&](Observation observation) -> Status {
        if (!counts_retransmissions_)
            observation.retransmitted.reset();
        if (store_) {
            ALLTOLD_TRY(repetition,
                        store_->add(observation.of.value_or(measurement.point), observation.value,
                                    observation.warm_up, observation.retransmitted));
            observation.repetition = *repetition;
        }
        return policy.observe(measurement, observation);
    };
    Recorder recorder{keep, starts_, call_s_};
    Context context{ranks_, watchdog_, measurement, &recorder};
    ALLTOLD_TRY_DONE(probe.measure(context));
    status_.interrupted = status_.interrupted || recorder.interrupted;
    if (measurement.trace)
        policy.traced(measurement, std::move(recorder.trace));
    watchdog_.begin({});
    policy.finished(measurement);
    return note_late(measurement.point);
}

Status Engine::between_measurements() {
    if (now_s() - compared_s_ >=
        std::max(compare_clocks_every_s, comparison_took_s_ / most_share_of_comparisons))
        ALLTOLD_TRY_DONE(compare());
    ALLTOLD_TRY(interrupted, ranks_.interrupted());
    status_.interrupted = status_.interrupted || *interrupted;
    return Done{};
}

Status Engine::compare() {
    watchdog_.begin("a comparison of clocks");
    const double began_s = now_s();
    ALLTOLD_TRY_DONE(ranks_.give({Order::What::compare_clocks}));
    ALLTOLD_TRY(quality, compare_clocks(ranks_.control(), ranks_.everyone(), ranks_.clock()));
    status_.clocks.merge(*quality);
    starts_.compared(quality->likely_s);
    compared_s_ = now_s();
    comparison_took_s_ = compared_s_ - began_s;
    watchdog_.begin({});
    return Done{};
}

Status Engine::note_late(const Point& point) {
    status_.worst_tolerance_s = starts_.worst_tolerance_s();
    const auto late = starts_.take_late();
    status_.late += late.count;
    status_.worst_late_s = std::max(status_.worst_late_s, late.worst_s);
    if (late.count == 0 || !store_)
        return Done{};
    return store_->note(fmt::format("{}: {} repetitions invalid, a rank started up to {} after "
                                    "the agreed time; repeated",
                                    describe(point), late.count, format_time(late.worst_s)));
}

Status with_engine(const Arrangement& arrangement, const SessionOptions& options,
                   const std::function<Status(Engine&)>& work) {
    wake_promptly();
    try {
        return run_session(arrangement, options, work);
    } catch (const std::bad_alloc&) {
        mpi::Session::abort(environment("out of memory; " + options.smaller));
    }
}

} // namespace alltold::campaign
