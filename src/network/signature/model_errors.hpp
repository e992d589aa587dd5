// SPDX-License-Identifier: BSD-3-Clause
// Errors of the papers' models on sizes they were not fitted to.
#pragma once

#include <vector>

#include "network/signature/signature_fit.hpp"
#include "network/signature/signature_problem.hpp"

namespace alltold {

/// Leave-one-out errors of the papers' models (paper_times_s; BM04's where `plogp` is not null)
/// over the sizes of the problem's n, best median first. Each is fitted anew without the size left
/// out; two have nothing to fit.
std::vector<ModelError> errors_of_models(const SignatureProblem& problem, int n,
                                         const PLogP* plogp);

} // namespace alltold
