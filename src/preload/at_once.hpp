// SPDX-License-Identifier: BSD-3-Clause
// Which calls need no progress of ours once started.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// One for each communicator, whose rules do not change.
class AtOnce {
  public:
    /// Whether every rank can post all messages of a call of this shape when it starts it, since
    /// none waits for another. The same on every rank: looks at the schedules of all, up to 128
    /// ranks, once per shape. Not for all-to-all-v, of which no rank knows the schedules of the
    /// others. Fails as CommunicatorState::recipe_for.
    Result<bool> possible(CommunicatorState& mine, const Shape& shape);

  private:
    /// Size, root, and the Reduction.
    using Key = std::tuple<Collective, std::uint64_t, int, std::uint64_t, bool>;
    std::map<Key, bool> known_;
};

} // namespace alltold::preload
