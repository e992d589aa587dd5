// SPDX-License-Identifier: BSD-3-Clause
// Lets plain mpirun and mpiexec.mpich use the lab's hosts: a replacement for ssh, host files,
// settings.
#pragma once

#include <map>

#include "lab/network.hpp"

namespace alltold::lab {

/// The lab's /etc/hosts: every host by name, and the head.
std::string hosts_file(const Clusters& clusters);

/// Writes host lists, and how to enter each host, under state_dir.
Status write_launch_files(const LabOptions& options, const Network& made);

/// Why this command cannot start its ranks in the lab and what would be right: Open MPI starts no
/// more ranks on a host than the lab has there, unless told otherwise. Empty where nothing is known
/// to be wrong.
std::string launch_objection(const std::vector<std::string>& command, const Clusters& clusters);

/// Environment variables that the command gets in addition to the caller's.
std::map<std::string, std::string> launch_environment(const LabOptions& options);

/// Variables that mpirun of Open MPI 4 and 5 needs in its environment to start ranks on this
/// machine without a lab: as root too, more of them than processors, and those that wait give way.
std::map<std::string, std::string> local_launch_environment();

} // namespace alltold::lab
