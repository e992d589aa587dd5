// SPDX-License-Identifier: BSD-3-Clause
// The cost of a program's collectives, beside bounds and the time that was or could be saved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "network/network.hpp"
#include "preload/call_log.hpp"

namespace alltold::preload {

/// A program's run as a whole.
struct LoggedRun {
    int ranks = 1;     ///< in MPI_COMM_WORLD
    double time_s = 0; ///< from MPI_Init to MPI_Finalize, the mean over all ranks
    Clusters clusters{{1}};
    bool observed_only = false;       ///< all calls are the library's own
    std::string profile;              ///< its path; empty: none
    const Network* network = nullptr; ///< the profile's; may be null
};

/// One class with what is known of it. Times of one call, in seconds.
struct LoggedClass {
    CallClass shape;
    double calls = 0;       ///< a call of n ranks counts once
    double block_bytes = 0; ///< the mean
    double time_s = 0;      ///< in all calls, the mean over all ranks of the run
    double measured_s = 0;  ///< the mean of a call
    std::optional<double> predicted_s = {}, bound_s = {};
    std::optional<double> library_s = {}; ///< the library's own, predicted
    /// Wall time in blocks, with all that the program does between calls; of the library's own,
    /// what blocks of the same calls showed.
    std::optional<double> in_blocks_s = {}, library_in_blocks_s = {};
    std::string runner_up = {}; ///< the best other algorithm
    std::optional<double> runner_up_s = {};
    /// By all calls together, over the library's own, the mean over all ranks of the run: as blocks
    /// showed, or, observed only, as predicted.
    std::optional<double> saved_s = {};
    double saved_error_s = 0; ///< standard error
    std::string better = {};  ///< observed only: what rules would run; empty: nothing known
};

struct LogReport {
    LoggedRun run;
    std::vector<LoggedClass> classes; ///< the most time first
    CallSums others;                  ///< beyond CallLog::most_classes
    double share = 0;                 ///< the part of the run within all these calls
};

/// Evaluates the classes of all ranks under the network of the run; rank 0 does it once, in
/// MPI_Finalize, for the classes with the most time.
LogReport report_of(const CallLog& log, const LoggedRun& run);

/// At most 100 columns.
std::string text_of(const LogReport& report);
std::string json_of(const LogReport& report);

} // namespace alltold::preload
