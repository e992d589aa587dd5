// SPDX-License-Identifier: BSD-3-Clause
// The main job on the ranks that MPI started: measure, fit, predict held-out points, compare.
#pragma once

#include "campaign/arrange.hpp"
#include "campaign/study/choices.hpp"
#include "report/validation.hpp"

namespace alltold::campaign {

inline constexpr const char* store_file = "study.db";
/// The last file that a study writes into its folder.
inline constexpr const char* page_file = "page.txt";

struct StudyOptions {
    std::filesystem::path folder; ///< study.db, profile.json and page.txt go here
    ClusterRequest clusters;
    std::string truth_file; ///< a lab's; empty: none
    double budget_s = 0;    ///< for measuring; 0: default_budget_s, budget.hpp
    double precision = 0.1; ///< half-width of predictions' 90 % intervals that is narrow enough
    StartMode start_mode = StartMode::silence; ///< of collectives
    std::uint64_t seed = 1;
    std::vector<Collective> collectives{studied_collectives.begin(), studied_collectives.end()};
    std::string advice = {};         ///< on settings of the MPI library; goes into all pages
    std::string command = "alltold"; ///< how the user calls this program
};

/// How many of the reported calls' predictions became as precise as StudyOptions::precision asks.
struct PreciseTargets {
    int narrow = 0;
    int all = 0;      ///< 0: no model could predict any
    double asked = 0; ///< StudyOptions::precision
};

struct StudyResult {
    Profile profile;
    Validation validation = {};
    std::vector<ChosenCall> choices;
    std::vector<std::string> unknown = {}; ///< what the budget was too small to learn
    PreciseTargets precise = {};
    std::string verdict = {}; ///< study_verdict
    std::string page = {};    ///< study_page, and the line that names the charts
};

/// Arranges the ranks, measures, resuming what the folder's store holds, fits on rank 0, times what
/// the rules then choose beside the library's own, and compares on rank 0, which gets the result
/// and writes the files. Collective; errors as run gives them.
Result<std::optional<StudyResult>> study(const mpi::ManagedCommunicator& world,
                                         const StudyOptions& options);

} // namespace alltold::campaign
