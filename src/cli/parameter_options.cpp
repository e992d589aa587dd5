// SPDX-License-Identifier: BSD-3-Clause
// Declares and parses the parameters of an algorithm.
#include "cli/parameter_options.hpp"

#include <tuple>

#include <fmt/format.h>

#include "cli/list_values.hpp"

namespace alltold::cli {

void add_parameters(CLI::App& subcommand, ParameterText& text, const std::string& otherwise) {
    subcommand.add_option("--segment", text.segment, "segment size, such as 8KiB" + otherwise);
    subcommand.add_option("--window", text.window, "messages in flight" + otherwise);
    subcommand.add_option("--inter-cluster-window", text.inter_cluster_window,
                          "messages in flight between clusters" + otherwise);
}

Result<Parameters> parse_parameters(const ParameterText& text) {
    Parameters parameters;
    if (!text.segment.empty()) {
        const auto segment = parse_one_size("--segment", text.segment);
        if (!segment)
            return segment.error();
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
