// SPDX-License-Identifier: BSD-3-Clause
// What a study measures, one step after the other.
#pragma once

#include "campaign/engine/engine.hpp"
#include "campaign/study/study.hpp"

namespace alltold::campaign {

/// Measures within the budget, fits, times what is chosen, and writes the results. Rank 0 only.
/// Fails if a signal ends it, and for files that cannot be written.
Result<StudyResult> study_steps(Engine& engine, const StudyOptions& options);

} // namespace alltold::campaign
