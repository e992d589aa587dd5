// SPDX-License-Identifier: BSD-3-Clause
// The papers' other models of the library's all-to-all, fitted to the run that gave the signature.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "core/estimate.hpp"
#include "network/hockney/hockney.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature.hpp"

namespace alltold {

struct AlltoallRun;

/// Parameters of those models, by their keys in a profile (ContentionModel::parameters).
using PaperParameters = std::map<std::string_view, Estimate>;

/// What each model was fitted to the same run.
struct PaperModels {
    Signature signature;        ///< SMT07, equation 5
    PaperParameters parameters; ///< of the others
};

/// A model's time of an all-to-all, in seconds.
struct PaperTime {
    std::string_view model;
    double time_s = 0;
};

/// The signature, and every row with a ContentionModel, by the run's weights.
PaperModels fit_paper_models(const AlltoallRun& run);
/// What they are before anything was fitted.
PaperModels unfitted_paper_models();

/// The time of an all-to-all of n processes, m bytes per pair, by the signature and by each row in
/// order of preference; without those that need pLogP where `plogp` is null.
std::vector<PaperTime> paper_times_s(const PaperModels& models, const Hockney& network,
                                     const PLogP* plogp, int n, double size_bytes);

} // namespace alltold
