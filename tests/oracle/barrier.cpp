// SPDX-License-Identifier: BSD-3-Clause
// Barriers: no rank leaves before all have entered, as a counter in shared memory tells.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "cases.hpp"

namespace oracle {
namespace {

/// Counts the ranks that have entered any barrier so far.
class Entries {
  public:
    explicit Entries(const World& world) {
        int* own = nullptr;
        MPI_Win_allocate_shared(world.rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL,
                                world.comm, &own, &window_);
        MPI_Aint size_bytes = 0;
        int unit_bytes = 0;
        MPI_Win_shared_query(window_, 0, &size_bytes, &unit_bytes, &count_);
        if (world.rank == 0)
            *count_ = 0;
        MPI_Barrier(world.comm);
    }
    ~Entries() { MPI_Win_free(&window_); }
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;

    void enter() { std::atomic_ref(*count_).fetch_add(1); }
    int count() const { return std::atomic_ref(*count_).load(); }

  private:
    MPI_Win window_ = MPI_WIN_NULL;
    int* count_ = nullptr;
};

/// Gives a barrier that waits for too few ranks the time to end too early.
void be_late() {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

} // namespace

void barrier_cases(const World& world) {
    Entries entries(world);
    int entered = 0; // by every rank that may be through
    for (int late = 0; late < world.size; ++late)
        for (const bool blocking : {true, false}) {
            if (world.rank == late)
                be_late();
            entries.enter();
            entered += world.size;
            alltold_request request = ALLTOLD_REQUEST_NULL;
            const int code = blocking
                                 ? alltold_barrier(world.comm)
                                 : finish(alltold_ibarrier(world.comm, &request), &request, late);
            expect(code == MPI_SUCCESS && entries.count() >= entered, world, "barrier");
        }
    // Several under way at once, and ended in the other order.
    std::vector<alltold_request> requests(5, ALLTOLD_REQUEST_NULL);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        entries.enter();
        alltold_ibarrier(world.comm, &requests[i]);
    }
    entered += world.size * static_cast<int>(requests.size());
    expect(alltold_wait(&requests.back()) == MPI_SUCCESS && entries.count() >= entered, world,
           "the last of five barriers");
    for (auto& request : requests)
        expect(alltold_wait(&request) == MPI_SUCCESS, world, "barriers under way at once");
    MPI_Barrier(world.comm); // before the counter goes away
}

} // namespace oracle
