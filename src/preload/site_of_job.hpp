// SPDX-License-Identifier: BSD-3-Clause
// The knowledge of site folders about this job's network.
#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"
#include "runtime/mpi/broadcast_text.hpp"

namespace alltold::preload {

/// A site's network that names the job's hosts, and its profile.
struct SiteOfJob {
    mpi::NamedText profile;   ///< without a name where there is none: usual trials run
    mpi::NamedText hosts;     ///< the network's file of them
    mpi::NamedText learned;   ///< lines of earlier jobs with this MPI library, and their file
    std::string library;      ///< LibraryVersion::text() of this MPI library
    bool trials_only = false; ///< the profile is of another MPI library
};

/// Rank 0 alone looks in the folders, so they need not look alike to other ranks, and says what it
/// found where: a profile of another MPI library or version always, else where ALLTOLD_LOG asks;
/// that none names the hosts where ALLTOLD_SITE is set too. Nothing where no network names all
/// hosts. Collective over MPI_COMM_WORLD: the names of hosts and the texts. Fails alike on all
/// ranks, naming the file, where one of them is wrong.
Result<std::optional<SiteOfJob>> site_of_job();

} // namespace alltold::preload
