// SPDX-License-Identifier: BSD-3-Clause
// The verdicts of all calls by groups, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "regret/judge.hpp"
#include "regret/lab.hpp"
#include "regret/odds.hpp"

namespace alltold::regret {

/// A lab as judged.
struct JudgedLab {
    Lab lab;
    std::vector<Verdict> verdicts; ///< of lab.calls
    std::vector<TimedOdds> odds;   ///< of choices that were timed there
    double fit_s = 0;
    double decision_s = 0; ///< for all calls that there may be, and for those that were timed
};

std::string text_of(const std::vector<JudgedLab>& labs);
nlohmann::ordered_json json_of(const std::vector<JudgedLab>& labs);

} // namespace alltold::regret
