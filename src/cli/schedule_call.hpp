// SPDX-License-Identifier: BSD-3-Clause
// The options of subcommands that write one algorithm's schedules out.
#pragma once

#include "cli/collective_options.hpp"
#include "schedule/algorithms/work.hpp"

namespace alltold::cli {

/// An algorithm and a call as the user wrote them.
struct ScheduleCallText {
    std::string name, profile; ///< no profile: parameters are found from bytes
    std::optional<Clusters> clusters;
    std::optional<std::uint64_t> size_bytes;
    Parameters parameters;
    std::optional<int> ranks, root;
};

/// Adds the options of the call; the algorithm is the subcommand's own. `also_for_profile` says in
/// the help what else --profile does.
void add_schedule_call(CLI::App& subcommand, ScheduleCallText& asked,
                       const std::string& also_for_profile = "");

/// A call with all its parameters, and its checked schedules.
struct ScheduleCall {
    const Algorithm* algorithm;
    Clusters clusters;
    Specification specification;
    Parameters parameters;
    std::vector<Schedule> schedules;
};

/// With the parameters that `resolve` finds where none are given. Fails for what the algorithm does
/// not accept, and beyond `limit`.
Result<ScheduleCall> schedule_call(const ScheduleCallText& asked, const WorkLimit& limit);

} // namespace alltold::cli
