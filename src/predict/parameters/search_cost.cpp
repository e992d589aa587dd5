// SPDX-License-Identifier: BSD-3-Clause
// Times by the model, corrected or not.
#include "predict/parameters/search_cost.hpp"

#include <cmath>

#include "predict/corrections/corrected_time.hpp"

namespace alltold {

Effort search_effort(const SearchedCall& call) {
    return {.most_messages = most_estimated_messages,
            .estimate = true,
            .value_only = true,
            .simulations = &call.simulations,
            .window_share = true};
}

double cost_s(const SearchedCall& call, const Parameters& parameters, const ModelTime& time) {
    const double time_s = call.corrected
                              ? likely_s({call.network, call.algorithm, call.specification,
                                          call.clusters, call.model, parameters, time})
                              : time.time_s.value;
    return time_s * std::sqrt(time.small_windows);
}

} // namespace alltold
