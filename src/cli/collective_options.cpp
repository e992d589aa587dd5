// SPDX-License-Identifier: BSD-3-Clause
// Lists of names, -m, and what a call leaves open.
#include "cli/collective_options.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list_values.hpp"
#include "core/split_at.hpp"

namespace alltold::cli {
namespace {

std::vector<std::string_view> names_of(std::span<const Collective> collectives) {
    std::vector<std::string_view> names;
    for (const auto collective : collectives)
        names.push_back(name_of(collective));
    return names;
}

/// Whether there is a size to read.
Result<bool> has_size(Collective collective, const std::string& text, std::string_view examples) {
    const bool given = !text.empty();
    if (traits_of(collective).has_data && !given)
        return bad_input(fmt::format("-m is missing: bytes per block, such as {}", examples));
    if (given)
        ALLTOLD_TRY_DONE(takes_sizes({&collective, 1}));
    return given;
}

} // namespace

std::string listed(std::span<const Collective> collectives, std::string_view further) {
    auto names = names_of(collectives);
    if (!further.empty())
        names.push_back(further);
    const auto last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string root_help() {
    std::vector<Collective> rooted;
    std::ranges::copy_if(all_collectives, std::back_inserter(rooted),
                         [](Collective one) { return traits_of(one).rooted; });
    return fmt::format("root of a {} (default: 0)", listed(rooted));
}

Result<std::vector<Collective>> parse_collectives(std::string_view option, std::string_view text) {
    std::vector<Collective> collectives;
    if (text.empty())
        return collectives;
    for (const auto name : split_at(text, ',')) {
        ALLTOLD_TRY(collective, in_context(option, parse_collective(name, uniform_collectives)));
        if (std::ranges::find(collectives, *collective) == collectives.end())
            collectives.push_back(*collective);
    }
    return collectives;
}

std::string collectives_help() {
    return fmt::format("one or more of {}, separated by commas (default: {})",
                       listed(uniform_collectives), fmt::join(names_of(studied_collectives), ","));
}

Status takes_sizes(std::span<const Collective> collectives) {
    if (std::ranges::any_of(collectives, [](Collective one) { return traits_of(one).has_data; }))
        return Done{};
    return bad_input("-m: a barrier moves no data; leave it out");
}

Result<std::vector<std::uint64_t>> block_sizes(Collective collective, const std::string& text) {
    ALLTOLD_TRY(sized, has_size(collective, text, "-m 64KiB or -m 1KiB,64KiB"));
    return *sized ? parse_sizes("-m", text) : std::vector<std::uint64_t>{0};
}

Result<std::uint64_t> block_size(Collective collective, const std::string& text) {
    ALLTOLD_TRY(sized, has_size(collective, text, "-m 64KiB"));
    return *sized ? parse_one_size("-m", text) : std::uint64_t{0};
}

void add_parameters(CLI::App& subcommand, ParameterText& text, const std::string& otherwise) {
    subcommand.add_option("--segment", text.segment, "segment size, such as 8KiB" + otherwise);
    subcommand.add_option("--window", text.window, "messages in flight" + otherwise);
    subcommand.add_option("--inter-cluster-window", text.inter_cluster_window,
                          "messages in flight between clusters" + otherwise);
}

Result<Parameters> parse_parameters(const ParameterText& text) {
    Parameters parameters;
    if (!text.segment.empty()) {
        ALLTOLD_TRY(segment, parse_one_size("--segment", text.segment));
        if (*segment == 0)
            return bad_input("--segment 0: must be at least 1 byte");
        parameters.segment_bytes = *segment;
    }
    for (const auto& [option, given, taken] :
         {std::tuple{"--window", &text.window, &parameters.window},
          std::tuple{"--inter-cluster-window", &text.inter_cluster_window,
                     &parameters.inter_cluster_window}}) {
        if (*given && **given < 1)
            return bad_input(fmt::format("{} {}: must be at least 1", option, **given));
        *taken = given->value_or(0);
    }
    return parameters;
}

} // namespace alltold::cli
