// SPDX-License-Identifier: BSD-3-Clause
// Which collectives, by which algorithms, on which hosts; and how one is run.
#include "campaign/probes/collectives.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/candidates.hpp"
#include "campaign/led.hpp"
#include "campaign/pattern.hpp"
#include "campaign/plan.hpp"
#include "campaign/visits.hpp"

namespace alltold::measure {
namespace {

constexpr std::uint64_t ki = 1024;

/// One of the four, and the sizes at which the library's own is measured without wishes.
struct Row {
    Collective collective;
    std::vector<std::uint64_t> sizes_bytes;
};

const std::array<Row, 4>& rows() {
    static const std::array<Row, 4> all{{
        {Collective::bcast, {1 * ki, 16 * ki, 128 * ki, 512 * ki}},
        {Collective::scatter, {1 * ki, 16 * ki, 128 * ki}},
        {Collective::gather, {1 * ki, 16 * ki, 128 * ki}},
        {Collective::alltoall,
         {1, 64, 256, 1 * ki, 2 * ki, 4 * ki, 8 * ki, 16 * ki, 32 * ki, 64 * ki, 128 * ki,
          256 * ki}},
    }};
    return all;
}
/// Of ours: enough to learn how far models are off between and beyond them. The largest takes as
/// long as all others together, and on the fewest hosts says most of what it can.
std::vector<std::uint64_t> learning_sizes(bool fewest_hosts) {
    std::vector<std::uint64_t> sizes{64, 1 * ki, 4 * ki, 16 * ki, 64 * ki};
    if (fewest_hosts)
        sizes.push_back(256 * ki);
    return sizes;
}

bool wished(const Wishes& wishes, Collective collective) {
    return wishes.collectives.empty() ||
           std::find(wishes.collectives.begin(), wishes.collectives.end(), name_of(collective)) !=
               wishes.collectives.end();
}

/// Not one of ours, which say whose they are: "all", "everything", "mpi" and "mpi.pairwise" are
/// everyone's.
bool is_general(std::string_view algorithm) {
    const auto first = algorithm.substr(0, algorithm.find('.'));
    return first == "all" || first == "everything" || first == "mpi";
}

/// Whether a wish is about this collective; one of the library's where the library has it there.
bool belongs_to(std::string_view algorithm, Collective collective) {
    if (const auto choice = parse_choice(algorithm); choice && !choice->library.empty())
        return std::ranges::any_of(library_algorithms(), [&](const auto& row) {
            return row.collective == collective && row.name == choice->library;
        });
    return is_general(algorithm) || algorithm.substr(0, algorithm.find('.')) == name_of(collective);
}

/// Who takes part; nobody where the algorithms wished for are all another collective's.
Result<std::vector<play::Candidate>> candidates_of(const Row& row, const Wishes& wishes,
                                                   const Clusters& clusters) {
    play::CandidateRequest request;
    request.what = name_of(row.collective);
    if (!wishes.algorithms.empty()) {
        std::vector<std::string> own;
        std::copy_if(wishes.algorithms.begin(), wishes.algorithms.end(), std::back_inserter(own),
                     [&](const auto& name) { return belongs_to(name, row.collective); });
        if (own.empty())
            return std::vector<play::Candidate>();
        request.algorithms = fmt::format("{}", fmt::join(own, ","));
        request.without_mpi = std::none_of(own.begin(), own.end(), [](const auto& name) {
            return name == "all" || name == "everything" || name == "mpi";
        });
    }
    auto selected = play::select_candidates(request, clusters);
    if (!selected)
        return selected.error();
    return std::move(selected->candidates);
}

/// Who is measured where at which sizes.
struct Part {
    std::vector<Clusters> subsets;
    bool ours;
    std::vector<std::uint64_t> sizes_bytes;
};

/// What the user asked for; else ours where fits learn from them, the library's all-to-all
/// everywhere, its others on the last set, which is all the hosts that are to take part.
std::vector<Part> parts_of(const Row& row, const Clusters& world, const Wishes& wishes) {
    auto usual = subsets_for(world, wishes);
    if (!wishes.algorithms.empty())
        return {{usual, false, row.sizes_bytes}, {usual, true, row.sizes_bytes}};
    if (row.collective != Collective::alltoall)
        usual = {usual.back()};
    std::vector<Part> parts{{std::move(usual), false, row.sizes_bytes}};
    for (const auto& subset : learning_subsets(world, wishes))
        parts.push_back({{subset}, true, learning_sizes(parts.size() == 1)});
    return parts;
}

template <std::size_t which>
Result<std::vector<Point>> plan(const Clusters& world, const Wishes& wishes) {
    const auto& row = rows()[which];
    std::vector<Point> points;
    if (!wished(wishes, row.collective))
        return points;
    for (const auto& [subsets, ours, usual_bytes] : parts_of(row, world, wishes))
        for (const auto& subset : subsets) {
            const auto candidates = candidates_of(row, wishes, subset);
            if (!candidates)
                return candidates.error();
            for (const auto& candidate : *candidates)
                if ((candidate.choice.algorithm != nullptr) == ours)
                    for (const auto size_bytes : sizes_or(wishes, usual_bytes)) {
                        const auto choice = candidate.at(
                            Specification::of(row.collective, subset.ranks(), 0, size_bytes),
                            subset);
                        if (!choice)
                            return choice.error();
                        points.push_back({std::string(name_of(row.collective)), text_of(*choice),
                                          subset, size_bytes, -1, -1});
                    }
        }
    return points;
}

template <std::size_t which>
Status visit(Visit& visit) {
    const auto& over = visit.team.subset(visit.point);
    const auto specification =
        Specification::of(rows()[which].collective, over.size(), 0, visit.point.size_bytes);
    const auto player = visit.team.player(visit.point);
    if (!player)
        return player.error();
    play::Buffers buffers(specification, over.rank());
    buffers.fill(specification, 0);
    if (auto ready = (*player)->rehearse(specification, buffers); !ready)
        return ready;
    const StartMode start_mode = visit.command.start_mode;
    const auto& clock = visit.team.clock().local();
    double took_s = 0;
    const auto play = [&] {
        return play_led(start_mode, **player, specification, buffers, clock, took_s);
    };
    return repeat(
        visit, play, start_mode == StartMode::silence ? Reading() : [&] { return took_s; });
}

/// The root's, which has the most.
template <std::size_t which>
double buffer_bytes(const Point& point) {
    const auto m = static_cast<double>(point.size_bytes);
    switch (rows()[which].collective) {
    case Collective::bcast:
        return m;
    case Collective::alltoall:
        return 2 * point.n() * m;
    default:
        return (point.n() + 1) * m;
    }
}

template <std::size_t which>
Probe probe_of_row() {
    Probe probe{name_of(rows()[which].collective), "collectives",
                "seconds from the agreed start to the last finish", plan<which>, visit<which>};
    probe.own_communicator = true;
    probe.buffer_bytes = buffer_bytes<which>;
    return probe;
}

} // namespace

Status check_collectives(const Wishes& wishes) {
    std::vector<std::string_view> names;
    for (const auto& row : rows())
        names.push_back(name_of(row.collective));
    for (const auto& wish : wishes.collectives)
        if (std::find(names.begin(), names.end(), wish) == names.end())
            return bad_input(fmt::format("--collective: '{}' cannot be "
                                         "measured; use one or more of {}",
                                         wish, fmt::join(names, ", ")));
    for (const auto& wish : wishes.algorithms) {
        if (wish == "all" || wish == "everything")
            continue;
        const auto choice = parse_choice(wish);
        if (!choice)
            return bad_input(fmt::format("--algorithm: {}", choice.error().message));
        if (choice->algorithm && !wished(wishes, choice->algorithm->collective))
            return bad_input(fmt::format("--algorithm: {} is not an algorithm for {}", wish,
                                         fmt::join(wishes.collectives, ", ")));
    }
    return Done{};
}

Probe bcast_probe() {
    return probe_of_row<0>();
}

Probe scatter_probe() {
    return probe_of_row<1>();
}

Probe gather_probe() {
    return probe_of_row<2>();
}

Probe alltoall_probe() {
    return probe_of_row<3>();
}

} // namespace alltold::measure
