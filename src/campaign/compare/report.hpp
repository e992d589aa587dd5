// SPDX-License-Identifier: BSD-3-Clause
// A request's outcome as a table and as JSON.
#pragma once

#include "campaign/compare/compare.hpp"

namespace alltold::campaign {

/// Everything the report shows.
struct ComparisonReport {
    const ComparisonRequest& request;
    const ComparisonOutcome& outcome;
    const Physics& physics;
    const std::vector<OmittedAlgorithm>& left_out;
};

/// Time, interval and ratios to bound and mpi of every candidate, best first within each size,
/// after a description of the run and before its caveats.
std::string text_of(const ComparisonReport& comparison);

/// As JSON, with every single time.
nlohmann::ordered_json json_of(const ComparisonReport& comparison);

} // namespace alltold::campaign
