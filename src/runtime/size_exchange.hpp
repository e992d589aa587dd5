// SPDX-License-Identifier: BSD-3-Clause
// Ranks telling each other block sizes before an all-to-all-v in which some pass on blocks.
#pragma once

#include <memory>
#include <vector>

#include "runtime/execute/execution.hpp"
#include "schedule/algorithms/size_exchange.hpp"

namespace alltold {

/// What a rank tells and is told before every all-to-all-v of one communicator and algorithm.
struct Talk {
    explicit Talk(SizeExchange what)
        : size_exchange(std::move(what)), program(std::move(size_exchange.schedule)) {}
    SizeExchange size_exchange;
    Program program;
};

/// One such exchange: start, then wait, or test until done, then relayed_bytes.
class Telling {
  public:
    /// The sizes told are those of `shares`. Collective; `comm` and `first_tag` as in
    /// Execution::start. Returns an MPI error code.
    int start(std::shared_ptr<const Talk> talk, const Shares& shares, MPI_Comm comm, int first_tag);
    int test(bool& done) { return execution_.test(done); }
    int wait() { return execution_.wait(); }
    /// What this rank was told: Shares::relayed_bytes.
    std::vector<SizeExchange::Size> relayed_bytes() && { return std::move(told_); }

  private:
    std::shared_ptr<const Talk> talk_;
    std::vector<SizeExchange::Size> telling_, told_;
    Execution execution_;
};

} // namespace alltold
