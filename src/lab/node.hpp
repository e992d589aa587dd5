// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a lab: hosts, switch and routers, each a sleeping process that holds its namespaces.
#pragma once

#include <string>

#include <sys/types.h>

#include "lab/process.hpp"

namespace alltold::lab {

struct Node {
    std::string name;
    pid_t pid = -1;
    Fd network; ///< its network namespace
};

/// Forks the process that holds a host: own network, hostname, shared memory and /dev/shm.
Result<Node> make_host(const std::string& name);
/// The same with a network namespace only, for switch and routers.
Result<Node> make_network_node(const std::string& name);

/// Prepares the namespaces of the lab itself, from its first process: /proc, private_dir,
/// state_dir, and `hosts_file` over /etc/hosts.
Status make_private_mounts(const std::string& hosts_file);

/// Switches IPv6 off and TCP's memory of earlier connections, in the network namespace of the
/// caller.
Status set_network_habits(bool forwards);

/// The congestion control a lab uses when none is asked for: Linux's own default "cubic", or "reno"
/// in a kernel built without it.
std::string usual_tcp();

/// Environment error, naming those it has, when this kernel has no congestion control `tcp`. To be
/// asked in a network namespace the caller rules; loads the module where the caller may.
Status check_tcp(const std::string& tcp);

} // namespace alltold::lab
