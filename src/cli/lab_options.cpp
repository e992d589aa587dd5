// SPDX-License-Identifier: BSD-3-Clause
// Declaring and reading the options of a lab.
#include "cli/lab_options.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold::cli {

void add_lab_options(CLI::App& subcommand, LabText& text) {
    subcommand.add_option("--clusters", text.clusters, "hosts: 12, 6+6, 4+8+4")
        ->capture_default_str();
    subcommand.add_option("--nic", text.nic, "rate of each host, both ways")->capture_default_str();
    subcommand.add_option("--buffer", text.buffer, "buffer of each switch port")
        ->capture_default_str();
    subcommand.add_option("--wan", text.wan, "backbone: rate,one-way delay,queue")
        ->capture_default_str();
    subcommand.add_option("--tcp", text.tcp,
                          "congestion control (default: cubic, or reno in a kernel without it)");
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
