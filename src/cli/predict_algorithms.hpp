// SPDX-License-Identifier: BSD-3-Clause
// Predictions for alltold's own algorithms, beside the MPI library's.
#pragma once

#include "cli/collective_options.hpp"
#include "schedule/matrix.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

/// A question about alltold's algorithms.
struct AlgorithmQuestion {
    std::string profile;    ///< as given, for errors
    std::string collective; ///< "bcast"
    std::string algorithm;  ///< "bcast.chain", "chain", "all", or empty: all, but quickly
    std::string model;      ///< empty: the first the profile has parameters for
    Parameters parameters;
    std::optional<int> root;
    std::optional<Matrix> matrix; ///< of an alltoallv
    std::vector<Clusters> clusters;
    std::vector<std::uint64_t> sizes_bytes;
    bool json = false;

    bool wants_all() const { return algorithm.empty() || algorithm == "all"; }
};

/// The collective of that name. Fails, listing all that `predict` takes.
Result<Collective> collective_to_predict(const std::string& name);

/// Predicts and prints. Without a name, or for `all`: every algorithm of the collective that these
/// parameters and clusters allow and the MPI library's own, fastest first, with a note for each
/// that cannot be predicted. Without a name, calls that would take thousands of messages to
/// simulate are estimated, as by rank.
Result<ExitStatus> predict_algorithms(const AlgorithmQuestion& asked, const Profile& profile);

} // namespace alltold::cli
