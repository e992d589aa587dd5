// SPDX-License-Identifier: BSD-3-Clause
// The HTML page of a study.
#pragma once

#include <span>
#include <string>

#include "campaign/study/study.hpp"
#include "core/result.hpp"
#include "report/validation.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::campaign {

/// The file of the page in the study's folder.
inline constexpr const char* charts_file = "report.html";

/// Writes the page into the folder of the options, whose profile.json is `profile`; `predicting`
/// made the predictions of `validation`. Returns the line that names it, or that says why there is
/// none: a build without npm has no page. Fails if the campaign cannot be read or the page not be
/// written.
Result<std::string> write_charts(const Campaign& campaign, const Profile& profile,
                                 const Network& predicting, const Validation& validation,
                                 std::span<const ChosenCall> choices, const StudyOptions& options);

} // namespace alltold::campaign
