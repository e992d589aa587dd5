// SPDX-License-Identifier: BSD-3-Clause
// The simulator's queue of events.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace alltold::simulate {

/// Kinds of events. At the same instant, lower numbers come first, so that everything that becomes
/// ready at an instant is known before a rank decides what to send next.
enum class What : std::int32_t {
    left,           ///< the bytes of a send have left, or are buffered
    delivered,      ///< a message has arrived
    copied,         ///< a copy is done
    acknowledged,   ///< the sender knows that its message was received
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
};

/// Events ordered by time, kind and index: a simulation does not depend on the order of insertion.
/// A heap of its own, because most events lead to one other: that takes the place of the last one
/// taken, which costs two thirds of what std::pop_heap and std::push_heap do.
class Agenda {
  public:
    void add(double time_s, What what, std::int32_t index) {
        assert(time_s >= now_s_);
        const auto number = number_of({time_s, what, index});
        if (top_is_taken_) {
            put_below_top(number);
            return;
        }
        auto place = events_.size();
        events_.push_back(number);
        for (; place > 0 && number < events_[(place - 1) / 2]; place = (place - 1) / 2)
            events_[place] = events_[(place - 1) / 2];
        events_[place] = number;
    }
    bool empty() const { return events_.size() == (top_is_taken_ ? 1 : 0); }
    Event next() {
        assert(!empty());
        if (top_is_taken_) {
            const auto last = events_.back();
            events_.pop_back();
            put_below_top(last);
        }
        top_is_taken_ = true;
        const auto event = event_of(events_.front());
        now_s_ = event.time_s;
        return event;
    }

  private:
    /// An event as one number, in whose order events come: comparing three fields in turn takes
    /// half as long again, and a simulation does little else.
    __extension__ using Number = unsigned __int128;

    /// Times of 0 and more are in the order of their bits.
    static Number number_of(const Event& event) {
        return Number{std::bit_cast<std::uint64_t>(event.time_s)} << 64 |
               Number{static_cast<std::uint32_t>(event.what)} << 32 |
               Number{static_cast<std::uint32_t>(event.index)};
    }
    static Event event_of(Number number) {
        return {std::bit_cast<double>(static_cast<std::uint64_t>(number >> 64)),
                static_cast<What>(static_cast<std::uint32_t>(number >> 32)),
                static_cast<std::int32_t>(static_cast<std::uint32_t>(number))};
    }

    /// Fills the top, from which earlier events move up.
    void put_below_top(Number number) {
        std::size_t place = 0;
        for (auto below = 2 * place + 1; below < events_.size(); below = 2 * place + 1) {
            if (below + 1 < events_.size() && events_[below + 1] < events_[below])
                ++below;
            if (number <= events_[below])
                break;
            events_[place] = events_[below];
            place = below;
        }
        events_[place] = number;
        top_is_taken_ = false;
    }

    std::vector<Number> events_; ///< a heap, the first event on top
    bool top_is_taken_ = false;
    double now_s_ = 0;
};

} // namespace alltold::simulate
