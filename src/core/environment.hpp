// SPDX-License-Identifier: BSD-3-Clause
// Where this process runs, and what mpirun, mpiexec or srun told it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alltold {

/// The value of an environment variable; empty where it is not set.
std::string variable(const char* name);

/// This process's host, as gethostname says it.
std::string host_name();

/// The rank and size that a launcher gave this process in its environment.
struct LaunchedProcess {
    int rank = 0;
    int size = 0; ///< number of processes; 0: not told
};

/// Empty if no launcher started this process. `size` is 0 if the rank does not fit in it: something
/// else left such variables in the environment.
std::optional<LaunchedProcess> launched_process();

/// Whether srun started this process, or a launcher that srun started.
bool is_below_srun();

/// The switches above `host`, this process's, as Slurm's daemon told it: "core.leaf1". Empty
/// without Slurm or its topology file, and where a launcher handed on those of another host.
std::string slurm_switches(std::string_view host);

} // namespace alltold
