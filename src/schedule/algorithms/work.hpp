// SPDX-License-Identifier: BSD-3-Clause
// The size of a call's schedules, estimated before they are built.
#pragma once

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// Limits of operations, so that no command runs out of memory or for minutes. An operation with
/// its edges takes about 150 bytes.
struct WorkLimit {
    double operations;      ///< of all ranks together
    double of_one_rank;     ///< the checker keeps a bit for every pair of them
    std::string_view doing; ///< "show", for the error
};
/// The most that one rank may build to run it.
inline constexpr WorkLimit to_run{8e6, 8e6, "run"};
/// The most that one command may check and print.
inline constexpr WorkLimit to_show{1e6, 3e4, "show"}, to_show_as_json{2.5e5, 3e4, "show as JSON"};

/// Fails unless all bytes of all blocks of the call can be numbered (Specification::address_of),
/// naming the size.
Status check_bytes(Collective collective, int ranks, std::uint64_t size_bytes);

/// How many operations the schedule of the task's rank has: those of the schedule with unsegmented
/// messages, each message and combination counted as its segments. Builds the former, which has at
/// most a few operations per rank of the call. At most log2(ranks) times too high where segments of
/// one message go different ways (bcast.circulant, reduce.circulant). `accepts` must hold.
double operations_of(const Algorithm& algorithm, const Task& task);

/// Fails, with the number of operations and what to change, if the schedules of all ranks exceed
/// the limit. `accepts` must hold.
Status check_work(const Algorithm& algorithm, const Specification& specification,
                  const Parameters& parameters, const WorkLimit& limit);
/// As above, for the schedule of one rank.
Status check_work(const Algorithm& algorithm, const Task& task, const WorkLimit& limit);

} // namespace alltold
