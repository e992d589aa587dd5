// SPDX-License-Identifier: BSD-3-Clause
// The main job on the ranks that MPI started: measure, fit, predict what was held out, compare.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "mpi/session.hpp"
#include "report/validation.hpp"
#include "store/profile.hpp"
#include "topology/clusters.hpp"

namespace alltold {

struct StudyOptions {
    std::filesystem::path folder; ///< study.db, profile.json and page.txt go here
    std::string clusters;         ///< "6+6"; empty: one cluster of all ranks
    std::string truth_file;       ///< a lab's; empty: none
    double budget_s = 120;        ///< for measuring
    std::uint64_t seed = 1;
};

struct StudyResult {
    Profile profile;
    Validation validation;
    std::string page;
};

/// Measures, resuming what the folder's store holds, then fits and compares on rank 0, which gets
/// the result and writes the files. Collective; errors as measure::run gives them.
Result<std::optional<StudyResult>> study(const mpi::Session& session, const StudyOptions& options);

} // namespace alltold
