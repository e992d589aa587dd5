// SPDX-License-Identifier: BSD-3-Clause
#include "cli/collective_options.hpp"

#include <charconv>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "core/units.hpp"

namespace alltold::cli {
namespace {

std::vector<std::string_view> names_of(std::span<const Collective> collectives) {
    std::vector<std::string_view> names;
    for (const auto collective : collectives)
        names.push_back(name_of(collective));
    return names;
}

/// Fails where -m must, or must not, be given.
Status check_given(Collective collective, bool given, std::string_view examples) {
    if (traits_of(collective).has_data && !given)
        return bad_input(fmt::format("-m is missing: bytes per block, such as {}", examples));
    return given ? takes_sizes({&collective, 1}) : Done{};
}

Result<std::vector<Collective>> parse_collectives(const std::string& text) {
    std::vector<Collective> collectives;
    for (const auto name : split_at(text, ',')) {
        ALLTOLD_TRY(collective,
                    in_context("--collective", parse_collective(name, uniform_collectives)));
        if (std::ranges::find(collectives, *collective) == collectives.end())
            collectives.push_back(*collective);
    }
    return collectives;
}

Result<std::uint64_t> parse_one_size(std::string_view option, std::string_view text) {
    if (text.find(',') != text.npos)
        return bad_input(fmt::format("{} takes one size here, not {}", option, text));
    return in_context(option, parse_size(text));
}

Result<std::uint64_t> parse_segment(const std::string& text) {
    auto segment_bytes = parse_one_size("--segment", text);
    if (segment_bytes && *segment_bytes == 0)
        return bad_input("--segment 0: must be at least 1 byte");
    return segment_bytes;
}

/// Applies `parse` to each entry and puts `option` before its error.
template <typename T, typename Parse>
Result<std::vector<T>> parse_list(std::string_view option, std::string_view text, Parse parse) {
    std::vector<T> values;
    for (const auto entry : split_at(text, ',')) {
        ALLTOLD_TRY(value, in_context(option, Result<T>(parse(entry))));
        values.push_back(*value);
    }
    return values;
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

std::string collectives_help(std::span<const Collective> usual) {
    return fmt::format("one or more of {}, separated by commas (default: {})",
                       listed(uniform_collectives), fmt::join(names_of(usual), ","));
}

void add_collectives(CLI::App& subcommand, std::vector<Collective>& collectives,
                     std::span<const Collective> usual) {
    add_parsed(subcommand, "--collective", collectives, parse_collectives, collectives_help(usual));
}

Status takes_sizes(std::span<const Collective> collectives) {
    if (std::ranges::any_of(collectives, [](Collective one) { return traits_of(one).has_data; }))
        return Done{};
    return bad_input("-m: a barrier moves no data; leave it out");
}

void add_sizes(CLI::App& subcommand, std::vector<std::uint64_t>& sizes_bytes,
               const std::string& help) {
    add_parsed(
        subcommand, "-m,--size", sizes_bytes,
        [](const std::string& text) { return parse_sizes("-m", text); }, help);
}

void add_size(CLI::App& subcommand, std::optional<std::uint64_t>& size_bytes,
              const std::string& help) {
    add_parsed(
        subcommand, "-m,--size", size_bytes,
        [](const std::string& text) { return parse_one_size("-m", text); }, help);
}

Result<std::vector<std::uint64_t>> block_sizes(Collective collective,
                                               std::vector<std::uint64_t> given) {
    ALLTOLD_TRY_DONE(check_given(collective, !given.empty(), "-m 64KiB or -m 1KiB,64KiB"));
    if (given.empty())
        given.push_back(0);
    return given;
}

Result<std::uint64_t> block_size(Collective collective, std::optional<std::uint64_t> given) {
    ALLTOLD_TRY_DONE(check_given(collective, given.has_value(), "-m 64KiB"));
    return given.value_or(0);
}

void add_parameters(CLI::App& subcommand, Parameters& parameters, const std::string& otherwise) {
    add_parsed(subcommand, "--segment", parameters.segment_bytes, parse_segment,
               "segment size, such as 8KiB" + otherwise);
    const auto add_window = [&](const std::string& name, int& window, const std::string& help) {
        subcommand.add_option_function<int>(
            name,
            [&window, name](int given) {
                if (given < 1)
                    throw WrongOption(
                        bad_input(fmt::format("{} {}: must be at least 1", name, given)));
                window = given;
            },
            help + otherwise);
    };
    add_window("--window", parameters.window, "messages in flight");
    add_window("--inter-cluster-window", parameters.inter_cluster_window,
               "messages in flight between clusters");
}

Result<std::vector<int>> parse_counts(std::string_view option, std::string_view text, int least,
                                      int most) {
    return parse_list<int>(option, text, [=](std::string_view entry) -> Result<int> {
        int value = 0;
        const auto [end, code] = std::from_chars(entry.data(), entry.data() + entry.size(), value);
        const bool whole = code == std::errc{} && end == entry.data() + entry.size();
        if (whole && value > most)
            return bad_input(fmt::format("{} is above {}, the most there may be", value, most));
        if (whole && value >= least)
            return value;
        return bad_input(
            fmt::format("'{}' is not an integer of at least {}; write 8 or 4,8,12", entry, least));
    });
}

Result<std::vector<std::uint64_t>> parse_sizes(std::string_view option, std::string_view text) {
    return parse_list<std::uint64_t>(option, text, parse_size);
}

Result<std::vector<std::uint64_t>> sizes_to_time(std::vector<std::uint64_t> sizes_bytes) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
    std::ranges::sort(sizes_bytes);
    sizes_bytes.erase(std::unique(sizes_bytes.begin(), sizes_bytes.end()), sizes_bytes.end());
    if (!sizes_bytes.empty() && sizes_bytes.back() > most_bytes)
        return bad_input(
            fmt::format("-m: {} is more than 1GiB", format_size_word(sizes_bytes.back())));
    return sizes_bytes;
}

std::string model_help(std::string_view what, bool (CostModel::*able)() const) {
    std::string text =
        fmt::format("model of {} (default: the first of these that the profile has)", what);
    const char* separator = ": ";
    for (const auto* model : cost_models())
        if ((model->*able)()) {
            text += fmt::format("{}{} ({})", separator, model->name, model->help);
            separator = "; ";
        }
    return text;
}

Result<Clusters> parse_clusters(const std::string& text) {
    return in_context("--clusters", Clusters::parse(text));
}

void add_clusters_of_call(CLI::App& subcommand, std::optional<Clusters>& clusters,
                          const std::string& help) {
    add_parsed(subcommand, "--clusters", clusters, parse_clusters, help);
}

Result<Clusters> asked_clusters(const std::optional<Clusters>& given, std::optional<int> n,
                                int least) {
    if (n && (*n < least || *n > most_ranks))
        return bad_input(
            fmt::format("-n {}: must be at least {} and at most {}", *n, least, most_ranks));
    if (!given && !n)
        return bad_input("-n or --clusters is missing, such as -n 8 or --clusters 3+7");
    if (given && n && *n != given->ranks())
        return bad_input(fmt::format("-n {} contradicts the {} ranks of --clusters {}; give only "
                                     "one of them",
                                     *n, given->ranks(), given->text()));
    return given ? *given : Clusters({*n});
}

} // namespace alltold::cli
