// SPDX-License-Identifier: BSD-3-Clause
// What mpirun, mpiexec or srun told this process.
#pragma once

#include <optional>
#include <string>

namespace alltold {

/// What a launcher told this process by its environment.
struct LaunchedProcess {
    int rank = 0;
    int size = 0; ///< number of processes; 0: not told
};

/// Empty if no launcher started this process. `size` is 0 if the rank does not fit in it: something
/// else left such variables in the environment.
std::optional<LaunchedProcess> launched_process();

/// What Slurm's daemon told this process: the switches above its host and the host, such as
/// "core.leaf1.n3"; only the host without a topology file, empty without Slurm.
std::string slurm_address();

} // namespace alltold
