// SPDX-License-Identifier: BSD-3-Clause
// Finds running labs among the machine's processes; labs have no files on the host.
#pragma once

#include <optional>

#include <sys/types.h>

#include "topology/clusters.hpp"

namespace alltold::lab {

constexpr const char* supervisor_name = "alltold-lab";

struct RunningLab {
    pid_t pid;           ///< of its supervisor
    std::string command; ///< the supervisor's command line, as plain text
    double age_s;
    std::optional<Clusters> clusters; ///< empty: not known
};

/// Those of this user.
std::vector<RunningLab> running_labs();

/// Asks the lab to stop and kills it after 8 s; returns when it has ended. Fails if `pid` is not a
/// lab of this user.
Status take_down(pid_t pid);

} // namespace alltold::lab
