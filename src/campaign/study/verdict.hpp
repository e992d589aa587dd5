// SPDX-License-Identifier: BSD-3-Clause
// What a study says first: at most 40 lines of 100 columns.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "campaign/study/choices.hpp"
#include "report/validation.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// The path as it is printed: from here if that is shorter.
std::string shown(const std::filesystem::path& path);

/// The network in two lines, how good the predictions were, what to run on all hosts and what it
/// gains, and what to type next. The files of the study are in `folder`.
std::string study_verdict(const std::string& heading, const Profile& profile,
                          const Validation& validation, std::span<const ChosenCall> choices,
                          StartMode start_mode, const std::vector<std::string>& warnings,
                          const std::filesystem::path& folder);

} // namespace alltold::campaign
