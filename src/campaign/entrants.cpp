// SPDX-License-Identifier: BSD-3-Clause
// Names and parameters turned into a lineup.
#include "campaign/entrants.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "predict/gather_windows.hpp"
#include "predict/paced_parameters.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {
namespace {

constexpr std::array collectives{Collective::bcast, Collective::scatter, Collective::gather,
                                 Collective::alltoall, Collective::alltoallv};

/// "alltoall.lg" belongs to "alltoall".
Result<Collective> collective_of(std::string_view what) {
    const auto name = what.substr(0, what.find('.'));
    for (const auto collective : collectives)
        if (name_of(collective) == name)
            return collective;
    return bad_input(fmt::format("'{}' is no collective that can be run; there are bcast, scatter, "
                                 "gather, alltoall, alltoallv",
                                 what));
}

bool carries_out(const Algorithm& row, Collective collective) {
    return row.collective == collective || (collective == Collective::alltoallv && row.vectors);
}

bool names_one(const Wanted& wanted) {
    return wanted.what.find('.') != std::string::npos;
}

/// The names asked for, between commas.
std::vector<std::string> names_of(const Wanted& wanted) {
    if (names_one(wanted))
        return {wanted.what};
    std::vector<std::string> names;
    for (std::size_t from = 0; from <= wanted.algorithms.size();) {
        const auto to = std::min(wanted.algorithms.find(',', from), wanted.algorithms.size());
        names.push_back(wanted.algorithms.substr(from, to - from));
        from = to + 1;
    }
    return names;
}

/// An algorithm to line up; one of `all` may be left out.
struct Candidate {
    Choice choice;
    bool of_all = false;
    bool by_rules = false;
};

MpiLibrary library_here() {
    return library_named(mpi::Session::library());
}

void add_ours(std::vector<Candidate>& candidates, Collective collective) {
    for (const auto* row : registry())
        if (carries_out(*row, collective))
            candidates.push_back({{row, {}}, true});
}

void add_the_librarys(std::vector<Candidate>& candidates, Collective collective) {
    for (const auto& row : library_algorithms())
        if (row.collective == collective && row.library == library_here())
            for (const auto segment_bytes : segments_to_try(row))
                candidates.push_back({{nullptr, {segment_bytes}, row.name}, true});
}

Result<Candidate> candidate_of(const std::string& name, Collective collective) {
    auto choice = parse_choice(name);
    if (!choice)
        return choice.error();
    if (choice->algorithm && !carries_out(*choice->algorithm, collective))
        return bad_input(
            fmt::format("{} is no algorithm for {}", choice->algorithm->name, name_of(collective)));
    if (!choice->library.empty())
        if (auto found = find_library_algorithm(library_here(), collective, choice->library);
            !found)
            return found.error();
    return Candidate{*choice, false};
}

/// mpi is not among them.
Result<std::vector<Candidate>> candidates_of(const Wanted& wanted, Collective collective) {
    std::vector<Candidate> candidates;
    for (const auto& name : names_of(wanted)) {
        if (name == "mpi")
            continue;
        if (name == "all" || name == "everything") {
            add_ours(candidates, collective);
            if (name == "everything")
                add_the_librarys(candidates, collective);
            continue;
        }
        if (name == "auto") {
            Candidate candidate;
            candidate.by_rules = true;
            candidates.push_back(std::move(candidate));
            continue;
        }
        const auto candidate = candidate_of(name, collective);
        if (!candidate)
            return candidate.error();
        candidates.push_back(*candidate);
    }
    return candidates;
}

/// Fills in what the choice takes and leaves open.
void complete(Choice& choice, const Parameters& from) {
    const auto& row = *choice.algorithm;
    auto& own = choice.parameters;
    if (row.segment != Algorithm::Use::no && own.segment_bytes == 0)
        own.segment_bytes = from.segment_bytes;
    if (row.window != Algorithm::Use::no && own.window == 0)
        own.window = from.window;
    if (row.inter_cluster_window != Algorithm::Use::no && own.inter_cluster_window == 0)
        own.inter_cluster_window = from.inter_cluster_window;
}

Entrant entrant_of(Choice choice, const Wanted& wanted, const Lineup& lineup,
                   const std::optional<LinkNetwork>& links) {
    if (!choice.algorithm)
        return {choice};
    complete(choice, {wanted.segment_bytes, wanted.window, 0, {}});
    if (lineup.collective == Collective::gather && choice.algorithm->window != Algorithm::Use::no)
        return {choice, true, links};
    if (choice.algorithm->name == "alltoall.paced")
        return {choice, true, links};
    complete(choice, {default_segment_bytes, default_window, default_inter_cluster_window, {}});
    return {choice};
}

/// As many blocks as that many bytes.
int window_of(std::uint64_t bytes, std::uint64_t size_bytes, int ranks) {
    const auto blocks = std::max<std::uint64_t>(bytes / std::max<std::uint64_t>(size_bytes, 1), 1);
    return static_cast<int>(std::min(blocks, static_cast<std::uint64_t>(ranks)));
}

/// Whether blocks of so many bytes may all go at once on a network of which nothing is known.
bool fits_anywhere(const Clusters& clusters, std::uint64_t size_bytes) {
    const auto ranks = static_cast<std::uint64_t>(clusters.ranks());
    const auto sizes = clusters.sizes();
    return (ranks - 1) * size_bytes <= default_port_bytes &&
           std::ranges::all_of(sizes, [&](int size) {
               const auto own = static_cast<std::uint64_t>(size);
               return own * (ranks - own) * size_bytes <= default_backbone_bytes;
           });
}

/// What is left open, for blocks of size_bytes.
Parameters open_parameters(const Entrant& entrant, const Clusters& clusters,
                           std::uint64_t size_bytes) {
    const auto& algorithm = *entrant.choice.algorithm;
    if (algorithm.collective != Collective::gather) {
        if (entrant.links)
            return paced_parameters(*entrant.links, clusters, size_bytes);
        return fits_anywhere(clusters, size_bytes)
                   ? Parameters{}
                   : Parameters{
                         default_segment_bytes, default_window, default_inter_cluster_window, {}};
    }
    if (entrant.links) {
        Network network;
        network.links = entrant.links;
        return gather_windows(network, algorithm, clusters, size_bytes);
    }
    const bool near_only =
        clusters.count() == 1 || algorithm.inter_cluster_window != Algorithm::Use::no;
    const int wide = window_of(default_backbone_bytes, size_bytes, clusters.ranks());
    return {.window =
                near_only ? window_of(default_port_bytes, size_bytes, clusters.ranks()) : wide,
            .inter_cluster_window = wide};
}

Status accepts_here(const Choice& choice, const Lineup& lineup, const Clusters& clusters) {
    if (!choice.algorithm)
        return accepts(**find_library_algorithm(library_here(), lineup.collective, choice.library),
                       clusters.ranks(), choice.parameters);
    const auto& row = *choice.algorithm;
    auto parameters = choice.parameters;
    if (row.clusters != Algorithm::Use::no)
        parameters.clusters = clusters;
    return accepts(row, lineup.collective, clusters.ranks(), row.rooted() ? lineup.root : -1,
                   parameters);
}

/// Fails for a parameter given in vain.
Status check_taken(const Wanted& wanted, const Lineup& lineup) {
    const auto someone = [&](auto use) {
        return std::any_of(lineup.entrants.begin(), lineup.entrants.end(), [&](const Entrant& one) {
            return one.choice.algorithm && one.choice.algorithm->*use != Algorithm::Use::no;
        });
    };
    if (wanted.segment_bytes != 0 && !someone(&Algorithm::segment))
        return bad_input("--segment: no algorithm of this run takes one; leave it out");
    if (wanted.window != 0 && !someone(&Algorithm::window))
        return bad_input("--window: no algorithm of this run takes one; leave it out");
    return Done{};
}

Status check_root(const Wanted& wanted, Collective collective, int ranks) {
    if (!wanted.root)
        return Done{};
    if (collective == Collective::alltoall || collective == Collective::alltoallv)
        return bad_input(fmt::format("--root: {} has none; leave it out", name_of(collective)));
    if (*wanted.root < 0 || *wanted.root >= ranks)
        return bad_input(
            fmt::format("--root {}: ranks count from 0 to {}", *wanted.root, ranks - 1));
    return Done{};
}

} // namespace

std::uint64_t telling_size_bytes(const Specification& specification) {
    constexpr std::uint64_t long_bytes = 1 << 20;
    return specification.collective() == Collective::alltoallv ? long_bytes
                                                               : specification.size_bytes();
}

Entrant Entrant::at(std::uint64_t size_bytes, const Clusters& clusters) const {
    auto filled = *this;
    if (rules) {
        filled.choice = rules->at(size_bytes);
        filled.rules = nullptr;
    }
    if (open)
        complete(filled.choice, open_parameters(*this, clusters, size_bytes));
    return filled;
}

bool names_auto(const Wanted& wanted) {
    const auto names = names_of(wanted);
    return std::find(names.begin(), names.end(), "auto") != names.end();
}

Status check_names(const Wanted& wanted) {
    const auto collective = collective_of(wanted.what);
    if (!collective)
        return collective.error();
    if (names_one(wanted) && wanted.algorithms != "all")
        return bad_input(fmt::format("--algorithm {} beside {}: leave one of them out",
                                     wanted.algorithms, wanted.what));
    const auto candidates = candidates_of(wanted, *collective);
    return candidates ? Status(Done{}) : candidates.error();
}

Result<Lineup> line_up(const Wanted& wanted, const Clusters& clusters,
                       const std::optional<LinkNetwork>& links) {
    if (const auto known = check_names(wanted); !known)
        return known.error();
    Lineup lineup;
    lineup.collective = *collective_of(wanted.what);
    if (auto root = check_root(wanted, lineup.collective, clusters.ranks()); !root)
        return root.error();
    lineup.root = wanted.root.value_or(0);
    if (!wanted.without_mpi)
        lineup.entrants.push_back({});
    const auto candidates = candidates_of(wanted, lineup.collective);
    for (const auto& [choice, of_all, by_rules] : *candidates) {
        if (by_rules) {
            Entrant entrant;
            entrant.rules = std::make_shared<ChoiceTable>(wanted.rules, lineup.collective,
                                                          clusters.ranks(), clusters.count());
            lineup.entrants.push_back(std::move(entrant));
            continue;
        }
        const auto entrant = entrant_of(choice, wanted, lineup, links);
        const auto accepted = accepts_here(entrant.choice, lineup, clusters);
        const auto known =
            std::any_of(lineup.entrants.begin(), lineup.entrants.end(),
                        [&](const Entrant& other) { return other.name() == entrant.name(); });
        if (!accepted && !of_all)
            return accepted.error();
        if (!accepted)
            lineup.left_out.push_back({entrant.name(), accepted.error().message});
        else if (!known)
            lineup.entrants.push_back(entrant);
    }
    if (auto taken = check_taken(wanted, lineup); !taken)
        return taken.error();
    if (lineup.entrants.empty())
        return bad_input("--without-mpi leaves nothing to run");
    return lineup;
}

} // namespace alltold::campaign
