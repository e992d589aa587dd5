// SPDX-License-Identifier: BSD-3-Clause
#include "lab/launchers.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "lab/ucx_finalize.hpp"

namespace alltold::lab {

namespace {

/// Replaces ssh inside a lab: enters the namespaces of the host and runs a shell there.
const char* const enter_script = R"(#!/bin/sh
# Runs a command on a host of this lab: ssh [options] HOST [COMMAND...]
while [ "${1#-}" != "$1" ]; do
    case $1 in
    -o | -p | -l | -i | -F) shift ;;
    esac
    shift
done
host=${1#*@}
if ! read -r pid 2>/dev/null <"/dev/shm/lab/nodes/$host"; then
    echo "ssh: no host '$host' in this lab" >&2
    exit 255
fi
shift
here=$PWD
[ $# -eq 0 ] && set -- "exec ${SHELL:-/bin/sh}"
command="$* "
# Open MPI 5 has no setting by which its daemons stay in the session, only an option.
case $command in
*prted" --daemonize "*) command="${command%% --daemonize *} --leave-session-attached ${command#* --daemonize }" ;;
esac
exec nsenter -t "$pid" -n -u -i -m -- /bin/sh -c 'cd "$1" && eval "$2"' sh "$here" "$command"
)";

/// Replaces MPICH's launchers; ucx_finalize.c explains what is preloaded and why.
const char* const mpich_script = R"(#!/bin/sh
PATH=${PATH#/dev/shm/lab/bin:}
LD_PRELOAD=/dev/shm/lab/ucx_finalize.so${LD_PRELOAD:+:$LD_PRELOAD}
export LD_PRELOAD
exec "${0##*/}" "$@"
)";

Status write_mpich_launchers() {
    for (const auto* name : {"mpiexec.mpich", "mpirun.mpich", "mpiexec.hydra"})
        ALLTOLD_TRY_DONE(write_text(state_dir + "/bin/" + name, mpich_script, 0755));
    return write_text(state_dir + "/ucx_finalize.so", std::string(ucx_finalize_library()), 0755);
}

/// Whether one process may read another's memory here: some containers forbid it to all, and Open
/// MPI finds that out too late.
bool may_read_memory() {
    char from = 1, to = 0;
    const iovec local{&to, 1}, remote{&from, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

/// Ranks of one host share its memory, and no others do: Open MPI tells hosts apart by the daemons
/// of its launcher, UCX by their IPC namespaces.
void share_memory(std::map<std::string, std::string>& environment) {
    environment["OMPI_MCA_btl"] = "tcp,vader,self"; // Open MPI 5 reads vader as sm
    if (!may_read_memory()) {
        environment["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none";
        environment["OMPI_MCA_smsc"] = "^cma";
    }
    environment["UCX_TLS"] = "tcp,sm,self";
    environment["ALLTOLD_LAB_YIELD"] = "1"; // see ucx_finalize.c
    environment.erase("MPIR_CVAR_NOLOCAL");
}

} // namespace

std::string hosts_file(const Clusters& clusters) {
    std::string lines = "127.0.0.1 localhost\n198.19.255.254 head\n";
    for (int host = 0; host < clusters.hosts(); ++host)
        lines += fmt::format("{0} {1}\n{2} {1}-control\n", data_address(clusters, host),
                             host_name(clusters, host), control_address(clusters, host));
    return lines;
}

Status write_launch_files(const LabOptions& options, const Network& made) {
    for (const auto* folder : {"/nodes", "/bin"})
        if (mkdir((state_dir + folder).c_str(), 0755) != 0)
            return system_error(state_dir + folder);
    std::string open_mpi, mpich;
    for (int i = 0; i < options.clusters.hosts(); ++i) {
        const auto& host = made.hosts[static_cast<std::size_t>(i)];
        open_mpi += fmt::format("{} slots={}\n", host.name, options.clusters.ranks_of_host(i));
        mpich += fmt::format("{}:{}\n", host.name, options.clusters.ranks_of_host(i));
        ALLTOLD_TRY_DONE(
            write_text(state_dir + "/nodes/" + host.name, fmt::format("{}\n", host.pid)));
    }
    ALLTOLD_TRY_DONE(write_text(state_dir + "/openmpi-hosts", open_mpi));
    ALLTOLD_TRY_DONE(write_text(state_dir + "/mpich-hosts", mpich));
    ALLTOLD_TRY_DONE(write_text(state_dir + "/truth.json", truth(options).dump(2) + "\n"));
    ALLTOLD_TRY_DONE(write_mpich_launchers());
    return write_text(state_dir + "/bin/ssh", enter_script, 0755);
}

std::string launch_objection(const std::vector<std::string>& command, const Clusters& clusters) {
    const auto is_one_of = [](std::string_view word,
                              std::initializer_list<std::string_view> words) {
        return std::ranges::find(words, word) != words.end();
    };
    if (command.empty())
        return "";
    const auto launcher = command.front().substr(command.front().rfind('/') + 1);
    if (!is_one_of(launcher, {"mpirun", "mpiexec", "orterun", "prterun"}))
        return "";
    int ranks = 0;
    for (std::size_t i = 1; i < command.size(); ++i) {
        std::string_view word = command[i];
        if (!word.starts_with('-'))
            break; // the program and its own options
        word.remove_prefix(word.starts_with("--") ? 2 : 1);
        if (is_one_of(word, {"oversubscribe", "map-by", "host", "H", "hostfile", "machinefile", "N",
                             "npernode", "rankfile", "mca", "app"}))
            return ""; // these may place ranks otherwise
        if (is_one_of(word, {"n", "np", "c"}) && i + 1 < command.size())
            ranks = std::atoi(command[i + 1].c_str());
        if (!is_one_of(word, {"q", "quiet", "v", "verbose", "allow-run-as-root", "tag-output",
                              "display-map", "nolocal"}))
            ++i; // its value
    }
    if (ranks <= clusters.ranks())
        return "";
    const int hosts = clusters.hosts(), each = (ranks - 1) / hosts + 1;
    if (!clusters.one_rank_per_host())
        return fmt::format("{} -n {}: the lab has {} hosts for {} ranks; make it larger, such as "
                           "--clusters {}",
                           launcher, ranks, hosts, clusters.ranks(),
                           with_ranks_per_host(clusters, each).text());
    return fmt::format(
        "{0} -n {1}: the lab has {2} hosts for one rank each; make it larger, such as "
        "--clusters {1} or --ranks-per-host {3}, or add --oversubscribe to {0}: ranks of one host "
        "then do not cross the network",
        launcher, ranks, hosts, each);
}

std::map<std::string, std::string> launch_environment(const LabOptions& options) {
    const auto ssh = state_dir + "/bin/ssh";
    const char* path = std::getenv("PATH");
    std::map<std::string, std::string> environment{
        {"ALLTOLD_LAB", "1"},
        {"ALLTOLD_LAB_HOSTS", std::to_string(options.clusters.hosts())},
        {"ALLTOLD_LAB_RANKS", std::to_string(options.clusters.ranks())},
        {"ALLTOLD_LAB_TRUTH", state_dir + "/truth.json"},
        {"ALLTOLD_CLUSTERS", options.clusters.text()},
        {"PATH", state_dir + "/bin:" + (path ? path : "/usr/local/bin:/usr/bin:/bin")},
        // Open MPI
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"OMPI_MCA_orte_default_hostfile", state_dir + "/openmpi-hosts"},
        {"OMPI_MCA_orte_tmpdir_base", private_dir},
        {"OMPI_MCA_plm", "rsh"},
        {"OMPI_MCA_plm_rsh_agent", ssh},
        {"OMPI_MCA_plm_rsh_no_tree_spawn", "1"},
        // One session for the ranks of all hosts: Linux may divide the processors among sessions
        // (autogroup), and sched_yield gives way only to the same session's ranks. For Open MPI 5
        // see enter_script.
        {"OMPI_MCA_orte_leave_session_attached", "1"},
        {"OMPI_MCA_oob_tcp_if_include", "ctl0"},
        {"OMPI_MCA_pml", "ob1"},
        {"OMPI_MCA_btl", "tcp,self"},
        {"OMPI_MCA_btl_tcp_if_include", "eth0"},
        {"OMPI_MCA_coll_hcoll_enable", "0"},
        {"OMPI_MCA_mpi_yield_when_idle", "1"},
        {"OMPI_MCA_hwloc_base_binding_policy", "none"},
        // The launcher of Open MPI 5
        {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
        {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"PRTE_MCA_prte_default_hostfile", state_dir + "/openmpi-hosts"},
        {"PRTE_MCA_prte_tmpdir_base", private_dir},
        {"PRTE_MCA_plm_ssh_agent", ssh},
        {"PRTE_MCA_plm_ssh_no_tree_spawn", "1"},
        {"PRTE_MCA_prte_if_include", "ctl0"},
        {"PRTE_MCA_hwloc_default_binding_policy", "none"},
        {"PRTE_MCA_rmaps_default_mapping_policy", "slot"},
        {"PMIX_MCA_ptl_tcp_if_include", "ctl0"},
        // MPICH over UCX
        {"HYDRA_HOST_FILE", state_dir + "/mpich-hosts"},
        {"HYDRA_LAUNCHER", "ssh"},
        {"HYDRA_LAUNCHER_EXEC", ssh},
        {"HYDRA_IFACE", "ctl0"},
        {"MPIR_CVAR_NOLOCAL", "1"},
        {"UCX_TLS", "tcp,self"},
        {"UCX_NET_DEVICES", "eth0"},
    };
    if (!options.clusters.one_rank_per_host())
        share_memory(environment);
    return environment;
}

std::map<std::string, std::string> local_launch_environment() {
    return {
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"OMPI_MCA_mpi_yield_when_idle", "1"},
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        // The launcher of Open MPI 5
        {"PRTE_ALLOW_RUN_AS_ROOT", "1"},
        {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"PRTE_MCA_hwloc_default_binding_policy", "none"},
        {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
    };
}

} // namespace alltold::lab
