// SPDX-License-Identifier: BSD-3-Clause
// All that one rank's program for a call depends on besides the call.
#pragma once

#include <memory>

#include "predict/choice/choice.hpp"
#include "runtime/call.hpp"
#include "runtime/execute/program.hpp"
#include "runtime/routes.hpp"
#include "runtime/size_exchange.hpp"

namespace alltold {

/// An algorithm on a communicator. Outlives changes of the communicator's choice, as a nonblocking
/// call under way must.
struct Recipe {
    Choice choice; ///< one of ours, with all its parameters
    int rank = 0;  ///< in schedules
    int ranks = 1;
    int tags = 0;                                   ///< of one call
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
