// SPDX-License-Identifier: BSD-3-Clause
#include "core/environment.hpp"

#include <array>
#include <cstdlib>

#include <unistd.h>

namespace alltold {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

namespace {

struct Launcher {
    const char* rank;
    const char* size;    ///< null: it does not tell
    const char* started; ///< is set in processes that it started
};

/// Slurm sets SLURM_PROCID in a job's script, too, but the number of tasks of a step only in those
/// that srun starts.
constexpr const char* tasks_of_srun = "SLURM_STEP_NUM_TASKS";
constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"PMI_RANK", "PMI_SIZE", "PMI_RANK"},
    {"SLURM_PROCID", tasks_of_srun, tasks_of_srun},
    {"PMIX_RANK", nullptr, "PMIX_RANK"},
};

/// 0 if it is not set.
int number(const char* variable) {
    const char* text = variable ? std::getenv(variable) : nullptr;
    return text ? std::atoi(text) : 0;
}

} // namespace

std::optional<LaunchedProcess> launched_process() {
    std::optional<LaunchedProcess> found;
    for (const auto& launcher : launchers) {
        if (!std::getenv(launcher.started))
            continue;
        const LaunchedProcess process{number(launcher.rank), number(launcher.size)};
        if (process.rank >= 0 && process.rank < process.size)
            return process;
        if (!found)
            found = LaunchedProcess{process.rank, 0};
    }
    return found;
}

bool is_below_srun() {
    return std::getenv(tasks_of_srun) != nullptr;
}

std::string slurm_switches(std::string_view host) {
    const char* text = std::getenv("SLURM_TOPOLOGY_ADDR"); // "core.leaf1.n3", or only "n3"
    std::string_view address = text ? text : "";
    const auto name = "." + std::string(host.substr(0, host.find('.')));
    if (!address.ends_with(name))
        return "";
    address.remove_suffix(name.size());
    return std::string(address);
}

} // namespace alltold
