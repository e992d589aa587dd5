// SPDX-License-Identifier: BSD-3-Clause
// Sets a campaign up on all ranks, runs it, and ends it on all ranks.
#include "campaign/measure.hpp"

#include <new>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "campaign/probe.hpp"
#include "campaign/prompt.hpp"
#include "campaign/timed.hpp"
#include "runtime/mpi/agree.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::measure {
namespace {

std::string kernel() {
    utsname about{};
    uname(&about);
    return fmt::format("{} {} {}", about.sysname, about.release, about.machine);
}

/// What the ranks other than 0 do: obey until told to finish.
Result<ExitStatus> follow(Team& team, const Watchdog& watchdog) {
    for (;;) {
        const auto command = team.await(watchdog);
        if (!command)
            return command.error();
        if (command->what == Command::What::finish)
            return command->status;
        Status obeyed = Done{};
        if (command->what == Command::What::compare_clocks) {
            if (auto quality = compare_clocks(team.control(), team.everyone(), team.clock());
                !quality)
                obeyed = quality.error();
        } else {
            Visit visit{team, watchdog, *command, team.point_of(*command), nullptr};
            obeyed = probe_of(visit.point).visit(visit);
        }
        if (!obeyed)
            return obeyed.error();
    }
}

/// Rank 0: steers, then sends everyone home with the status.
Status steer_all(Helm& helm, const std::function<Status(Helm&)>& steer) {
    const auto steered = steer(helm);
    Command finish;
    if (!steered)
        finish.status = steered.error().status;
    if (auto given = helm.team.give(finish); !given)
        return given;
    return steered;
}

/// Rank 0: measures what there is of the plan.
Status direct(Helm& helm, const Options& options, std::optional<Report>& report) {
    const auto on_sample = options.on_sample ? options.on_sample : [](const auto&, const auto&) {};
    auto goal = options.goal;
    goal.refine = goal.refine && options.wishes.sizes_bytes.empty();
    Director director(helm.team, helm.campaign, goal, options.start_mode, options.budget_s,
                      helm.clocks, on_sample, helm.watchdog);
    auto outcome = director.run(options.seed);
    if (!outcome)
        return outcome.error();
    report = Report{std::move(*outcome), helm.here};
    return Done{};
}

/// What must not fail on one rank alone: an Error out of here ends all processes.
struct Crew {
    Team team;
    Provenance here; ///< complete on rank 0
    ClockQuality clocks;
};
Result<Crew> assemble(const Arrangement& arrangement, std::vector<Point> plan,
                      StartMode start_mode) {
    const auto& clusters = arrangement.clusters;
    auto team = Team::gather(arrangement.ranks, clusters, std::move(plan), GlobalClock());
    if (!team)
        return team.error();
    const auto clocks = compare_clocks(team->control(), team->everyone(), team->clock());
    if (!clocks)
        return clocks.error();
    Provenance here{arrangement.hosts, clusters,  mpi::Session::library(), kernel(), clocks->text(),
                    arrangement.how,   start_mode};
    return Crew{std::move(*team), std::move(here), *clocks};
}

template <typename T>
T value_or_abort(Result<T> result) {
    if (!result)
        mpi::Session::abort(result.error());
    return std::move(*result);
}

Status conduct_on(const Arrangement& arrangement, const Options& options, std::vector<Point> plan,
                  const std::function<Status(Helm&)>& steer) {
    const auto& world = arrangement.ranks;
    catch_stop_signals();
    const Watchdog watchdog(world.rank(), options.watchdog_s);
    auto crew = value_or_abort(assemble(arrangement, std::move(plan), options.start_mode));
    std::optional<Campaign> campaign;
    Status opened = Done{};
    if (world.rank() == 0) {
        auto resumed = Campaign::resume(options.store, crew.here, options.seed);
        if (resumed)
            campaign.emplace(std::move(*resumed));
        else
            opened = resumed.error();
    }
    if (auto agreed = mpi::agree(world, opened); !agreed)
        return agreed.error();
    if (world.rank() != 0) {
        const auto status = value_or_abort(follow(crew.team, watchdog));
        return status == ExitStatus::done ? Status(Done{}) : Error{"", status};
    }
    Helm helm{crew.team, *campaign, crew.here, crew.clocks, watchdog};
    return steer_all(helm, steer);
}

} // namespace

Result<std::optional<Report>> run(const mpi::Session& session, const Options& options) {
    const auto world = session.world();
    if (world.size() < 2)
        return bad_input("measuring needs at least 2 ranks; start it with mpirun -n 2 or more");
    wake_promptly();
    const auto arrangement = arrange(world, options.clusters);
    return arrangement ? run(*arrangement, options) : arrangement.error();
}

Result<std::optional<Report>> run(const Arrangement& arrangement, const Options& options) {
    auto plan = make_plan(arrangement.clusters, options.wishes);
    // All ranks know the same options and clusters, so that errors about them are common to all.
    if (!plan)
        return arrangement.ranks.rank() == 0 ? plan.error() : Error{"", plan.error().status};
    std::optional<Report> report;
    const auto conducted = conduct(arrangement, options, std::move(*plan),
                                   [&](Helm& helm) { return direct(helm, options, report); });
    if (!conducted)
        return conducted.error();
    return report;
}

Status conduct(const Arrangement& arrangement, const Options& options, std::vector<Point> plan,
               const std::function<Status(Helm&)>& steer) {
    wake_promptly();
    try {
        return conduct_on(arrangement, options, std::move(plan), steer);
    } catch (const std::bad_alloc&) {
        mpi::Session::abort(environment("out of memory; measure smaller sizes with -m"));
    }
}

} // namespace alltold::measure
