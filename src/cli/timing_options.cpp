// SPDX-License-Identifier: BSD-3-Clause
#include "cli/timing_options.hpp"

#include <exception>

#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"

namespace alltold::cli {

Result<std::vector<Rule>> parse_rules_flag(const std::string& value) {
    if (value.find('=') != value.npos)
        return parse_rules(value, "--rules");
    if (value.empty())
        return std::vector<Rule>();
    ALLTOLD_TRY(text, read_text_file(value, "a file of rules such as alltoall:64KiB- = "
                                            "alltoall.pairwise"));
    return parse_rules(*text, value);
}

void add_rules_option(CLI::App& subcommand, std::vector<Rule>& rules, const std::string& help) {
    add_parsed(subcommand, "--rules", rules, parse_rules_flag, help);
}

void add_terms_options(CLI::App& subcommand, Terms& terms) {
    add_share(subcommand, "--worth", terms.worth,
              "least expected gain for which one of alltold's algorithms runs in place "
              "of the library's own");
    add_share(subcommand, "--risk", terms.risk,
              "most probability of losing more than --worth with it");
}

namespace {

Result<double> parse_budget(const std::string& text) {
    ALLTOLD_TRY(budget_s, in_context("--budget", parse_time(text)));
    if (*budget_s <= 0)
        return bad_input("--budget: must be greater than zero");
    constexpr double most_s = 1000 * 3600;
    if (*budget_s > most_s)
        return bad_input("--budget: must be at most 1000h");
    return *budget_s;
}

Result<double> parse_share(std::string_view option, const std::string& text) {
    std::size_t end = 0;
    double share = 0;
    try {
        share = std::stod(text, &end);
    } catch (const std::exception&) {
        end = 0;
    }
    const bool percent = end + 1 == text.size() && text.back() == '%';
    if (percent)
        share /= 100;
    if (end == 0 || (end != text.size() && !percent) || !(share > 0 && share <= 1))
        return bad_input(fmt::format("{}: '{}' is not a share, such as 10% or 0.1", option, text));
    return share;
}

Result<StartMode> parse_start(const std::string& text) {
    return in_context("--start", parse_start_mode(text));
}

} // namespace

CLI::Option* add_budget(CLI::App& subcommand, double& budget_s, const std::string& help) {
    return add_parsed(subcommand, "--budget", budget_s, parse_budget, help);
}

void add_share(CLI::App& subcommand, const std::string& name, double& share,
               const std::string& help) {
    const auto parse = [name](const std::string& text) { return parse_share(name, text); };
    add_parsed(subcommand, name, share, parse, help)
        ->default_str(fmt::format("{:g}%", 100 * share));
}

void add_start_mode(CLI::App& subcommand, StartMode& start_mode, bool in_campaign) {
    add_parsed(subcommand, "--start", start_mode, parse_start,
               fmt::format("what precedes each repetition of a collective: silence or barrier; or "
                           "loop: each is a loop of calls, whose time is per call (default: {}){}",
                           name_of(start_mode),
                           in_campaign ? "; a campaign holds one start mode" : ""));
}

void add_start_option(CLI::App& subcommand, AskedStart& start) {
    add_parsed(subcommand, "--start", start.mode, parse_start,
               "what precedes the call: silence (ranks come from a computation), barrier (ranks "
               "come from another collective) or loop (call follows call; the wall time of each); "
               "default: what preceded the profile's measured collectives");
    add_parsed(
        subcommand, "--work", start.work_s,
        [](const std::string& text) { return in_context("--work", parse_time(text)); },
        "with --start loop: how long each rank computes between calls, such as 3ms; times include "
        "it");
}

Result<Profile> load_profile_from(const std::string& path, const AskedStart& asked) {
    ALLTOLD_TRY(profile, read_profile(path));
    auto& usual = profile->provenance.start_mode;
    const auto start_mode = asked.mode.value_or(usual);
    if (asked.work_s && start_mode != StartMode::loop)
        return bad_input("--work: only calls of a loop have work between them; add --start loop");
    if (start_mode == usual)
        return profile;
    profile->network = network_after(profile->network, start_mode);
    usual = start_mode;
    if (asked.work_s)
        profile->network.loop_work_s = *asked.work_s;
    const auto& half_duplex = profile->network.half_duplex;
    if (usual != StartMode::loop && profile->network.corrections.empty() &&
        !(half_duplex && half_duplex->applies))
        return refused(
            fmt::format("{}: no collective was measured {}; a study measures all-to-alls that way",
                        path, in_words(usual)));
    return profile;
}

} // namespace alltold::cli
