// SPDX-License-Identifier: BSD-3-Clause
// Runs one candidate, once or in a loop, with work of the ranks between its calls, and traces it.
#pragma once

#include "campaign/engine/clock.hpp"
#include "campaign/run/pattern.hpp"
#include "core/random.hpp"
#include "runtime/communicator_state.hpp"
#include "runtime/mpi/forcing.hpp"
#include "store/call_trace.hpp"

namespace alltold::campaign {

/// Work of each rank between the calls of a loop; by default none.
struct BetweenCalls {
    double work_s = 0;        ///< how long it computes, outside MPI
    bool exponential = false; ///< work_s is the mean of what each rank draws for itself
    bool sync = false;        ///< an allreduce of 8 B by the MPI library follows each call
    std::uint64_t seed = 1;   ///< of what ranks draw

    /// "3 ms of work, exponential, and an allreduce of 8 B after each call"; empty for nothing.
    std::string text() const;
};

/// The computations of one rank.
class Work {
  public:
    Work(const BetweenCalls& between, int rank);
    /// Computes for the next while, by `clock`.
    void run(const Clock& clock);
    /// How long that is, in seconds.
    double draw_s();

  private:
    BetweenCalls between_;
    Random random_;
};

/// The calls of one loop on `ranks` ranks: 16 for each rank, fewer if a call takes `time_s` and
/// they would take over 0.5 s, but at least 4. `time_s` is 0 if not known; then 4.
int calls_of_loop(double time_s, int ranks);

/// An algorithm ready to run: its schedules stay cached.
class Runner {
  public:
    /// Runs `collective` alone on `over`, which must outlive it and carry nothing else meanwhile;
    /// its ranks are in the order of `clusters`. Communicates only for an algorithm of the library,
    /// which may need a duplicate: over wide-area links communicators take as long as dozens of
    /// short calls. Fails when the algorithm does not accept it, and for a library algorithm that
    /// the library cannot be forced to use.
    static Result<Runner> make(const mpi::ManagedCommunicator& over, const Choice& choice,
                               Collective collective, const Clusters& clusters);

    /// Makes the schedule of `specification`, so that it need not be made while the clock runs.
    /// Local, but collective for an all-to-all-v in which ranks pass on blocks of others
    /// (SizeExchange). Fails when there is none.
    Status prepare(const Specification& specification, const Buffers& buffers) const;
    /// Runs the collective once. Collective.
    Status run(const Specification& specification, const Buffers& buffers) const;
    /// The program that run() executes, for an algorithm of ours. Collective and fails in the same
    /// cases as prepare.
    Result<std::shared_ptr<const Program>> program(const Specification& specification,
                                                   const Buffers& buffers) const;
    /// From now on tells `recorder` of the operations of an algorithm of ours; null: no more.
    void record(OperationRecorder* recorder) const;
    /// Runs MPI_Barrier, then the collective. Returns the seconds that this rank spends in the
    /// collective itself. Collective.
    Result<double> run_after_barrier(const Specification& specification, const Buffers& buffers,
                                     const Clock& clock) const;
    /// Runs the collective `calls` times, each time followed by what `between` says. Collective.
    Status run_loop(int calls, const BetweenCalls& between, const Specification& specification,
                    const Buffers& buffers, const Clock& clock) const;

  private:
    explicit Runner(const mpi::ManagedCommunicator& over)
        : over_(over.lent()), library_over_(over.lent()) {}
    Status run_library(const Specification& specification, const Buffers& buffers) const;

    mpi::ManagedCommunicator over_; ///< lent
    /// `over_`, or a duplicate that keeps what the library was forced to. What precedes a call is
    /// not forced: a barrier that ranks leave as they left the one before is quicker.
    mpi::ManagedCommunicator library_over_;
    std::unique_ptr<CommunicatorState> ours_; ///< of an algorithm of ours, else null
    /// The library's algorithm if it must be named at every call, else null.
    std::unique_ptr<mpi::Forcing> forcing_;
};

/// The operations of all ranks of `over` by rank, in seconds since the first of them started; empty
/// on other ranks than 0. `program` is what `recorder` recorded. Collective over `over`.
Result<std::vector<std::vector<TracedOperation>>> gather_trace(const mpi::ManagedCommunicator& over,
                                                               const Program& program,
                                                               const OperationRecorder& recorder,
                                                               const GlobalClock& clock);

} // namespace alltold::campaign
