// SPDX-License-Identifier: BSD-3-Clause
// Parses the time budget, the precision and the start mode.
#include "cli/timing_options.hpp"

#include <exception>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold::cli {

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

void add_start_mode(CLI::App& subcommand, std::string& start_mode, bool in_campaign) {
    subcommand.add_option("--start", start_mode,
                          fmt::format("what precedes each repetition of a collective: silence or "
                                      "barrier; or loop: each is a loop of calls, whose time is "
                                      "per call (default: {}){}",
                                      start_mode,
                                      in_campaign ? "; a campaign holds one start mode" : ""));
}

Result<StartMode> parse_start(const std::string& text) {
    return in_context("--start", parse_start_mode(text));
}

} // namespace alltold::cli
