// SPDX-License-Identifier: BSD-3-Clause
// Predictions from a start other than the profile's.
#include "cli/start_option.hpp"

#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "cli/timing_options.hpp"
#include "core/try.hpp"

namespace alltold::cli {

void add_start_option(CLI::App& subcommand, std::string& start) {
    subcommand.add_option("--start", start,
                          "what precedes the call: silence (ranks come from a computation), "
                          "barrier (ranks come from another collective) or loop (call follows "
                          "call; the time of each); default: what preceded the profile's "
                          "measured collectives");
}

Result<Profile> load_profile_from(const std::string& path, const std::string& start) {
    auto profile = read_profile(path);
    if (!profile || start.empty())
        return profile;
    ALLTOLD_TRY(start_mode, parse_start(start));
    auto& usual = profile->provenance.start_mode;
    if (*start_mode == usual)
        return profile;
    profile->network = network_after(profile->network, *start_mode);
    const auto& half_duplex = profile->network.half_duplex;
    if (profile->network.corrections.empty() && !(half_duplex && half_duplex->applies))
        return refused(
            fmt::format("{}: no collective was measured {}; {}", path, in_words(*start_mode),
                        *start_mode == StartMode::loop ? "measure and study do so with --start loop"
                                                       : "a study measures all-to-alls that way"));
    usual = *start_mode;
    return profile;
}

} // namespace alltold::cli
