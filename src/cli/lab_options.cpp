// SPDX-License-Identifier: BSD-3-Clause
// Declares and parses the lab options.
#include "cli/lab_options.hpp"

#include <fmt/format.h>

#include "cli/collective_options.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"
#include "core/say.hpp"
#include "core/units.hpp"
#include "lab/capacity.hpp"

namespace alltold::cli {

void add_lab_options(CLI::App& subcommand, LabText& text) {
    subcommand
        .add_option("--clusters", text.clusters,
                    "hosts per cluster, such as 12, 6+6 or 4+8+4, or hosts x ranks per host, such "
                    "as 6x4+3x8")
        ->capture_default_str();
    subcommand
        .add_option("--ranks-per-host", text.ranks_per_host, "ranks that share a host's link")
        ->check(CLI::Range(1, most_ranks));
    subcommand.add_flag("--oversubscribe", text.oversubscribe,
                        fmt::format("allow more than {} ranks per processor of this "
                                    "machine where hosts have several ranks",
                                    lab::most_ranks_a_processor));
    subcommand.add_option("--nic", text.nic, "link rate of each host, in each direction")
        ->capture_default_str();
    subcommand.add_option("--buffer", text.buffer, "buffer size of each switch port")
        ->capture_default_str();
    subcommand.add_option("--wan", text.wan, "backbone as RATE,ONE-WAY DELAY,QUEUE SIZE")
        ->capture_default_str();
    subcommand.add_option(
        "--tcp", text.tcp,
        "TCP congestion control (default: cubic, or reno if the kernel has no cubic)");
}

namespace {

Result<Clusters> lab_clusters(const LabText& text) {
    auto clusters = parse_clusters(text.clusters);
    if (!clusters || text.ranks_per_host == 0)
        return clusters;
    if (text.clusters.find('x') != text.clusters.npos)
        return bad_input(fmt::format("--ranks-per-host {}: --clusters {} says how many ranks hosts "
                                     "have; give only one of them",
                                     text.ranks_per_host, text.clusters));
    if (static_cast<long>(clusters->hosts()) * text.ranks_per_host > most_ranks)
        return bad_input(fmt::format("--ranks-per-host {}: {} hosts would have more than {} ranks",
                                     text.ranks_per_host, clusters->hosts(), most_ranks));
    return lab::with_ranks_per_host(*clusters, text.ranks_per_host);
}

} // namespace

Result<lab::LabOptions> lab_options(const LabText& text) {
    ALLTOLD_TRY(clusters, lab_clusters(text));
    ALLTOLD_TRY(nic, in_context("--nic", parse_rate(text.nic)));
    ALLTOLD_TRY(buffer, in_context("--buffer", parse_size(text.buffer)));
    ALLTOLD_TRY(wan, in_context("--wan", lab::Wan::parse(text.wan)));
    lab::LabOptions options;
    options.clusters = std::move(*clusters);
    options.nic_bit_per_s = *nic;
    options.buffer_bytes = *buffer;
    options.wan = *wan;
    options.tcp = text.tcp;
    options.oversubscribe = text.oversubscribe;
    ALLTOLD_TRY_DONE(lab::check(options));
    return options;
}

void warn_of_rate(const lab::LabOptions& options) {
    const auto warning = lab::rate_warning(options, lab::processors_here());
    if (!warning.empty() && lab::check(options)) // else starting it fails
        say(fmt::format("alltold: {}\n", warning));
}

} // namespace alltold::cli
