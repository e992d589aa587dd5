// SPDX-License-Identifier: BSD-3-Clause
// Parses the time budget and the start mode.
#include "cli/timing_options.hpp"

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold::cli {

Result<double> parse_budget(const std::string& text) {
    const auto budget_s = parse_time(text);
    if (!budget_s)
        return bad_input(fmt::format("--budget: {}", budget_s.error().message));
    if (*budget_s <= 0)
        return bad_input("--budget: must be greater than zero");
    return *budget_s;
}

Result<StartMode> parse_start(const std::string& text) {
    auto start_mode = parse_start_mode(text);
    if (!start_mode)
        return bad_input(fmt::format("--start: {}", start_mode.error().message));
    return start_mode;
}

} // namespace alltold::cli
