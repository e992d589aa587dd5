// SPDX-License-Identifier: BSD-3-Clause
// One execution of a program on a communicator.
#pragma once

#include "runtime/execute/program.hpp"
#include "runtime/execute/reducer.hpp"

namespace alltold {

/// The memory a run works on, one address per Buffer; a schedule never writes through `send`.
struct Memory {
    const std::byte* send = nullptr;
    std::byte* receive = nullptr;
    std::byte* scratch = nullptr;
    const Reducer* reducer = nullptr; ///< for reductions
    bool exact = false; ///< a message that is shorter than its receive is an error too
};

/// When an operation started and when it was complete, in seconds of the recorder's clock. For a
/// send that is when its bytes may be overwritten.
struct OperationTime {
    double started_s = 0, ended_s = 0;
};

/// Takes the times of a run's operations.
struct OperationRecorder {
    double (*now_s)() = nullptr;
    std::vector<OperationTime> times = {}; ///< by operation, of the last run
};

/// Runs a program once. Keep the object to run it again without allocating.
///
/// A message that is longer than its receive, or shorter where that matters, is MPI_ERR_TRUNCATE,
/// reported only at the end: all other operations still run, because other ranks wait for them.
class Execution {
  public:
    /// Starts it: posts every message that waits for nothing. `comm` carries only our traffic and
    /// returns errors; tags from first_tag to first_tag + program.highest_tag() must be free on it.
    /// `program` and `memory` must outlive the run. Returns an MPI error code.
    int start(const Program& program, const Memory& memory, MPI_Comm comm, int first_tag);
    /// Advances without blocking; sets `done` to whether all operations are complete.
    int test(bool& done);
    /// Blocks until all is complete.
    int wait();
    /// Operations that are not complete yet.
    int left() const { return left_; }
    /// After start(): whether ranks wait for this one's further calls of MPI: messages that it has
    /// not posted yet, or more bytes under way than MPI libraries send without asking.
    bool needs_progress() const;
    /// start and wait in one, the quickest way for a blocking call.
    int run(const Program& program, const Memory& memory, MPI_Comm comm, int first_tag);
    /// From the next run on, records times in `recorder`, which is null or outlives the runs.
    /// Recorded runs do not wait for whole phases, so that each operation has its own end.
    void record(OperationRecorder* recorder) { recorder_ = recorder; }

  private:
    void bind(const Program& program, const Memory& memory, MPI_Comm comm, int first_tag);
    int run_phases();
    int run_one_by_one(int first, const Program::Phase& phase);
    int run_together(int first, const Program::Phase& phase);
    int run_pair(const Operation* out, const Operation* in);
    int wait_for_all();
    int post(const Operation& operation);
    int post_fragment(const Operation& operation, std::byte* at, int bytes,
                      MPI_Request& request) const;
    int perform(const Operation& operation) const;
    void copy(const Operation& operation) const;
    std::byte* address(const Region& region) const;
    MPI_Status* statuses();
    int first_error(int code, int statuses) const;
    int note(int code);
    /// Notes a receive of `bytes` whose message was shorter, where that matters.
    void check_length(int bytes, const MPI_Status& status);
    void check_lengths(int count);
    int perform_ready();
    void sort_ready();
    void complete(int operation);
    int retire(int finished);
    /// Retires the requests that MPI_Testsome or MPI_Waitsome finds finished.
    int advance(decltype(&PMPI_Testsome) some);

    const Program* program_ = nullptr;
    OperationRecorder* recorder_ = nullptr;
    Memory memory_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    int first_tag_ = 0;
    int error_ = MPI_SUCCESS;                  ///< from a message that was too long
    int left_ = 0;                             ///< operations not complete yet
    std::vector<std::int32_t> waiting_;        ///< per operation: earlier ones not complete yet
    std::vector<std::int32_t> fragments_left_; ///< per operation: requests not complete yet
    std::vector<std::int32_t> ready_;   ///< waits for nothing, not performed yet; the next one last
    std::vector<MPI_Request> requests_; ///< active
    std::vector<int> expected_;         ///< bytes of each request's message; -1 where it is sent
    std::vector<std::int32_t> owner_;   ///< the operation of each request
    std::vector<MPI_Status> statuses_;  ///< by request, to find the cause of an error
    std::vector<int> finished_;         ///< where MPI_Testsome and MPI_Waitsome put what is done
};

} // namespace alltold
