// SPDX-License-Identifier: BSD-3-Clause
// Messages in both directions with a window on those in flight.
#pragma once

#include "schedule/builder.hpp"

namespace alltold {

/// The last `window` messages in one direction; 0 is no limit.
class Recent {
  public:
    explicit Recent(int window) : steps_(static_cast<std::size_t>(window), no_step) {}
    /// The message `window` places back; no_step if there is none or no limit.
    Step oldest() const { return steps_.empty() ? no_step : steps_[next_]; }
    void push(Step step) {
        if (step == no_step || steps_.empty())
            return;
        steps_[next_] = step;
        next_ = next_ + 1 == steps_.size() ? 0 : next_ + 1;
    }

  private:
    std::vector<Step> steps_;
    std::size_t next_ = 0;
};

/// Messages of which at most `window` are in flight in each direction; 0 is no limit. Sends wait
/// for receives, so that no rank runs ahead of its senders and two senders share a port for at most
/// a window. An acknowledgement would give the same order but later, since it queues behind data.
class Stream {
  public:
    /// A window of no less than `messages`, all there are, is no limit.
    Stream(Builder& builder, int window, std::uint64_t messages)
        : builder_(builder), sent_(limiting(window, messages)),
          received_(limiting(window, messages)) {}

    Step send(const Region& segment, int to) {
        const auto sent = builder_.send(segment, to, {sent_.oldest(), received_.oldest()});
        sent_.push(sent);
        return sent;
    }
    Step receive(const Region& segment, int from) {
        const auto received = builder_.receive(segment, from, {received_.oldest()});
        received_.push(received);
        return received;
    }

  private:
    static int limiting(int window, std::uint64_t messages) {
        return static_cast<std::uint64_t>(window) < messages ? window : 0;
    }

    Builder& builder_;
    Recent sent_, received_;
};

} // namespace alltold
