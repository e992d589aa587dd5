// SPDX-License-Identifier: BSD-3-Clause
#include "cli/lab_options.hpp"

#include <fmt/format.h>

#include "cli/collective_options.hpp"
#include "core/units.hpp"
#include "lab/watch.hpp"

namespace alltold::cli {

namespace {

/// `each` ranks on each host, which --clusters must not say as well.
Result<Clusters> with_ranks(const CLI::Option& sizes, const Clusters& clusters, int each) {
    if (sizes.count() > 0 && sizes.results().front().find('x') != std::string::npos)
        return bad_input(fmt::format("--ranks-per-host {}: --clusters {} says how many ranks hosts "
                                     "have; give only one of them",
                                     each, sizes.results().front()));
    if (static_cast<long>(clusters.hosts()) * each > most_ranks)
        return bad_input(fmt::format("--ranks-per-host {}: {} hosts would have more than {} ranks",
                                     each, clusters.hosts(), most_ranks));
    return lab::with_ranks_per_host(clusters, each);
}

/// Takes --wan for all clusters, or for a pair of them.
Status take_wan(lab::LabOptions& lab, const std::string& text) {
    if (text.find('=') == text.npos) {
        ALLTOLD_TRY_INTO(lab.wan, lab::Wan::parse(text));
        return Done{};
    }
    ALLTOLD_TRY(own, lab::parse_pair_wan(text));
    if (!lab.pair_wans.insert(*own).second)
        return bad_input(fmt::format("'{}': the pair has a link already", text));
    return Done{};
}

} // namespace

void add_lab_clusters(CLI::App& subcommand, lab::LabOptions& lab) {
    subcommand
        .add_option_function<std::string>(
            "--clusters",
            [&lab](const std::string& text) {
                if (auto parsed = in_context("--clusters", lab.parse_clusters(text)); !parsed)
                    throw WrongOption(parsed.error());
            },
            "hosts per cluster, such as 12, 6+6 or 4+8+4, or hosts x ranks per host, such as "
            "6x4+3x8; with @ and the link rate of its hosts, if not --nic: 6@50Mbit+6@20Mbit")
        ->default_str(lab.clusters.text());
}

void add_lab_options(CLI::App& subcommand, lab::LabOptions& lab) {
    const auto named = [](const char* name, auto parse) {
        return [=](const std::string& text) { return in_context(name, parse(text)); };
    };
    const auto* sizes = subcommand.get_option("--clusters");
    subcommand
        .add_option_function<int>(
            "--ranks-per-host",
            [&lab, sizes](int each) {
                auto clusters = with_ranks(*sizes, lab.clusters, each);
                if (!clusters)
                    throw WrongOption(clusters.error());
                lab.clusters = std::move(*clusters);
            },
            "ranks that share a host's link")
        ->check(CLI::Range(1, most_ranks));
    subcommand.add_flag("--oversubscribe", lab.oversubscribe,
                        fmt::format("allow more than {} ranks per processor of this "
                                    "machine where hosts have several ranks",
                                    lab::most_ranks_a_processor));
    add_parsed(subcommand, "--nic", lab.nic_bit_per_s, named("--nic", parse_rate),
               "link rate of each host, in each direction")
        ->default_str("50Mbit");
    add_parsed(subcommand, "--buffer", lab.buffer_bytes, named("--buffer", parse_size),
               "buffer size of each switch port")
        ->default_str("64KiB");
    subcommand
        .add_option_function<std::vector<std::string>>(
            "--wan",
            [&lab](const std::vector<std::string>& texts) {
                for (const auto& text : texts)
                    if (auto taken = in_context("--wan", take_wan(lab, text)); !taken)
                        throw WrongOption(taken.error());
            },
            "backbone as RATE,ONE-WAY DELAY,QUEUE SIZE; again for each pair of clusters with a "
            "link "
            "of its own: a-b=20Mbit,10ms,64KiB")
        ->allow_extra_args(false)
        ->take_all()
        ->default_str("200Mbit,5ms,512KiB");
    subcommand.add_option(
        "--tcp", lab.tcp,
        "TCP congestion control (default: cubic, or reno if the kernel has no cubic)");
}

} // namespace alltold::cli
