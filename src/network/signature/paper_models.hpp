// SPDX-License-Identifier: BSD-3-Clause
// The papers' other models of the library's all-to-all, fitted to the run that gave the signature.
#pragma once

#include <map>

#include "network/json/json_cursor.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature.hpp"

namespace alltold {

struct AlltoallRun;

/// Parameters of those models, by their keys in a profile (ContentionModel::parameters).
using PaperParameters = std::map<std::string_view, Estimate>;

/// All models as fitted to the same run.
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
/// Their parameters before anything was fitted.
PaperModels unfitted_paper_models();

/// The time of an all-to-all of n processes, m bytes per pair, by the signature and by each row in
/// order of preference; without those that need pLogP where `plogp` is null.
std::vector<PaperTime> paper_times_s(const PaperModels& models, const Hockney& network,
                                     const PLogP* plogp, int n, double size_bytes);

/// A number that is fitted, and kept under the signature's "papers" in a profile.
struct ContentionParameter {
    std::string_view key;  ///< among those of all such models
    NumberRange range;     ///< what a profile may hold
    bool interval = false; ///< kept as an estimate, else as a number
    double unfitted = 1;   ///< before anything was fitted
};

/// A model of the library's all-to-all within a cluster. Parameters are those of all models.
struct ContentionModel {
    std::vector<ContentionParameter> parameters = {};
    /// Those of this model, from one run; null: it has none.
    PaperParameters (*fit)(const AlltoallRun& run) = nullptr;
    /// n >= 1 processes, m bytes per pair; `plogp` is null where it is not known.
    double (*time_s)(const PaperParameters& parameters, const Hockney& network, const PLogP* plogp,
                     int n, double size_bytes) = nullptr;
    bool needs_plogp = false;
};

} // namespace alltold
