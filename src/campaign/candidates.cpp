// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/candidates.hpp"

#include <tuple>

#include <fmt/format.h>

#include "core/text.hpp"
#include "predict/parameters/resolve.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {
namespace {

bool names_one(const CandidateRequest& request) {
    return request.what.find('.') != std::string::npos;
}

/// The requested names, separated by commas.
std::vector<std::string> names_of(const CandidateRequest& request) {
    if (names_one(request))
        return {request.what};
    const auto names = split_at(request.algorithms, ',');
    return std::vector<std::string>(names.begin(), names.end());
}

/// A choice from the request; an optional one may be left out.
struct NamedChoice {
    Choice choice;
    bool optional = false;
    bool uses_rules = false;
};

MpiLibrary library_here() {
    return library_named(mpi::Session::library());
}

void add_ours(std::vector<NamedChoice>& choices, Collective collective) {
    for (const auto* row : registry())
        if (row->runs(collective))
            choices.push_back({{row, {}}, true});
}

void add_the_librarys(std::vector<NamedChoice>& choices, Collective collective) {
    for (const auto& row : library_algorithms())
        if (row.collective == collective && row.library == library_here())
            for (const auto segment_bytes : segments_to_try(row))
                choices.push_back({{nullptr, {segment_bytes}, row.name}, true});
}

Result<NamedChoice> choice_named(const std::string& name, Collective collective) {
    ALLTOLD_TRY(choice, parse_choice(name, collective));
    if (choice->algorithm && !choice->algorithm->runs(collective))
        return bad_input(fmt::format("{} is not an algorithm for {}", choice->algorithm->name,
                                     name_of(collective)));
    if (!choice->library.empty())
        ALLTOLD_TRY_DONE(find_library_algorithm(library_here(), collective, choice->library));
    return NamedChoice{*choice, false};
}

/// mpi is not among them.
Result<std::vector<NamedChoice>> choices_of(const CandidateRequest& request,
                                            Collective collective) {
    std::vector<NamedChoice> choices;
    for (const auto& name : names_of(request)) {
        if (name == "mpi")
            continue;
        if (name == "all" || name == "everything") {
            add_ours(choices, collective);
            if (name == "everything")
                add_the_librarys(choices, collective);
            continue;
        }
        if (name == "auto") {
            NamedChoice choice;
            choice.uses_rules = true;
            choices.push_back(std::move(choice));
            continue;
        }
        ALLTOLD_TRY(choice, choice_named(name, collective));
        choices.push_back(*choice);
    }
    return choices;
}

Status accepts_here(const Choice& choice, const CandidateSet& set, const Clusters& clusters) {
    if (!choice.algorithm)
        return accepts(**find_library_algorithm(library_here(), set.collective, choice.library),
                       clusters.ranks(), choice.parameters);
    const auto resolved =
        resolve({set.collective, clusters, 0, set.root}, nullptr, {.choice = choice});
    return resolved ? Status(Done{}) : resolved.error();
}

/// Fails for a parameter that no candidate takes.
Status check_taken(const CandidateRequest& request, const CandidateSet& set) {
    const auto someone = [&](auto use) {
        return std::any_of(set.candidates.begin(), set.candidates.end(), [&](const Candidate& one) {
            return one.choice.algorithm && one.choice.algorithm->*use != Algorithm::Use::no;
        });
    };
    const auto& [segment_bytes, window, inter_cluster_window, clusters] = request.parameters;
    for (const auto& [given, use, option] :
         {std::tuple{segment_bytes != 0, &Algorithm::segment, "--segment"},
          std::tuple{window != 0, &Algorithm::window, "--window"},
          std::tuple{inter_cluster_window != 0, &Algorithm::inter_cluster_window,
                     "--inter-cluster-window"}})
        if (given && !someone(use))
            return bad_input(
                fmt::format("{}: no algorithm of this run takes one; leave it out", option));
    return Done{};
}

} // namespace

Result<Choice> Candidate::at(const Specification& specification, const Clusters& clusters) const {
    if (!open)
        return choice;
    const auto asked = rules ? std::nullopt : std::optional(choice);
    return resolve(
        {specification.collective(), clusters, specification.size_bytes(), specification.root()},
        network.get(), {.choice = asked, .rules = rules.get(), .simulations = simulations.get()});
}

Result<Collective> collective_of(const CandidateRequest& request) {
    return parse_collective(std::string_view(request.what).substr(0, request.what.find('.')));
}

bool names_auto(const CandidateRequest& request) {
    const auto names = names_of(request);
    return std::find(names.begin(), names.end(), "auto") != names.end();
}

Status check_names(const CandidateRequest& request) {
    ALLTOLD_TRY(collective, collective_of(request));
    if (names_one(request) && request.algorithms != "all")
        return bad_input(fmt::format("--algorithm {} and {}: give only one of them",
                                     request.algorithms, request.what));
    const auto choices = choices_of(request, *collective);
    return choices ? Status(Done{}) : choices.error();
}

Result<CandidateSet> select_candidates(const CandidateRequest& request, const Clusters& clusters,
                                       std::shared_ptr<const Network> network) {
    ALLTOLD_TRY_DONE(check_names(request));
    CandidateSet set;
    set.collective = *collective_of(request);
    ALLTOLD_TRY_INTO(set.root, given_root(set.collective, clusters.ranks(), request.root));
    if (!request.without_mpi)
        set.candidates.push_back({});
    const auto simulations = std::make_shared<SimulationCache>();
    const auto choices = choices_of(request, set.collective);
    for (const auto& [choice, optional, uses_rules] : *choices) {
        if (uses_rules) {
            Candidate candidate{{}, true, network, simulations};
            RankCounts counts(clusters);
            counts.starts = {request.start_mode};
            candidate.rules = std::make_shared<ChoiceTable>(request.rules, set.collective, counts);
            set.candidates.push_back(std::move(candidate));
            continue;
        }
        if (optional && choice.algorithm && !choice.algorithm->suits_hosts(clusters))
            continue;
        Candidate candidate{choice};
        if (choice.algorithm) {
            candidate = {choice, true, network, simulations};
            complete(candidate.choice.parameters, *choice.algorithm, request.parameters);
        }
        const auto accepted = accepts_here(candidate.choice, set, clusters);
        const auto known =
            std::ranges::count(set.candidates, candidate.name(), &Candidate::name) > 0;
        if (!accepted && !optional)
            return accepted.error();
        if (!accepted)
            set.left_out.push_back({candidate.name(), accepted.error().message});
        else if (!known)
            set.candidates.push_back(candidate);
    }
    ALLTOLD_TRY_DONE(check_taken(request, set));
    if (set.candidates.empty())
        return bad_input("--without-mpi leaves nothing to run");
    return set;
}

} // namespace alltold::campaign
