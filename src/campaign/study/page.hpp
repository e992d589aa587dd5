// SPDX-License-Identifier: BSD-3-Clause
// The plain-text page of a study.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/study/choices.hpp"
#include "report/validation.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// Time of the library's all-to-all relative to the lower bound: one row per size, one column per
/// layout, measured median over the NIC bound; then a sentence on where it is worst and where it is
/// close.
std::string bound_table(const std::vector<ValidatedPoint>& points);

/// The network, predictions and measurements, the lower bound, the algorithms to use, and `advice`
/// on settings of the MPI library (empty without any). `heading` names the studied network,
/// `built_with` compares it with a lab's truth (empty without one), `warnings` list doubts about
/// the measurements, `start_mode` is what its collectives follow.
std::string study_page(const std::string& heading, const Profile& profile,
                       const Validation& validation, const std::string& built_with,
                       std::span<const ChosenCall> choices, StartMode start_mode,
                       const std::vector<std::string>& warnings, const std::string& advice = {});

} // namespace alltold::campaign
