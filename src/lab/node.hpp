// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a lab: hosts and switches, each a sleeping process that holds its namespaces.
#pragma once

#include "lab/process.hpp"

namespace alltold::lab {

struct Node {
    std::string name;
    pid_t pid = -1;
    Fd network; ///< its network namespace
};

/// Forks the process that holds a host: own network, hostname, shared memory and /dev/shm.
Result<Node> make_host(const std::string& name);
/// A node with a network namespace only, for the switches.
Result<Node> make_network_node(const std::string& name);

/// Prepares the namespaces of the lab itself, from its first process: /proc, private_dir,
/// state_dir, and `hosts_file` over /etc/hosts.
Status make_private_mounts(const std::string& hosts_file);

/// Turns off IPv6 and TCP's cached metrics in the caller's network namespace.
Status set_network_habits();

/// The default congestion control of a lab: "cubic", or "reno" if the kernel has no cubic.
std::string usual_tcp();

/// Fails and lists the available ones if this kernel has no congestion control `tcp` (environment).
/// Call it in a network namespace that the caller controls; loads the module if permitted.
Status check_tcp(const std::string& tcp);

} // namespace alltold::lab
