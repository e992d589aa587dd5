// SPDX-License-Identifier: BSD-3-Clause
// The simulator's queue of events.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <vector>

namespace alltold::simulate {

/// Kinds of events. At the same instant, lower numbers come first, so that everything that becomes
/// ready at an instant is known before a rank decides what to send next.
enum class What : std::int32_t {
    left,           ///< the bytes of a send have left
    delivered,      ///< a message has arrived
    copied,         ///< a copy is done
    handshake_done, ///< the handshake of a send is over
    started,        ///< the operation's rank has started, and the operation waits for no other
    network,        ///< the first of the network's own events, see below
    wake = 99,      ///< a rank may begin its next send; the index is the rank
};

/// The network's own event number `k`.
constexpr What network_event(int k) {
    return static_cast<What>(static_cast<int>(What::network) + k);
}

struct Event {
    double time_s = 0;
    What what = What::left;
    std::int32_t index = 0; ///< the send or copy concerned

    bool operator>(const Event& other) const {
        if (time_s != other.time_s)
            return time_s > other.time_s;
        return what != other.what ? what > other.what : index > other.index;
    }
};

/// Events ordered by time, kind and index: a simulation does not depend on the order of insertion.
class Agenda {
  public:
    void add(double time_s, What what, std::int32_t index) {
        assert(time_s >= now_s_);
        events_.push_back({time_s, what, index});
        std::push_heap(events_.begin(), events_.end(), std::greater<>());
    }
    bool empty() const { return events_.empty(); }
    Event next() {
        std::pop_heap(events_.begin(), events_.end(), std::greater<>());
        const auto event = events_.back();
        events_.pop_back();
        now_s_ = event.time_s;
        return event;
    }

  private:
    std::vector<Event> events_;
    double now_s_ = 0;
};

} // namespace alltold::simulate
