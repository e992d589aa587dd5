// SPDX-License-Identifier: BSD-3-Clause
// Declares and parses the lab options.
#include "cli/lab_options.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold::cli {

void add_lab_options(CLI::App& subcommand, LabText& text) {
    subcommand
        .add_option("--clusters", text.clusters, "hosts per cluster, such as 12, 6+6 or 4+8+4")
        ->capture_default_str();
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

Result<lab::LabOptions> lab_options(const LabText& text) {
    auto clusters = Clusters::parse(text.clusters);
    const auto nic = parse_rate(text.nic);
    const auto buffer = parse_size(text.buffer);
    const auto wan = lab::Wan::parse(text.wan);
    const auto wrong = [](const char* option, const Error& error) {
        return bad_input(fmt::format("{}: {}", option, error.message));
    };
    if (!clusters)
        return wrong("--clusters", clusters.error());
    if (!nic)
        return wrong("--nic", nic.error());
    if (!buffer)
        return wrong("--buffer", buffer.error());
    if (!wan)
        return wrong("--wan", wan.error());
    lab::LabOptions options;
    options.clusters = std::move(*clusters);
    options.nic_bit_per_s = *nic;
    options.buffer_bytes = *buffer;
    options.wan = *wan;
    options.tcp = text.tcp;
    return options;
}

} // namespace alltold::cli
