// SPDX-License-Identifier: BSD-3-Clause
// The program's run, from its MPI_Init to its MPI_Finalize.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include <mpi.h>

#include "preload/job_memory.hpp"
#include "preload/observer.hpp"
#include "preload/settings.hpp"
#include "preload/shared_channel.hpp"
#include "topology/places.hpp"

namespace alltold::preload {

/// The settings and places on which all ranks of MPI_COMM_WORLD have agreed.
class Job {
  public:
    /// The present one; null before begin() and after end(), and where there is nothing to do.
    static Job* present() { return present_.load(std::memory_order_acquire); }
    /// Inside the program's MPI_Init, after the library's; collective. Rank 0 warns once if for
    /// some reason only the library's own collectives can run.
    static void begin();
    /// Inside the program's MPI_Finalize, before the library's; collective.
    static void end();
    /// Before the library's MPI_Session_finalize. The first process says, once, that nothing of
    /// ours ran if the program has asked for it and not called MPI_Init.
    static void end_session();

    const Settings& settings() const { return settings_; }
    /// The cluster and the host of every rank of `comm`, in numbers of the job; empty: all are in
    /// one cluster, each on its own host. Nothing where a rank is not in MPI_COMM_WORLD. Local.
    std::optional<Places> places_of(MPI_Comm comm) const;

    /// False where no rule names one of ours for so many ranks, wherever they are, and nothing is
    /// observed. Local.
    bool may_concern(int ranks) const;

    /// Null where each communicator has its own.
    const SharedChannel* shared_channel() const { return shared_channel_.get(); }

    /// Null without a site, and where nothing is compared.
    JobMemory* memory() const { return memory_.get(); }

    bool observed() const { return observer_ != nullptr; }
    void observe(const ObservedCall& call);
    void observe(const ObservedBlocks& blocks);

  private:
    Job(Settings settings, Places places, std::unique_ptr<SharedChannel> shared_channel);

    static std::atomic<Job*> present_;
    Settings settings_;
    Places places_; ///< by rank of MPI_COMM_WORLD; empty: one cluster of one rank per host
    std::unique_ptr<SharedChannel> shared_channel_;
    std::unique_ptr<CallObserver> observer_;
    std::unique_ptr<JobMemory> memory_;
    std::mutex observing_;
};

} // namespace alltold::preload
