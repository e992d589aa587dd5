// SPDX-License-Identifier: BSD-3-Clause
// All that one rank's program for a call depends on besides the call, with the exchange of block
// sizes before an all-to-all-v in which ranks pass on blocks of others.
#pragma once

#include "runtime/call.hpp"
#include "schedule/algorithms/size_exchange.hpp"

namespace alltold {

/// The size exchange of one communicator and algorithm, ready to run.
struct SizeExchangeProgram {
    explicit SizeExchangeProgram(SizeExchange what)
        : size_exchange(std::move(what)), program(std::move(size_exchange.schedule)) {}
    SizeExchange size_exchange;
    Program program;
};

/// One run of it: start, then wait, or test until done, then relayed_bytes.
class SizeExchangeRun {
  public:
    /// Sends the sizes in `shares` that others need. Collective; `comm` and `first_tag` as in
    /// Execution::start. Fails as MPI does, as the others do.
    Status start(std::shared_ptr<const SizeExchangeProgram> exchange, const Shares& shares,
                 MPI_Comm comm, int first_tag);
    Result<bool> test();
    Status wait();
    /// The sizes that this rank received: Shares::relayed_bytes.
    std::vector<SizeExchange::Size> relayed_bytes() && { return std::move(received_); }

  private:
    std::shared_ptr<const SizeExchangeProgram> exchange_;
    std::vector<SizeExchange::Size> sent_, received_;
    Execution execution_;
};

/// The ranks and tags of a communicator on a larger one that carries its messages. Each rank has,
/// for each of its communicators, tags of its own, with which the others send to it. So the ranks
/// of a communicator need not agree on tags.
struct Routes {
    struct Peer {
        int rank = 0;      ///< on the larger communicator
        int first_tag = 0; ///< with which it receives
    };
    std::vector<Peer> peers; ///< by rank of schedules
    int tags_per_call = 0;
};

/// An algorithm on a communicator. Outlives changes of the communicator's choice, as a nonblocking
/// call under way must.
struct Recipe {
    Choice choice; ///< one of ours, with all its parameters
    int rank = 0;  ///< in schedules
    int ranks = 1;
    int tags = 0;                                   ///< per call
    std::shared_ptr<const Routes> routes = nullptr; ///< null: messages go to the schedule's ranks

    /// Fails when the algorithm does not accept the call, or the schedule needs more tags.
    Result<std::shared_ptr<const Program>> program_for(const Shape& shape) const;
    /// The exchange of sizes before an all-to-all-v whose algorithm has `passes_on`. Fails
    /// when the algorithm does not accept the call.
    Result<std::shared_ptr<const SizeExchangeProgram>>
    size_exchange_before(const Shape& shape) const;

  private:
    Task task_of(const Shape& shape) const;
    Status accepts_call(const Shape& shape) const;
};

} // namespace alltold
