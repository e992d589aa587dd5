// SPDX-License-Identifier: BSD-3-Clause
// Rounds of one signal each way, as barriers have them.
#pragma once

#include "schedule/builder.hpp"

namespace alltold {

/// Each round waits for both signals of the previous one. A rank need not wait for the signal that
/// it sends, but this costs nothing, because a signal leaves at once, and the executor runs such
/// rounds with blocking calls, which are fastest.
class SignalRounds {
  public:
    explicit SignalRounds(Builder& builder) : builder_(builder) {}

    void add(int to, int from) {
        const auto before = this->before();
        signalled_ = builder_.signal(to, {before});
        heard_ = builder_.await(from, {before});
    }
    /// Half a round.
    void await(int from) { heard_ = builder_.await(from, {before()}); }
    void signal(int to) { signalled_ = builder_.signal(to, {before()}); }

  private:
    /// A step after the last round; no_step before the first.
    Step before() {
        return signalled_ == no_step && heard_ == no_step ? no_step
                                                          : builder_.join({signalled_, heard_});
    }

    Builder& builder_;
    Step signalled_ = no_step, heard_ = no_step;
};

} // namespace alltold
