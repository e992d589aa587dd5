// SPDX-License-Identifier: BSD-3-Clause
// A ranking as a table and as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "predict/choice/rank.hpp"

namespace alltold {

/// One row per candidate, best first, then each caveat of the first three once, then what could not
/// be ranked.
std::string rank_table(const Ranking& ranking);

/// {"candidates": [...], "not_ranked": [...]}; times in seconds; unknown values are null.
nlohmann::ordered_json rank_to_json(const Ranking& ranking);

} // namespace alltold
