// SPDX-License-Identifier: BSD-3-Clause
// Errors of models on the same points, summed up.
#pragma once

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "core/median.hpp"
#include "network/signature/signature_fit.hpp"

namespace alltold {

/// `models` with the median and the worst of each one's relative errors (as many lists as models,
/// none empty), best median first.
inline std::vector<ModelError> with_errors(std::vector<ModelError> models,
                                           std::span<const std::vector<double>> errors) {
    for (std::size_t i = 0; i < models.size(); ++i) {
        models[i].leave_one_out = median(errors[i]);
        models[i].leave_one_out_worst = std::ranges::max(errors[i]);
    }
    std::ranges::stable_sort(models, {}, [](const ModelError& model) {
        return std::tuple(model.leave_one_out, model.leave_one_out_worst);
    });
    return models;
}

} // namespace alltold
