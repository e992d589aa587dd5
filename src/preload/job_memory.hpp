// SPDX-License-Identifier: BSD-3-Clause
// Results of earlier jobs on a site's network, and what this one adds.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "preload/site_of_job.hpp"
#include "site/learned.hpp"

namespace alltold::preload {

class JobMemory {
  public:
    explicit JobMemory(const SiteOfJob& site);

    /// The result of earlier jobs for calls of this shape.
    struct Earlier {
        const site::LearnedShape* shape = nullptr; ///< null: nothing
        bool same_layout = false;                  ///< else one like it
    };
    Earlier find(Collective collective, std::uint64_t size_bytes, const Clusters& layout) const;

    /// Adds what one of this process's communicators showed; `shape` lacks library, version and
    /// time. Thread-safe.
    void add(site::LearnedShape shape);
    /// Rank 0 appends what all ranks added to the site's file, and says in one line where it
    /// cannot. Collective over MPI_COMM_WORLD, inside MPI_Finalize.
    void give_back();

  private:
    std::string file_, library_;
    site::Learned earlier_;
    std::mutex adding_;
    site::Learned mine_;
};

} // namespace alltold::preload
