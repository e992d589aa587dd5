// SPDX-License-Identifier: BSD-3-Clause
// alltold rules: prints, writes or recomputes the rules that algorithm auto follows.
#include <memory>

#include <fmt/format.h>

#include "cli/rule_options.hpp"
#include "cli/subcommand.hpp"
#include "core/text_file.hpp"
#include "report/waiting.hpp"
#include "store/json_text.hpp"
#include "store/profile_rules.hpp"

namespace alltold::cli {
namespace {

struct RulesArguments {
    std::string profile, rules, output;
    bool write = false, json = false;
};

std::string lines_of(const Profile& profile) {
    std::string text;
    for (const auto& rule : profile.rules)
        text += rule + "\n";
    return text;
}

void print_json(const std::vector<Rule>& own, const Profile& profile) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& rule : own)
        list.push_back(text_of(rule));
    fmt::print("{}", json_text({{"own", list}, {"profile", profile.rules}}));
}

/// Computes rules if the profile has none or if --write asks for new ones.
Result<ExitStatus> run_rules(const RulesArguments& asked) {
    auto profile = load_profile(asked.profile);
    if (!profile)
        return profile.error();
    if (asked.write && asked.profile.starts_with('@'))
        return bad_input(fmt::format("--write: {} is built in; use -o FILE", asked.profile));
    if (!asked.rules.empty() && !asked.output.empty())
        return bad_input("-o and --rules exclude each other, because one file must not hold "
                         "overlapping rules; write the profile's rules and edit that file");
    const auto own = parse_rules_flag(asked.rules);
    if (!own)
        return own.error();
    if (asked.write || profile->rules.empty()) {
        const Waiting waiting("choosing algorithms for " + asked.profile);
        make_rules(*profile);
    }
    if (profile->rules.empty())
        return refused(
            fmt::format("{}: has no parameters to choose algorithms from", asked.profile));
    const auto text = lines_of(*profile);
    if (!asked.output.empty()) {
        const std::string mark = "# rules of alltold";
        if (auto saved = replace_text_file(asked.output, fmt::format("{}\n{}", mark, text),
                                           {"a file of such rules", mark});
            !saved)
            return saved.error();
    }
    if (asked.write) // last: an output that fails leaves the profile as it was
        if (auto saved = save_profile(*profile, asked.profile); !saved)
            return saved.error();
    if (asked.json)
        print_json(*own, *profile);
    else if (own->empty())
        fmt::print("{}", text);
    else
        fmt::print("# your rules, which take precedence\n{}# rules of {}\n{}", text_of(*own),
                   asked.profile, text);
    return ExitStatus::done;
}

} // namespace

void declare_rules(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<RulesArguments>();
    auto& subcommand = add_subcommand(
        app, "rules",
        "Prints the rules by which algorithm auto chooses, for you to read and override; "
        "computes them if the profile has none",
        "alltold rules net.json\n"
        "  alltold rules net.json -o my.rules && ALLTOLD_RULES=my.rules mpirun "
        "-n 12 PROGRAM");
    subcommand
        .add_option("profile", asked->profile,
                    "profile.json, or a built-in network such as "
                    "@gigabit-ethernet-2007")
        ->required();
    subcommand.add_flag("--write", asked->write,
                        "recompute the rules from the models and save them in the profile");
    subcommand.add_option("-o,--output", asked->output, "also write the rules to this file");
    subcommand.add_option(
        "--rules", asked->rules,
        "your own rules, checked and printed before the profile's: a file, or rules such as "
        "'bcast:64KiB- = bcast.chain_segmented segment=8KiB'");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_rules(*asked); }; });
}

} // namespace alltold::cli
