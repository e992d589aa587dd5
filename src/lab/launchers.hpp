// SPDX-License-Identifier: BSD-3-Clause
// Makes plain mpirun and mpiexec.mpich span the hosts: an ssh of the lab's own, host files,
// settings.
#pragma once

#include <map>
#include <string>

#include "lab/network.hpp"
#include "lab/options.hpp"

namespace alltold::lab {

/// The lab's /etc/hosts: every host by name, and the head.
std::string hosts_file(const Clusters& clusters);

/// Writes host lists and the way into each host under state_dir.
Status write_launch_files(const LabOptions& options, const Network& made);

/// Environment variables the command gets on top of the caller's.
std::map<std::string, std::string> launch_environment(const LabOptions& options);

} // namespace alltold::lab
