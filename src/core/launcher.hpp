// SPDX-License-Identifier: BSD-3-Clause
// Whether mpirun, mpiexec or srun started this process.
#pragma once

#include <optional>

namespace alltold {

/// What a launcher told this process by its environment.
struct LaunchedProcess {
    int rank = 0;
    int size = 0; ///< number of processes; 0: not told
};

/// Empty if no launcher started this process. `size` is 0 if the rank does not fit in it: something
/// else left such variables in the environment.
std::optional<LaunchedProcess> launched_process();

} // namespace alltold
