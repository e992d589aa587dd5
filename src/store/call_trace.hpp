// SPDX-License-Identifier: BSD-3-Clause
// When each operation of a collective started and ended on each rank, as a file.
#pragma once

#include <filesystem>

#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// One operation of a rank's schedule; messages of one pair of ranks are matched by `tag`.
struct TracedOperation {
    Kind kind = Kind::join;
    std::int32_t peer = -1, tag = -1;  ///< of messages, as Operation has them
    std::uint64_t size_bytes = 0;      ///< of the message, or of all rows of a copy
    double started_s = 0, ended_s = 0; ///< since the first operation of any rank
};

/// One repetition of one of our algorithms.
struct CallTrace {
    Collective collective = Collective::alltoall;
    std::string algorithm; ///< a choice with all its parameters
    Clusters clusters{{1}};
    std::uint64_t size_bytes = 0;
    int root = 0;
    double time_s = 0;                               ///< from the agreed start to the last finish
    std::vector<std::vector<TracedOperation>> ranks; ///< [rank][number in its schedule]
};

/// Writes Chrome's trace-event format, which Perfetto shows: a process per call and a thread per
/// rank. Fails as replace_text_file does.
Status save_traces(std::span<const CallTrace> traces, const std::filesystem::path& path);

/// Whether save_traces may write this file; fails as may_replace does.
Status may_save_traces(const std::filesystem::path& path);

} // namespace alltold
