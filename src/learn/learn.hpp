// SPDX-License-Identifier: BSD-3-Clause
// The one function of liballtold-learn.
#pragma once

#include <string>

namespace alltold {

struct LearnRequest {
    std::string folder; ///< rank 0's; exists. Holds study.db, and profile.json in the end
    double budget_s = 0;
    std::string clusters;  ///< ALLTOLD_CLUSTERS
    std::string host_file; ///< its path
};

/// Runs a study on all ranks of MPI_COMM_WORLD, resuming one that was interrupted in the same
/// folder. Collective; PMPI_ functions alone. Leaves signal handlers and the error handler of
/// MPI_COMM_WORLD as they were; a signal that ended it is raised again. Whether it succeeded;
/// `error` says why not, on rank 0 at least.
using Learn = bool(const LearnRequest& request, std::string& error);

inline constexpr const char* learn_library = "liballtold-learn.so";
inline constexpr const char* learn_function = "alltold_learn";

} // namespace alltold
