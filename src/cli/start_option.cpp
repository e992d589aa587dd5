// SPDX-License-Identifier: BSD-3-Clause
// Predictions from a start other than the profile's.
#include "cli/start_option.hpp"

#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "core/units.hpp"

namespace alltold::cli {

void add_start_option(CLI::App& subcommand, StartText& text) {
    subcommand.add_option("--start", text.start,
                          "what precedes the call: silence (ranks come from a computation), "
                          "barrier (ranks come from another collective) or loop (call follows "
                          "call; the wall time of each); default: what preceded the profile's "
                          "measured collectives");
    subcommand.add_option("--work", text.work,
                          "with --start loop: how long each rank computes between calls, such as "
                          "3ms; times include it");
}

Result<Profile> load_profile_from(const std::string& path, const StartText& text) {
    ALLTOLD_TRY(profile, read_profile(path));
    auto& usual = profile->provenance.start_mode;
    ALLTOLD_TRY(start_mode, text.start.empty() ? Result(usual) : parse_start(text.start));
    if (!text.work.empty() && *start_mode != StartMode::loop)
        return bad_input("--work: only calls of a loop have work between them; add --start loop");
    if (*start_mode == usual)
        return profile;
    profile->network = network_after(profile->network, *start_mode);
    usual = *start_mode;
    if (!text.work.empty()) {
        ALLTOLD_TRY(work_s, parse_time(text.work));
        profile->network.loop_work_s = *work_s;
    }
    const auto& half_duplex = profile->network.half_duplex;
    if (usual != StartMode::loop && profile->network.corrections.empty() &&
        !(half_duplex && half_duplex->applies))
        return refused(fmt::format("{}: no collective was measured {}; a study measures "
                                   "all-to-alls that way",
                                   path, in_words(usual)));
    return profile;
}

} // namespace alltold::cli
