// SPDX-License-Identifier: BSD-3-Clause
#include "cli/schedule_call.hpp"

#include <bit>

#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "core/units.hpp"
#include "predict/parameters/resolve.hpp"

namespace alltold::cli {
namespace {

/// A chain has as many steps, and each looks at all ranks.
constexpr int most_shown_ranks = 10'000;
constexpr double most_named_blocks = 5e6;
constexpr std::uint64_t usual_size_bytes = 64 * 1024;

/// Those given, and the others as they are when the call runs.
Result<Parameters> parameters_of(const ScheduleCallText& asked, const Algorithm& algorithm,
                                 const CollectiveCall& call) {
    ALLTOLD_TRY(profile, profile_if_named(asked.profile));
    ALLTOLD_TRY(choice, resolve(call, *profile ? &(*profile)->network : nullptr,
                                {.choice = Choice{&algorithm, asked.parameters}}));
    return choice->parameters;
}

} // namespace

Result<ScheduleCall> schedule_call(const ScheduleCallText& asked, const WorkLimit& limit) {
    ALLTOLD_TRY(algorithm, find_algorithm(asked.name));
    ALLTOLD_TRY(clusters, asked_clusters(asked.clusters, asked.ranks, 1));
    const bool unsized = !asked.size_bytes && traits_of((*algorithm)->collective).has_data;
    ALLTOLD_TRY(
        size, block_size((*algorithm)->collective, unsized ? usual_size_bytes : asked.size_bytes));
    const int ranks = clusters->ranks();
    if (ranks > most_shown_ranks)
        return bad_input(
            fmt::format("{} ranks are too many to show; the most are {}", ranks, most_shown_ranks));
    ALLTOLD_TRY_DONE(in_context("-m", check_bytes((*algorithm)->collective, ranks, *size)));
    ALLTOLD_TRY(root, given_root((*algorithm)->collective, ranks, asked.root));
    ALLTOLD_TRY(parameters, parameters_of(asked, **algorithm,
                                          {(*algorithm)->collective, *clusters, *size, *root}));
    const auto specification = Specification::of((*algorithm)->collective, ranks, *root, *size);
    ALLTOLD_TRY_DONE(check_work(**algorithm, specification, *parameters, limit));
    // A message of Bruck's names half of all blocks.
    const double named_blocks = 0.5 * ranks * ranks * std::bit_width(static_cast<unsigned>(ranks));
    if ((*algorithm)->collective == Collective::alltoall && named_blocks > most_named_blocks)
        return bad_input(fmt::format("-n: an all-to-all among {} ranks names about {:.2g} blocks, "
                                     "and {:.2g} are the most to show; use fewer ranks",
                                     ranks, named_blocks, most_named_blocks));
    const auto schedules = schedules_of(**algorithm, specification, *parameters);
    if (const auto fault = check(specification, schedules, limits_of(**algorithm, *parameters)))
        return refused(fmt::format("{}: {}", asked.name, fault->text()));
    return ScheduleCall{*algorithm, *clusters, specification, *parameters, schedules};
}

void add_schedule_call(CLI::App& subcommand, ScheduleCallText& asked,
                       const std::string& also_for_profile) {
    subcommand.add_option("-n,--ranks", asked.ranks, "number of ranks");
    add_clusters_of_call(subcommand, asked.clusters,
                         "hosts per cluster, such as 3+7, or hosts x ranks per host, such as "
                         "6x4+3x8, instead of -n");
    add_size(subcommand, asked.size_bytes,
             fmt::format("bytes per block (default: {}); a barrier has none",
                         format_size_word(usual_size_bytes)));
    subcommand.add_option("--root", asked.root, root_help());
    add_parameters(subcommand, asked.parameters,
                   " (default: found from the profile, else from byte limits)");
    subcommand.add_option("--profile", asked.profile,
                          "profile of the network for which they are found" + also_for_profile);
}

} // namespace alltold::cli
