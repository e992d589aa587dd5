// SPDX-License-Identifier: BSD-3-Clause
// Chooses the collectives, algorithms and hosts to measure, and runs one.
#include "campaign/probe.hpp"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/candidates.hpp"
#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

/// The sizes at which the library's own is measured without request.
std::vector<std::uint64_t> usual_sizes(Collective collective) {
    if (collective == Collective::alltoall)
        return {1,      64,      256,     1 * ki,  2 * ki,   4 * ki,
                8 * ki, 16 * ki, 32 * ki, 64 * ki, 128 * ki, 256 * ki};
    std::vector<std::uint64_t> sizes{1 * ki, 16 * ki, 128 * ki};
    const auto& traits = traits_of(collective);
    if (traits.reduces) // most of those that programs call have a single element
        sizes.insert(sizes.begin(), sizeof(double));
    if (traits.blocks != CollectiveTraits::Blocks::per_pair &&
        (traits.reduces || traits.blocks == CollectiveTraits::Blocks::one))
        sizes.push_back(512 * ki);
    return sizes;
}

/// Sizes of our algorithms: enough to learn the models' errors between and beyond them. The largest
/// takes as long as all others together, so it is measured on the fewest hosts only.
std::vector<std::uint64_t> learning_sizes(bool fewest_hosts) {
    std::vector<std::uint64_t> sizes{64, 1 * ki, 4 * ki, 16 * ki, 64 * ki};
    if (fewest_hosts)
        sizes.push_back(256 * ki);
    return sizes;
}

/// Few, but enough for a signature with a step at Open MPI's eager limit.
const std::vector<std::uint64_t> within_sizes{1 * ki, 4 * ki, 16 * ki, 64 * ki, 128 * ki};

bool requested(const Request& request, Collective collective) {
    if (!request.collectives.empty())
        return std::ranges::find(request.collectives, name_of(collective)) !=
               request.collectives.end();
    return std::ranges::find(papers_collectives, collective) != papers_collectives.end() ||
           std::ranges::any_of(request.algorithms, [&](std::string_view algorithm) {
               return algorithm.substr(0, algorithm.find('.')) == name_of(collective);
           });
}

/// Whether the name fits every collective: "all", "everything", "mpi" and "mpi.pairwise". Names of
/// our algorithms begin with their collective.
bool is_general(std::string_view algorithm) {
    const auto first = algorithm.substr(0, algorithm.find('.'));
    return first == "all" || first == "everything" || first == "mpi";
}

/// Whether a requested algorithm belongs to this collective; a library algorithm must exist for it.
bool belongs_to(std::string_view algorithm, Collective collective) {
    if (const auto choice = parse_choice(algorithm); choice && !choice->library.empty())
        return std::ranges::any_of(library_algorithms(), [&](const auto& row) {
            return row.collective == collective && row.name == choice->library;
        });
    return is_general(algorithm) || algorithm.substr(0, algorithm.find('.')) == name_of(collective);
}

/// The candidates; empty if all requested algorithms belong to other collectives.
Result<std::vector<Candidate>> candidates_of(Collective collective, const Request& request,
                                             const Clusters& clusters) {
    CandidateRequest wanted;
    wanted.what = name_of(collective);
    if (!request.algorithms.empty()) {
        std::vector<std::string> own;
        std::copy_if(request.algorithms.begin(), request.algorithms.end(), std::back_inserter(own),
                     [&](const auto& name) { return belongs_to(name, collective); });
        if (own.empty())
            return std::vector<Candidate>();
        wanted.algorithms = fmt::format("{}", fmt::join(own, ","));
        wanted.without_mpi = std::none_of(own.begin(), own.end(), [](const auto& name) {
            return name == "all" || name == "everything" || name == "mpi";
        });
    }
    ALLTOLD_TRY(selected, select_candidates(wanted, clusters));
    return std::move(selected->candidates);
}

/// A barrier has none, whatever is requested.
std::vector<std::uint64_t> sizes_of(Collective collective, const Request& request,
                                    const std::vector<std::uint64_t>& usual) {
    return traits_of(collective).has_data ? sizes_or(request, usual)
                                          : std::vector<std::uint64_t>{0};
}

/// The library or our algorithms on some subsets, at some sizes.
struct CallSet {
    std::vector<Clusters> subsets;
    bool ours;
    std::vector<std::uint64_t> sizes_bytes;
};

/// The user's request; else our algorithms on the subsets that fits learn from, the library's
/// all-to-all on all subsets, and its other collectives on the last subset, which holds all hosts.
std::vector<CallSet> call_sets(Collective collective, const Clusters& world,
                               const Request& request) {
    auto usual = subsets_for(world, request);
    if (!request.algorithms.empty())
        return {{usual, false, usual_sizes(collective)}, {usual, true, usual_sizes(collective)}};
    if (collective != Collective::alltoall)
        usual = {usual.back()};
    std::vector<CallSet> sets{{std::move(usual), false, usual_sizes(collective)}};
    for (const auto& subset : learning_subsets(world, request))
        sets.push_back({{subset}, true, learning_sizes(sets.size() == 1)});
    return sets;
}

Result<std::vector<Point>> plan_collective(Collective collective, const Clusters& world,
                                           const Request& request) {
    std::vector<Point> points;
    if (!requested(request, collective))
        return points;
    for (const auto& [subsets, ours, usual_bytes] : call_sets(collective, world, request))
        for (const auto& subset : subsets) {
            ALLTOLD_TRY(candidates, candidates_of(collective, request, subset));
            for (const auto& candidate : *candidates)
                if ((candidate.choice.algorithm != nullptr) == ours)
                    for (const auto size_bytes : sizes_of(collective, request, usual_bytes)) {
                        ALLTOLD_TRY(choice,
                                    candidate.at(Specification::of(collective, subset.ranks(), 0,
                                                                   size_bytes),
                                                 subset));
                        points.push_back({std::string(name_of(collective)), text_of(*choice),
                                          subset, size_bytes, -1, -1});
                    }
        }
    if (collective == Collective::alltoall && request.algorithms.empty() && request.subsets.empty())
        std::ranges::move(alltoalls_within(world, 1, sizes_or(request, within_sizes)),
                          std::back_inserter(points));
    return points;
}

/// `repeat`, then brings what was recorded to rank 0, also where the repetition was wrong: the
/// other ranks do not know.
Status repeat_traced(Context& context, const Steps& steps, const mpi::ManagedCommunicator& over,
                     const Runner& runner, const Specification& specification,
                     const Buffers& buffers) {
    ALLTOLD_TRY(program, runner.program(specification, buffers));
    OperationRecorder recorder{Clock::true_now_s};
    runner.record(&recorder);
    const auto repeated = repeat(context, steps);
    runner.record(nullptr);
    ALLTOLD_TRY(trace, gather_trace(over, **program, recorder, context.ranks.clock()));
    if (context.recorder)
        context.recorder->trace = std::move(*trace);
    return repeated;
}

/// Before the first repetition the ranks agree that all have a schedule. If one has none, rank 0
/// alone gets the error, and the others wait for its next order.
Status measure_collective(Context& context) {
    const auto& asked = context.measurement;
    const bool by_reading = asked.start_mode == StartMode::barrier;
    if (!takes_part(context))
        return repeat_outside(context, by_reading);
    ALLTOLD_TRY(over, context.ranks.subset(asked.point));
    const auto specification = context.ranks.specification(asked);
    Buffers buffers(specification, (*over)->rank());
    const auto runner = context.ranks.runner(asked.point);
    const auto ready = runner ? (*runner)->prepare(specification, buffers) : Status(runner.error());
    if (asked.warm && !ready)
        return ready;
    if (!asked.warm)
        if (const auto agreed = mpi::agree_all(**over, ready); !agreed)
            return context.rank() == 0 ? agreed : Done{};
    buffers.fill(specification, asked.pattern);
    const auto& clock = context.ranks.clock().local();
    double took_s = 0;
    Steps steps{[&]() -> Status {
        if (!by_reading)
            return (*runner)->run(specification, buffers);
        const auto ran = (*runner)->run_after_barrier(specification, buffers, clock);
        took_s = ran ? *ran : 0;
        return ran ? Status(Done{}) : ran.error();
    }};
    if (asked.loops())
        steps.run_loop = [&](int calls) {
            return (*runner)->run_loop(calls, asked.between, specification, buffers, clock);
        };
    if (by_reading)
        steps.reading = [&] { return took_s; };
    if (asked.verify)
        steps.check = [&] { return buffers.check(specification, asked.pattern); };
    return asked.trace ? repeat_traced(context, steps, **over, **runner, specification, buffers)
                       : repeat(context, steps);
}

/// The buffers of the root, which are the largest.
double buffer_bytes(const Point& point) {
    const auto m = static_cast<double>(point.size_bytes);
    using enum CollectiveTraits::Blocks;
    const auto collective = CollectiveProbe::parse(point.probe)->collective;
    const auto& traits = traits_of(collective);
    if (traits.blocks == one)
        return m;
    if (traits.reduces)
        return (traits.blocks == per_pair ? point.n() + 1 : 2) * m;
    return (traits.blocks == per_pair ? 2 * point.n() : point.n() + 1) * m;
}

Probe probe_for(Collective collective) {
    Probe probe{name_of(collective), "collectives",
                "seconds from the agreed start to the last finish, in a loop per call",
                [](const Clusters&, const Request&) { return Result(std::vector<Point>()); },
                measure_collective};
    probe.buffer_bytes = buffer_bytes;
    probe.within_hosts = true;
    return probe;
}

} // namespace

std::vector<Point> alltoalls_within(const Clusters& world, int from_cluster,
                                    std::span<const std::uint64_t> sizes_bytes) {
    std::vector<Point> points;
    const auto hosts = world.ranks_of_hosts();
    for (int c = from_cluster; c < world.count(); ++c) {
        const CollectiveProbe probe{Collective::alltoall, {}, c > 0};
        if (world.hosts(c) >= 2)
            for (const auto size_bytes : sizes_bytes)
                points.push_back({probe.text(), "mpi",
                                  Clusters::of_hosts({hosts[static_cast<std::size_t>(c)]}),
                                  size_bytes, c > 0 ? world.first(c) : -1});
    }
    return points;
}

std::vector<Point> alltoalls_within(const Clusters& world) {
    return alltoalls_within(world, 0, within_sizes);
}

Status check_collectives(const Request& request) {
    std::vector<std::string_view> names;
    for (const auto collective : uniform_collectives)
        names.push_back(name_of(collective));
    for (const auto& name : request.collectives)
        if (std::find(names.begin(), names.end(), name) == names.end())
            return bad_input(fmt::format("--collective: '{}' cannot be "
                                         "measured; use one or more of {}",
                                         name, fmt::join(names, ", ")));
    const bool sized = std::ranges::any_of(uniform_collectives, [&](Collective collective) {
        return requested(request, collective) && traits_of(collective).has_data;
    });
    if (!sized && !request.sizes_bytes.empty())
        return bad_input("-m: a barrier moves no data; leave it out");
    for (const auto& name : request.algorithms) {
        if (name == "all" || name == "everything")
            continue;
        ALLTOLD_TRY(choice, in_context("--algorithm", parse_choice(name)));
        if (choice->algorithm && !requested(request, choice->algorithm->collective))
            return bad_input(fmt::format("--algorithm: {} is not an algorithm for {}", name,
                                         fmt::join(request.collectives, ", ")));
    }
    return Done{};
}

std::vector<Probe> collectives_probes() {
    // The time of an all-to-all-v depends on its matrix: measure none without one.
    std::vector<Probe> probes{probe_for(Collective::alltoallv)};
    for (const auto collective : uniform_collectives) {
        probes.push_back(probe_for(collective));
        probes.back().plan = [collective](const Clusters& world, const Request& request) {
            return plan_collective(collective, world, request);
        };
    }
    return probes;
}

} // namespace alltold::campaign
