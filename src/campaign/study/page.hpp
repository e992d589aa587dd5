// SPDX-License-Identifier: BSD-3-Clause
// The page of plain text a study ends in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/study/choices.hpp"
#include "report/validation.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// How many times longer than the wire needs the library's all-to-all took: one row a size, one
/// column a layout, measured median over the NIC bound; then a sentence on where it is worst and
/// where it keeps close. The wire's rate is that of the ping-pong.
std::string wire_table(const std::vector<ValidatedPoint>& points);

/// The network, the predictions beside what was measured, the wire, and what is to be run.
/// `heading` says what was studied, `built_with` compares it with a lab's truth (empty: there is
/// none), `warnings` say what casts doubt on it.
std::string study_page(const std::string& heading, const Profile& profile,
                       const Validation& validation, const std::string& built_with,
                       std::span<const ChosenCall> choices,
                       const std::vector<std::string>& warnings);

} // namespace alltold::campaign
