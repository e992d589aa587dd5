// SPDX-License-Identifier: BSD-3-Clause
// Predictions for alltold's own algorithms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/parameter_options.hpp"
#include "cli/subcommand.hpp"
#include "schedule/matrix.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

/// What is asked of our algorithms.
struct AlgorithmQuestion {
    std::string profile;    ///< as given, for errors
    std::string collective; ///< "bcast"
    std::string algorithm;  ///< "bcast.chain", "chain" or "all"
    std::string model;      ///< empty: the first the profile has parameters for
    ParameterText parameters;
    std::optional<int> root;
    std::optional<Matrix> matrix; ///< of an alltoallv
    std::vector<Clusters> clusters;
    std::vector<std::uint64_t> sizes_bytes;
    bool json = false;
};

/// Predicts and prints; with "all" every algorithm of the collective that these parameters and
/// clusters allow, fastest first, and a note for each that cannot be predicted.
Result<ExitStatus> predict_algorithms(const AlgorithmQuestion& asked, const Profile& profile);

} // namespace alltold::cli
