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

/// Lives as long as a call of a blocking collective of the program, whoever runs it. Thread-safe.
class InCollective {
  public:
    struct Total {
        double calls = 0, time_s = 0;
    };

    InCollective() : start_s_(PMPI_Wtime()) {}
    ~InCollective() {
        calls_.fetch_add(1, std::memory_order_relaxed);
        time_s_.fetch_add(PMPI_Wtime() - start_s_, std::memory_order_relaxed);
    }
    InCollective(const InCollective&) = delete;
    InCollective& operator=(const InCollective&) = delete;

    /// The sums over all calls that have ended.
    static Total total() {
        return {calls_.load(std::memory_order_relaxed), time_s_.load(std::memory_order_relaxed)};
    }

  private:
    inline static std::atomic<double> calls_ = 0, time_s_ = 0;
    double start_s_;
};

} // namespace alltold::preload
