// SPDX-License-Identifier: BSD-3-Clause
// alltold rank: ranks all algorithms for one call.
#include <fmt/format.h>

#include "cli/collective_options.hpp"
#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "lab/options.hpp"
#include "predict/choice/explain.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/rules/choice_table.hpp"
#include "report/algorithm_report.hpp"
#include "report/next_command.hpp"
#include "report/text_table.hpp"
#include "report/waiting.hpp"
#include "schedule/algorithms/work.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

struct RankArguments {
    Terms terms;
    AskedStart start;
    std::string profile, collective;
    std::optional<std::uint64_t> size_bytes;
    std::optional<Clusters> clusters;
    std::optional<int> n;
    std::vector<Rule> rules; ///< the user's own
    bool why = false, json = false;
};

/// The call whose algorithms are ranked.
struct RankedCall {
    Collective collective;
    Clusters clusters;
    std::uint64_t size_bytes;
};

/// What algorithm auto would run under the user's and the profile's rules, and why.
struct Automatic {
    Choice choice;
    std::string reason;     ///< goes on after "because"
    bool undecided = false; ///< only a measurement can decide
};

/// Why `rule` of the profile, or none (null), chooses what it does for the ranking's call.
Automatic chosen_by(const Rule* rule, const Profile& profile, const Ranking& ranking,
                    std::span<const StartMode> starts, const Terms& terms) {
    SimulationCache simulations;
    const auto& hosts = profile.provenance.clusters;
    const Decider decider(
        profile.network, profile.provenance.start_mode, ranking.collective,
        ranking.clusters.count() == hosts.count() ? hosts : ranking.clusters, simulations,
        {.terms = terms, .start = starts.empty() ? std::nullopt : std::optional(starts.front())});
    const std::span spreads(&ranking.clusters, 1);
    auto decided = decider.at(spreads, ranking.size_bytes);
    if (!rule)
        return {{},
                decided.knows_library()
                    ? "no rule covers " + call_text(ranking.clusters, ranking.size_bytes)
                    : decided.why,
                true};
    const auto& choice = rule->choice_after(starts);
    const auto best = decided.chosen;
    const auto place = decider.add(decided, spreads, choice);
    // Nothing competes where the library's own time is not known.
    const bool undecided =
        decided.choices.size() == 1 || std::ranges::any_of(decided.odds, [&](const Odds& odds) {
            return odds.ratio < 1 && !odds.may_run(decider.terms());
        });
    auto reason =
        place == best ? decided.why : "its rule also covers calls near this one: " + decided.why;
    for (const auto& other : rule->others)
        if (other.trial)
            reason += fmt::format("; programs under exec try {}", text_of(other.choice));
    return {choice, std::move(reason), undecided};
}

/// The decision among algorithms that were measured by name, where none of alltold's is ranked;
/// empty where one is, or where the library's own time is not known.
std::optional<Automatic> best_named(const Profile& profile, const Ranking& ranking,
                                    const Terms& terms) {
    if (std::ranges::any_of(ranking.candidates,
                            [](const CallTime& time) { return time.choice.algorithm != nullptr; }))
        return std::nullopt;
    SimulationCache simulations;
    const Decider decider(profile.network, profile.provenance.start_mode, ranking.collective,
                          ranking.clusters, simulations,
                          {.terms = terms, .library = MpiLibrary::other});
    const auto decided = decider.at(std::span(&ranking.clusters, 1), ranking.size_bytes);
    if (!decided.knows_library() || decided.choices.size() == 1)
        return std::nullopt;
    return Automatic{decided.choice(), decided.why};
}

/// Empty without rules. Of `profile` from its usual start, whatever the ranking's is; if that was
/// asked for, rules for calls from it count.
Result<std::optional<Automatic>> automatic(const RankArguments& asked, const Profile& profile,
                                           const Ranking& ranking) {
    RankCounts counts(ranking.clusters);
    if (asked.start.mode)
        counts.starts = {*asked.start.mode};
    const auto rule_of = [&](const std::vector<Rule>& source) {
        return first_rule(std::span(&source, 1), ranking.collective, ranking.size_bytes, counts);
    };
    if (const auto* rule = rule_of(asked.rules))
        return std::optional(
            Automatic{rule->choice_after(counts.starts), "your rule says so: " + text_of(*rule)});
    ALLTOLD_TRY(decided, rules_of(profile));
    if (asked.rules.empty() && decided->empty())
        return std::optional<Automatic>();
    return std::optional(
        chosen_by(rule_of(*decided), profile, ranking, counts.starts, asked.terms));
}

namespace fs = std::filesystem;

/// The campaign that the profile was made from, if it is still there.
std::string campaign_beside(const fs::path& file, const Profile& profile) {
    std::error_code failed;
    for (const auto& campaign :
         {file.parent_path() / fs::path(profile.source).filename(), fs::path(profile.source)})
        if (fs::is_regular_file(campaign, failed))
            return campaign.string();
    return "net.db";
}

/// "alltold lab --clusters 12 --nic 50Mbit --buffer 64KiB -- "; empty without a lab's truth.
std::string lab_beside(const fs::path& file) {
    const auto text = read_text_file(file.parent_path() / "truth.json", "the truth of a lab");
    if (!text)
        return "";
    const auto truth = nlohmann::json::parse(*text, nullptr, false);
    if (!truth.is_object() || !truth.contains("alltold_lab"))
        return "";
    try {
        if (!Clusters::parse(truth.at("clusters").get<std::string>()))
            return "";
        return fmt::format("{} lab {} -- ", command_name(), lab::options_text(truth));
    } catch (const nlohmann::json::exception&) {
        return "";
    }
}

/// The tune that times the candidates of the ranking's call, on the network of `profile`, read from
/// `file`: in a lab like the one whose truth a study left beside it, else under mpirun.
std::string deciding_command(const std::string& file, const Profile& profile,
                             const Ranking& ranking) {
    // A campaign is of its ranks: more need one of their own.
    if (ranking.clusters.ranks() > profile.provenance.clusters.ranks())
        return fmt::format("mpirun -n {} --map-by node {} study --collective {}{}",
                           ranking.clusters.ranks(), command_name(), name_of(ranking.collective),
                           ranking.clusters.count() > 1 ? " --clusters " + ranking.clusters.text()
                                                        : "");
    return fmt::format("{}mpirun -n {} {} tune {} -o {} --collective {} -n {}{}", lab_beside(file),
                       profile.provenance.clusters.ranks(), command_name(),
                       campaign_beside(file, profile), file, name_of(ranking.collective),
                       ranking.clusters.text(),
                       size_option(ranking.collective, ranking.size_bytes));
}

/// Algorithms that need several clusters say nothing of a network that has one.
Ranking without_clustered(Ranking ranking) {
    std::erase_if(ranking.unranked, [](const Unranked& one) {
        const auto algorithm = find_algorithm(one.name);
        return algorithm && (*algorithm)->clusters == Algorithm::Use::must;
    });
    return ranking;
}

/// The profile's file and the way in which the ranking is shown.
struct Shown {
    std::string profile;
    bool why, json;
};

void print(const Shown& shown, const Profile& profile, const Ranking& ranking,
           const std::optional<Automatic>& chosen, const std::optional<Automatic>& named) {
    const auto why = shown.why ? explain(profile.network, ranking) : Explanation();
    if (shown.json) {
        nlohmann::ordered_json json{{"profile", shown.profile},
                                    {"source", profile.source},
                                    {"collective", name_of(ranking.collective)},
                                    {"n", ranking.clusters.ranks()},
                                    {"clusters", ranking.clusters.text()},
                                    {"size_bytes", ranking.size_bytes},
                                    {"start", name_of(profile.provenance.start_mode)}};
        json.update(rank_to_json(ranking));
        json["auto"] = chosen ? nlohmann::ordered_json(text_of(chosen->choice)) : nullptr;
        json["auto_because"] = chosen ? nlohmann::ordered_json(chosen->reason) : nullptr;
        if (named)
            json["of_measured"] = {{"choice", text_of(named->choice)}, {"because", named->reason}};
        if (shown.why)
            json["why"] = why.sentences;
        fmt::print("{}", json_text(json));
        return;
    }
    const bool one_cluster = profile.provenance.clusters.count() == 1;
    fmt::print("{} on {}, n = {}, m = {}, {}\n\n{}", name_of(ranking.collective), shown.profile,
               ranking.clusters.text(), format_size(ranking.size_bytes),
               in_words(profile.provenance.start_mode),
               rank_table(one_cluster ? without_clustered(ranking) : ranking));
    if (chosen)
        fmt::print("{}", wrapped(fmt::format("auto: {}, because {}", text_of(chosen->choice),
                                             chosen->reason),
                                 2));
    if (named)
        fmt::print("{}", wrapped(fmt::format("of the measured algorithms: {}, because {}",
                                             text_of(named->choice), named->reason),
                                 2));
    if (!why.sentences.empty())
        fmt::print("\n");
    for (const auto& sentence : why.sentences)
        fmt::print("{}", wrapped(sentence));
    const bool undecided = why.undecided || (chosen && chosen->undecided);
    if (undecided && !named && !shown.profile.starts_with('@'))
        fmt::print("\nA measurement decides:\n{}",
                   wrapped("  " + deciding_command(shown.profile, profile, ranking), 6,
                           page_columns, " \\"));
}

Result<RankedCall> call_of(const RankArguments& asked) {
    ALLTOLD_TRY(collective, parse_collective(asked.collective, uniform_collectives));
    ALLTOLD_TRY(clusters, asked_clusters(asked.clusters, asked.n, 2));
    ALLTOLD_TRY(size_bytes, block_size(*collective, asked.size_bytes));
    ALLTOLD_TRY_DONE(in_context("-m", check_bytes(*collective, clusters->ranks(), *size_bytes)));
    return RankedCall{*collective, *clusters, *size_bytes};
}

Result<ExitStatus> run_rank(const RankArguments& asked, const RankedCall& call) {
    ALLTOLD_TRY(file, profile_path(asked.profile));
    ALLTOLD_TRY(profile, load_profile_from(*file, asked.start));
    auto ranking = [&] {
        const Waiting waiting("simulating algorithms on " + *file);
        return rank(profile->network, call.collective, call.clusters, call.size_bytes);
    }();
    if (!ranking)
        return not_predicted(*file, *profile, call.clusters, ranking.error());
    for (auto& candidate : ranking->candidates)
        add_work(candidate, profile->network.loop_work_s.value_or(0));
    ALLTOLD_TRY(usual, asked.start.mode ? load_profile(*file) : profile);
    ALLTOLD_TRY(chosen, automatic(asked, *usual, *ranking));
    print({*file, asked.why, asked.json}, *profile, *ranking, *chosen,
          best_named(*profile, *ranking, asked.terms));
    return ExitStatus::done;
}

} // namespace

void declare_rank(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<RankArguments>();
    auto& subcommand = add_subcommand(
        app, "rank", "Ranks all algorithms for a call, best first, and says what auto runs and why",
        "alltold rank net.json bcast -n 12 -m 1MiB --why\n"
        "  alltold rank net.json alltoall --clusters 6+6 -m 64KiB");
    subcommand.footer(
        "Lists each algorithm with its best segment size or window, and mpi, the library's own, if "
        "it was measured. Of those that predictions do not separate from the quickest, the ones "
        "that lose no packets and let the fewest ranks send to one at once come first.");
    subcommand
        .add_option("profile", asked->profile,
                    "profile.json, or a built-in network such as @gigabit-ethernet-2007")
        ->required();
    subcommand.add_option("collective", asked->collective, listed(uniform_collectives))->required();
    subcommand.add_option("-n,--ranks", asked->n, "ranks, all in one cluster");
    add_size(subcommand, asked->size_bytes, "bytes per block, such as 64KiB");
    add_clusters_of_call(
        subcommand, asked->clusters,
        "hosts per cluster, such as 6+6, or hosts x ranks per host, such as 6x4, instead of -n");
    add_rules_option(subcommand, asked->rules,
                     "your own rules, which take precedence over the profile's: a file, or rules "
                     "such as 'bcast:64KiB- = bcast.chain_segmented segment=8KiB'");
    add_start_option(subcommand, asked->start);
    add_terms_options(subcommand, asked->terms);
    subcommand.add_flag(
        "--why", asked->why,
        "explain what makes up the winner's time and what separates it from the next");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] {
        chosen = [asked]() -> Result<ExitStatus> {
            ALLTOLD_TRY(call, call_of(*asked));
            return run_rank(*asked, *call);
        };
    });
}

} // namespace alltold::cli
