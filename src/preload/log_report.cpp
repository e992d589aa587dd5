// SPDX-License-Identifier: BSD-3-Clause
// Sums of all ranks turned into times of calls, beside what the models say of them.
#include "preload/log_report.hpp"

#include <algorithm>
#include <cmath>

#include "predict/choice/rank.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/parameters/resolve.hpp"
#include "preload/observer.hpp"
#include "topology/places.hpp"

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

/// Adds the models' times of a class; for blocking calls with one block size only.
void add_predictions(LoggedClass& entry, const LoggedRun& run, const Choice& ran,
                     SimulationCache& simulations) {
    const auto collective = entry.shape.collective;
    const auto clusters = clusters_of(run, entry.shape.ranks);
    const auto size_bytes = static_cast<std::uint64_t>(std::llround(entry.block_bytes));
    const auto ranking = rank(*run.network, collective, clusters, size_bytes, &simulations);
    if (!ranking)
        return;
    const auto complete = resolve({collective, clusters, size_bytes}, run.network,
                                  {.choice = ran, .simulations = &simulations});
    if (complete)
        if (const auto time =
                evaluate(*run.network, collective, clusters, size_bytes, *complete, &simulations)) {
            entry.predicted_s = time->time_s.value;
            if (time->bound_s > 0)
                entry.bound_s = time->bound_s;
        }
    for (const auto& candidate : ranking->candidates) {
        if (candidate.choice.is_default())
            entry.library_s = candidate.time_s.value;
        const bool differs = algorithm_name(candidate.choice) != algorithm_name(ran);
        const double time_s = candidate.time_s.value;
        if (differs && candidate.choice.library.empty() &&
            time_s < entry.runner_up_s.value_or(INFINITY)) {
            entry.runner_up = text_of(candidate.choice);
            entry.runner_up_s = time_s;
        }
        if (!entry.bound_s && candidate.bound_s > 0)
            entry.bound_s = candidate.bound_s;
    }
    if (!run.observed_only)
        return;
    const Decider decider(*run.network, StartMode::silence, collective, clusters, simulations, {});
    const auto decided = decider.at({&clusters, 1}, size_bytes);
    const auto& better = decided.settings.front().times[decided.chosen];
    if (decided.chosen != 0 && better && better->time_s.value < entry.measured_s) {
        entry.better = text_of(decided.choice());
        entry.saved_s = entry.calls * (entry.measured_s - better->time_s.value);
    }
}

LoggedClass class_of(const CallClass& shape, const CallSums& sums, const CallLog& log,
                     const LoggedRun& run) {
    LoggedClass entry;
    entry.shape = shape;
    entry.calls = sums.calls / shape.ranks;
    entry.block_bytes = sums.bytes / sums.calls;
    entry.time_s = sums.time_s / run.ranks;
    entry.measured_s = sums.time_s / sums.calls;
    if (const auto* blocks = log.blocks_of(shape); blocks && blocks->calls > 0) {
        entry.in_blocks_s = blocks->time_s / blocks->calls;
        entry.library_in_blocks_s = (blocks->time_s + blocks->saved_s) / blocks->calls;
        const double calls_of_blocks = sums.calls / run.ranks / blocks->calls;
        entry.saved_s = blocks->saved_s * calls_of_blocks;
        entry.saved_error_s = blocks->error_s * calls_of_blocks;
    }
    return entry;
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
        auto& entry = report.classes[i];
        const auto ran = parse_choice(entry.shape.choice);
        if (run.network && ran && !entry.shape.nonblocking &&
            !traits_of(entry.shape.collective).per_pair)
            add_predictions(entry, run, *ran, simulations);
    }
    return report;
}

} // namespace alltold::preload
