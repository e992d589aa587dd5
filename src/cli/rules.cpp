// SPDX-License-Identifier: BSD-3-Clause
// alltold rules: prints, writes or recomputes the rules that algorithm auto follows.
#include <fmt/format.h>

#include "cli/collective_options.hpp"
#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "core/text_file.hpp"
#include "report/waiting.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

struct RulesArguments {
    Terms terms;
    std::string profile, collective, output;
    std::vector<Rule> rules;
    std::optional<std::uint64_t> size_bytes;
    std::optional<int> n;
    bool write = false, json = false;

    bool filtered() const { return !collective.empty() || size_bytes || n; }
};

/// What every file of such rules has in its first line.
constexpr const char* mark = "# rules of alltold";

/// Comments to those who read the rules.
std::string heading() {
    return fmt::format(
        "{}: what algorithm auto runs\n"
        "# COLLECTIVE:FROM-TO:RANKS:CLUSTERS = ALGORITHM\n"
        "# Sizes are bytes per block. FROM is included, TO is not: 1KiB-4KiB ends at 4095 bytes.\n"
        "# Ranks include both ends: n=4-5 is 4 or 5. Calls without a rule run mpi, the library's "
        "own.\n"
        "# silence=0.7: the expected time after a silence over the library's own; by it, calls "
        "from that\n"
        "# start run the best of several algorithms between '|'.\n",
        mark);
}

std::vector<std::string> lines_of(std::span<const Rule> rules) {
    std::vector<std::string> lines;
    for (const auto& rule : rules)
        lines.push_back(text_of(rule));
    return lines;
}

/// The rules for calls such as those asked for; all without a filter.
Result<std::vector<Rule>> filtered(const RulesArguments& asked, std::vector<Rule> rules) {
    const auto keep = [&](auto fits) {
        std::erase_if(rules, [&](const Rule& rule) { return !fits(rule); });
    };
    if (!asked.collective.empty()) {
        ALLTOLD_TRY(collective, parse_collective(asked.collective));
        keep([&](const Rule& rule) { return rule.collective == *collective; });
    }
    if (asked.size_bytes)
        keep([&](const Rule& rule) { return rule.size_bytes.contains(*asked.size_bytes); });
    if (asked.n && *asked.n < 1)
        return bad_input(fmt::format("-n {}: must be at least 1", *asked.n));
    if (asked.n)
        keep([&](const Rule& rule) {
            return rule.ranks.contains(static_cast<std::uint64_t>(*asked.n));
        });
    return rules;
}

void print(const RulesArguments& asked, const std::vector<Rule>& own,
           const std::vector<Rule>& of_profile) {
    if (asked.json)
        fmt::print("{}", json_text({{"own", lines_of(own)}, {"profile", lines_of(of_profile)}}));
    else if (asked.rules.empty())
        fmt::print("{}{}", heading(), text_of(of_profile));
    else
        fmt::print("{}# your rules, which take precedence\n{}# rules of {}\n{}", heading(),
                   text_of(own), asked.profile, text_of(of_profile));
}

/// Computes rules if the profile has none or if --write asks for new ones.
Result<ExitStatus> run_rules(RulesArguments asked) {
    ALLTOLD_TRY(file, profile_path(asked.profile));
    asked.profile = *file;
    ALLTOLD_TRY(profile, load_profile(asked.profile));
    if (asked.write && asked.profile.starts_with('@'))
        return bad_input(fmt::format("--write: {} is built in; use -o FILE", asked.profile));
    if (!asked.rules.empty() && !asked.output.empty())
        return bad_input("-o and --rules exclude each other, because one file must not hold "
                         "overlapping rules; write the profile's rules and edit that file");
    if (asked.filtered() && !asked.output.empty())
        return bad_input("-o writes all rules; leave out the collective, -n and -m");
    const FileKind kind{"a file of rules", mark};
    if (!asked.output.empty()) // before the long work
        ALLTOLD_TRY_DONE(may_replace(asked.output, kind));
    if (asked.write || profile->rules.empty()) {
        const Waiting waiting("choosing algorithms for " + asked.profile);
        make_rules(*profile, {}, asked.terms);
    }
    if (profile->rules.empty())
        return refused(
            fmt::format("{}: has no parameters to choose algorithms from", asked.profile));
    ALLTOLD_TRY(rules, rules_of(*profile));
    ALLTOLD_TRY(shown, filtered(asked, *rules), own_shown = filtered(asked, asked.rules));
    if (!asked.output.empty())
        ALLTOLD_TRY_DONE(replace_text_file(asked.output, heading() + text_of(*rules), kind));
    if (asked.write) // last: an output that fails leaves the profile as it was
        ALLTOLD_TRY_DONE(save_profile(*profile, asked.profile));
    print(asked, *own_shown, *shown);
    return ExitStatus::done;
}

} // namespace

void declare_rules(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<RulesArguments>();
    auto& subcommand = add_subcommand(
        app, "rules", "Prints the rules that auto follows, to read and override",
        "alltold rules net.json bcast -n 12\n"
        "  alltold rules net.json -o my.rules && ALLTOLD_RULES=my.rules mpirun -n 12 PROGRAM");
    subcommand
        .add_option("profile", asked->profile,
                    "profile.json, or a built-in network such as @gigabit-ethernet-2007; its rules "
                    "are computed if it has none")
        ->required();
    subcommand.add_option("collective", asked->collective,
                          fmt::format("print only rules for {}", listed(all_collectives)));
    subcommand.add_option("-n,--ranks", asked->n, "print only rules for this many ranks");
    add_size(subcommand, asked->size_bytes,
             "print only rules for blocks of this size, such as 64KiB");
    subcommand.add_flag("--write", asked->write,
                        "recompute the rules from the models and save them in the profile");
    add_terms_options(subcommand, asked->terms);
    subcommand.add_option("-o,--output", asked->output, "also write the rules to this file");
    add_rules_option(subcommand, asked->rules,
                     "your own rules, checked and printed before the profile's: a file, or rules "
                     "such as 'bcast:64KiB- = bcast.chain_segmented segment=8KiB'");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_rules(*asked); }; });
}

} // namespace alltold::cli
