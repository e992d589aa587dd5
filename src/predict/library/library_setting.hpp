// SPDX-License-Identifier: BSD-3-Clause
// When a setting of the MPI library is worth making, and how its algorithms are forced.
#pragma once

#include "core/rank_tests.hpp"
#include "predict/decide/decide.hpp"

namespace alltold {

using EnvironmentVariables = std::vector<std::pair<std::string, std::string>>;

/// A setting is worth making from this ratio to the default on.
inline constexpr double worth_setting = 0.95;

/// What a setting gains: the sum of log ratios to the default over all calls of
/// `default_s`; 0 where nothing is gained beyond what repetitions scatter, something may be lost,
/// or a call was not timed under the setting.
/// Terms say what loss counts, and how probable chance may be: three times below three others are.
template <typename Call>
double setting_gain(const std::map<Call, std::vector<double>>& times_s,
                    const std::map<Call, std::vector<double>>& default_s) {
    constexpr Terms terms;
    double gain = 0;
    bool faster = false;
    for (const auto& [call, usual_s] : default_s) {
        const auto found = times_s.find(call);
        if (found == times_s.end())
            return 0;
        const double ratio = median(found->second) / median(usual_s);
        if (ratio > 1 + terms.worth)
            return 0;
        faster = faster ||
                 (ratio < worth_setting && rank_sum_p(found->second, usual_s) / 2 <= terms.risk);
        gain -= std::log(ratio);
    }
    return faster ? gain : 0;
}

/// What makes Open MPI run this algorithm of its own for all calls.
EnvironmentVariables forcing_variables(const LibraryAlgorithm& algorithm);

/// Whether the algorithm can be forced so for every call of a program: Open MPI's that run on any
/// number of ranks.
bool can_be_set(const LibraryAlgorithm& algorithm, Collective collective);

/// "A=1 B=2"; "default" without variables.
std::string settings_text(const EnvironmentVariables& variables);

} // namespace alltold
