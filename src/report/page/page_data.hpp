// SPDX-License-Identifier: BSD-3-Clause
// Everything that the page shows, as one JSON document.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/page/calls.hpp"
#include "report/page/page_input.hpp"

namespace alltold {

/// The findings and the next step, in words.
struct Verdict {
    std::vector<std::string> sentences = {}; ///< the most important one first
    std::string next = {};                   ///< one command
    const CallTimes* call = nullptr;         ///< what they are about, of `calls`; null: none
};

Verdict page_verdict(const PageInput& input, std::span<const CallTimes> calls);

/// {"title", "verdict": [...], "next", "settings": [lines of the input's], "prefer": values that
/// filters start with, "sections": [{"id", "title", "figures": [...]}]}.
nlohmann::ordered_json page_data(const PageInput& input);

} // namespace alltold
