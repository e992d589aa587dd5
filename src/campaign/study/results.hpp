// SPDX-License-Identifier: BSD-3-Clause
// The end of a study: what it found, as files and as texts.
#pragma once

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

/// The network, predictions and measurements, the algorithms to use, and `advice` on settings of
/// the MPI library (empty without any). `heading` names the studied network, `built_with` compares
/// it with a lab's truth (empty without one), `warnings` list doubts about the measurements,
/// `start_mode` is what its collectives follow.
std::string study_page(const std::string& heading, const Profile& profile,
                       const Validation& validation, const std::string& built_with,
                       std::span<const ChosenCall> choices, StartMode start_mode,
                       const std::vector<std::string>& warnings, const std::string& advice = {});

} // namespace alltold::campaign
