// SPDX-License-Identifier: BSD-3-Clause
// What a model adds to its row to be fitted beside the signature and compared with it.
#pragma once

#include <vector>

#include "network/json/number_range.hpp"
#include "network/signature/paper_models.hpp"

namespace alltold {

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
