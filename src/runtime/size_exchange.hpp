// SPDX-License-Identifier: BSD-3-Clause
// The exchange of block sizes before an all-to-all-v in which ranks pass on blocks of others.
#pragma once

#include <memory>
#include <vector>

#include "runtime/execute/execution.hpp"
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

} // namespace alltold
