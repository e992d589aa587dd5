// SPDX-License-Identifier: BSD-3-Clause
// The end of a study: what it found, as files and as texts.
#pragma once

#include <vector>

#include "campaign/engine/engine.hpp"
#include "campaign/study/study.hpp"

namespace alltold::campaign {

/// Whether the study itself tries settings of the MPI library, since nothing is known of them yet.
bool tries_forced(const StudyOptions& options);

/// Writes the profile, the page, the charts and, into the store, the predictions. `result` has the
/// profile with its rules, the choices and how precise the answers are; the rest is filled in.
/// `predicting` predicts the calls of `checked`; `measured` is all that was measured. Fails for
/// files that cannot be written. Rank 0 only.
Result<StudyResult> write_results(Engine& engine, StudyOptions options, StudyResult result,
                                  const Profile& predicting,
                                  const std::vector<PointSamples>& checked,
                                  const std::vector<PointSamples>& measured);

} // namespace alltold::campaign
