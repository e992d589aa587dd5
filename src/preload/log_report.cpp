// SPDX-License-Identifier: BSD-3-Clause
// Sums of all ranks turned into times of calls, beside what the models say of them.
#include "preload/log_report.hpp"

#include <algorithm>
#include <cmath>

#include "predict/choice/rank.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/parameters/resolve.hpp"
#include "preload/observer.hpp"
#include "topology/spread.hpp"

namespace alltold::preload {
namespace {

/// Rankings take tens of milliseconds each; the classes with the least time go without.
constexpr std::size_t most_ranked = 24;

Clusters clusters_of(const LoggedRun& run, int ranks) {
    if (ranks == run.clusters.ranks())
        return run.clusters;
    const bool alike = run.clusters.count() == 1 && run.clusters.one_rank_per_host();
    return alike || ranks < run.clusters.count() ? Clusters({ranks}) : spread(run.clusters, ranks);
}

/// All calls of the shape that ran the library's own.
CallSums library_sums(const CallLog& log, const CallClass& shape) {
    CallSums sums;
    for (const auto& [other, of] : log.classes())
        if (other.collective == shape.collective && other.ranks == shape.ranks &&
            other.size_bits == shape.size_bits && !other.nonblocking && other.choice == "mpi")
            sums.add(of);
    return sums;
}

/// What the models say of a class; only of blocking calls with one block size.
void add_predictions(LoggedClass& one, const LoggedRun& run, const Choice& ran,
                     SimulationCache& simulations) {
    const auto collective = one.shape.collective;
    const auto clusters = clusters_of(run, one.shape.ranks);
    const auto size_bytes = static_cast<std::uint64_t>(std::llround(one.block_bytes));
    const auto ranking = rank(*run.network, collective, clusters, size_bytes, &simulations);
    if (!ranking)
        return;
    const auto complete = resolve({collective, clusters, size_bytes}, run.network,
                                  {.choice = ran, .simulations = &simulations});
    if (complete)
        if (const auto time =
                evaluate(*run.network, collective, clusters, size_bytes, *complete, &simulations)) {
            one.predicted_s = time->time_s.value;
            if (time->bound_s > 0)
                one.bound_s = time->bound_s;
        }
    for (const auto& candidate : ranking->candidates) {
        if (candidate.choice.is_default() && !one.library_s)
            one.library_s = candidate.time_s.value;
        const bool other = algorithm_name(candidate.choice) != algorithm_name(ran);
        const double time_s = candidate.time_s.value;
        if (other && candidate.choice.library.empty() &&
            time_s < one.runner_up_s.value_or(INFINITY)) {
            one.runner_up = text_of(candidate.choice);
            one.runner_up_s = time_s;
        }
        if (!one.bound_s && candidate.bound_s > 0)
            one.bound_s = candidate.bound_s;
    }
    if (!run.observed_only)
        return;
    const Decider decider(*run.network, StartMode::silence, collective, clusters, simulations, {});
    const auto decided = decider.at({&clusters, 1}, size_bytes);
    const auto& better = decided.settings.front().times[decided.chosen];
    if (decided.chosen != 0 && better && better->time_s.value < one.measured_s) {
        one.better = text_of(decided.choice());
        one.saved_s = one.calls * (one.measured_s - better->time_s.value);
    }
}

LoggedClass class_of(const CallClass& shape, const CallSums& sums, const CallLog& log,
                     const LoggedRun& run) {
    LoggedClass one;
    one.shape = shape;
    one.calls = sums.calls / shape.ranks;
    one.block_bytes = sums.bytes / sums.calls;
    one.time_s = sums.time_s / run.ranks;
    one.measured_s = sums.time_s / sums.calls;
    const auto library = library_sums(log, shape);
    if (library.calls > 0 && shape.choice != "mpi") {
        one.library_s = library.time_s / library.calls;
        one.library_measured = true;
    }
    return one;
}

} // namespace

LogReport report_of(const CallLog& log, const LoggedRun& run) {
    LogReport report{run, {}, log.others(), 0};
    double all_s = log.others().time_s / run.ranks;
    for (const auto& [shape, sums] : log.classes())
        if (sums.calls > 0) {
            report.classes.push_back(class_of(shape, sums, log, run));
            all_s += report.classes.back().time_s;
        }
    report.share = run.time_s > 0 ? all_s / run.time_s : 0;
    std::ranges::stable_sort(report.classes, std::greater<>(), &LoggedClass::time_s);
    SimulationCache simulations;
    for (std::size_t i = 0; i < std::min(most_ranked, report.classes.size()); ++i) {
        auto& one = report.classes[i];
        const auto ran = parse_choice(one.shape.choice);
        if (run.network && ran && !one.shape.nonblocking &&
            !traits_of(one.shape.collective).per_pair)
            add_predictions(one, run, *ran, simulations);
        if (!run.observed_only && ran && ran->algorithm && one.library_s && !one.shape.nonblocking)
            one.saved_s = one.calls * (*one.library_s - one.measured_s);
    }
    return report;
}

} // namespace alltold::preload
