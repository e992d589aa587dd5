// SPDX-License-Identifier: BSD-3-Clause
// Shows traces, for 'alltold show --trace'.
#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"

namespace alltold::cli {

struct ShowTraceArguments {
    std::string file, profile;           ///< without a profile nothing is simulated
    std::string algorithm;               ///< of the call to draw; empty: the first
    std::optional<std::string> svg_file; ///< draw, instead of text; empty: to standard output
};

/// Prints every call of the file, or draws one.
Result<ExitStatus> show_trace(const ShowTraceArguments& asked);

/// Writes a picture to a file, or to standard output if the name is empty.
Status write_svg(const std::string& file, const std::string& svg);

} // namespace alltold::cli
