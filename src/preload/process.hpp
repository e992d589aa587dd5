// SPDX-License-Identifier: BSD-3-Clause
// Which rank this process is, and its time in collectives.
#pragma once

#include <atomic>
#include <vector>

#include <mpi.h>

namespace alltold::preload {

/// This process's rank in MPI_COMM_WORLD, and its size, between MPI_Init and MPI_Finalize.
int world_rank();
int world_size();
/// The rank in MPI_COMM_WORLD of every rank of `comm`; MPI_UNDEFINED for one outside it. Local.
std::vector<int> world_ranks(MPI_Comm comm);

/// Lives as long as a call of a blocking collective of the program, whoever runs it. Costs next to
/// nothing while nobody wants the sums. Thread-safe.
class InCollective {
  public:
    struct Total {
        double calls = 0, time_s = 0;
    };
    /// While one lives, calls are counted and timed. One that began before counts, with no time.
    class Wanted {
      public:
        Wanted() { wanted_.fetch_add(1, std::memory_order_relaxed); }
        ~Wanted() { wanted_.fetch_sub(1, std::memory_order_relaxed); }
        Wanted(const Wanted&) = delete;
        Wanted& operator=(const Wanted&) = delete;
    };

    InCollective() : start_s_(is_wanted() ? PMPI_Wtime() : 0) {}
    ~InCollective() {
        if (!is_wanted())
            return;
        calls_.fetch_add(1, std::memory_order_relaxed);
        if (start_s_ > 0)
            time_s_.fetch_add(PMPI_Wtime() - start_s_, std::memory_order_relaxed);
    }
    InCollective(const InCollective&) = delete;
    InCollective& operator=(const InCollective&) = delete;

    /// The sums over all calls that have ended while they were wanted.
    static Total total() {
        return {calls_.load(std::memory_order_relaxed), time_s_.load(std::memory_order_relaxed)};
    }

  private:
    static bool is_wanted() { return wanted_.load(std::memory_order_relaxed) > 0; }

    inline static std::atomic<int> wanted_ = 0;
    inline static std::atomic<double> calls_ = 0, time_s_ = 0;
    double start_s_;
};

} // namespace alltold::preload
