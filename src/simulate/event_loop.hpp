// SPDX-License-Identifier: BSD-3-Clause
// The engine: simulates the operations of all ranks on a network, event by event.
#pragma once

#include <bit>
#include <concepts>

#include "simulate/event_graph.hpp"
#include "simulate/times.hpp"

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

/// The functions that a network model must provide; a new model is one class.
template <typename Network>
concept IsNetwork = requires(Network network, Agenda& agenda, std::int32_t send, double now_s,
                             const Event& event, Times& times) {
    /// Begins `send` now: adds What::left and whatever leads to What::delivered to the agenda.
    /// Returns the instant from which the same rank may begin another one.
    { network.begin(agenda, send, now_s) } -> std::same_as<double>;
    /// Handles one of the network's own events.
    {network.handle(agenda, event)};
    /// Whether `send` needs no handshake: if it is synchronous, the receiver's acknowledgement
    /// takes half of one.
    { network.is_eager(send) } -> std::same_as<bool>;
    /// The time of the handshake before `send`.
    { network.handshake_s(send) } -> std::same_as<double>;
    /// Adds the statistics of its queues.
    {network.report(times)};
};

/// One simulation. Operations start when those they are after are complete; a rank begins its sends
/// in the order in which they become ready, at one instant in the order of the schedule.
template <IsNetwork Network>
class EventLoop {
  public:
    EventLoop(const EventGraph& graph, Network& network, const Options& options)
        : graph_(graph), network_(network), options_(options), lines_(sized(graph.ranks())),
          states_(sized(graph.size())) {
        times_.finish_s.resize(lines_.size());
        if (options.operations)
            times_.ended_s.resize(states_.size());
        for (std::int32_t i = 0; i < graph.size(); ++i)
            states_[sized(i)].waits_for = graph[i].waits_for;
    }

    /// Fails, naming a rank and its operation, when operations wait for each other.
    Result<Times> run() {
        for (std::int32_t i = 0; i < graph_.size(); ++i)
            if (graph_[i].waits_for == 0) {
                if (options_.starts_s.empty())
                    now_ready(i, 0);
                else
                    agenda_.add(options_.starts_s[sized(graph_[i].rank)], What::started, i);
            }
        while (!agenda_.empty())
            handle(agenda_.next());
        if (complete_ < graph_.size())
            return bad_input(stuck());
        times_.time_s = *std::max_element(times_.finish_s.begin(), times_.finish_s.end());
        network_.report(times_);
        return std::move(times_);
    }

  private:
    struct State {
        std::int32_t waits_for = 0;
        bool ready = false;
        bool arrived = false; ///< of a receive: the message is here
        bool complete = false;
    };
    /// A rank's sends that are ready, and its combinations.
    struct Line {
        struct Entry {
            double ready_s;
            std::int32_t send;
            bool operator>(const Entry& other) const {
                return ready_s != other.ready_s ? ready_s > other.ready_s : send > other.send;
            }
        };
        std::vector<Entry> ready; ///< a heap, the first one on top
        bool awake = false;       ///< a wake is on the agenda
        double free_s = 0;
        double combined_s = 0; ///< when its processor has done all combinations begun so far
    };
    template <typename T>
    static std::size_t sized(T i) {
        return static_cast<std::size_t>(i);
    }
    State& state(std::int32_t i) { return states_[sized(i)]; }

    void handle(const Event& event) {
        switch (event.what) {
        case What::left:
            if (!awaits_acknowledgement(event.index))
                completed(event.index, event.time_s);
            break;
        case What::acknowledged:
        case What::copied:
            completed(event.index, event.time_s);
            break;
        case What::delivered:
            arrived(graph_[event.index].partner, event.time_s);
            break;
        case What::handshake_done:
            line_up(event.index, event.time_s);
            break;
        case What::started:
            now_ready(event.index, event.time_s);
            break;
        case What::wake:
            begin_next(event.index, event.time_s);
            break;
        default:
            network_.handle(agenda_, event);
        }
    }

    void now_ready(std::int32_t i, double now_s) {
        const auto& node = graph_[i];
        state(i).ready = true;
        if (node.is_outgoing()) {
            if (!needs_handshake(i))
                line_up(i, now_s);
            else if (state(node.partner).ready)
                agenda_.add(now_s + network_.handshake_s(i), What::handshake_done, i);
        } else if (node.is_incoming()) {
            const auto send = node.partner;
            if (state(i).arrived)
                completed(i, now_s);
            else if (state(send).ready && needs_handshake(send))
                agenda_.add(now_s + network_.handshake_s(send), What::handshake_done, send);
        } else if (node.ends_call && options_.work_s > 0) {
            agenda_.add(now_s + options_.work_s, What::copied, i);
        } else if (node.kind == Kind::copy && options_.copy.time_s(1) > 0) {
            const double bytes = static_cast<double>(node.size_bytes);
            agenda_.add(now_s + options_.copy.time_s(bytes), What::copied, i);
        } else if (node.kind == Kind::combine && options_.combine_s_per_byte > 0) {
            auto& free_s = lines_[sized(node.rank)].combined_s;
            free_s = std::max(now_s, free_s) +
                     static_cast<double>(node.size_bytes) * options_.combine_s_per_byte;
            agenda_.add(free_s, What::copied, i);
        } else {
            completed(i, now_s);
        }
    }

    bool awaits_acknowledgement(std::int32_t send) const {
        return graph_[send].synchronous && network_.is_eager(send);
    }
    bool needs_handshake(std::int32_t send) const {
        return (graph_[send].synchronous && !network_.is_eager(send)) ||
               graph_[send].size_bytes > options_.eager_limit_bytes;
    }

    void arrived(std::int32_t receive, double now_s) {
        state(receive).arrived = true;
        if (state(receive).ready)
            completed(receive, now_s);
    }

    /// Without recursion: chains of copies and joins may be long.
    void completed(std::int32_t i, double now_s) {
        completed_.push_back(i);
        if (completed_.size() > 1)
            return; // the outer call's loop below handles it
        for (std::size_t next = 0; next < completed_.size(); ++next) {
            const auto one = completed_[next];
            auto& finish_s = times_.finish_s[sized(graph_[one].rank)];
            finish_s = std::max(finish_s, now_s);
            state(one).complete = true;
            if (options_.operations)
                times_.ended_s[sized(one)] = now_s;
            ++complete_;
            if (graph_[one].kind == Kind::receive && awaits_acknowledgement(graph_[one].partner))
                agenda_.add(now_s + network_.handshake_s(graph_[one].partner) / 2,
                            What::acknowledged, graph_[one].partner);
            for (const auto follower : graph_.followers(one))
                if (--state(follower).waits_for == 0)
                    now_ready(follower, now_s);
        }
        completed_.clear();
    }

    void line_up(std::int32_t send, double now_s) {
        const auto rank = graph_[send].rank;
        auto& line = lines_[sized(rank)];
        line.ready.push_back({now_s, send});
        std::push_heap(line.ready.begin(), line.ready.end(), std::greater<>());
        if (!line.awake)
            agenda_.add(std::max(now_s, line.free_s), What::wake, rank);
        line.awake = true;
    }

    void begin_next(std::int32_t rank, double now_s) {
        auto& line = lines_[sized(rank)];
        std::pop_heap(line.ready.begin(), line.ready.end(), std::greater<>());
        const auto send = line.ready.back().send;
        line.ready.pop_back();
        line.free_s = network_.begin(agenda_, send, now_s);
        line.awake = !line.ready.empty();
        if (line.awake)
            agenda_.add(line.free_s, What::wake, rank);
    }

    std::string stuck() const {
        for (std::int32_t i = 0; i < graph_.size(); ++i)
            if (states_[sized(i)].ready && !states_[sized(i)].complete)
                return graph_.text_of(i) + " waits for ever for " +
                       graph_.text_of(graph_[i].partner);
        assert(false && "edges point backwards, so some operation is ready");
        return {};
    }

    const EventGraph& graph_;
    Network& network_;
    const Options& options_;
    Agenda agenda_;
    std::vector<Line> lines_;
    std::vector<State> states_;
    std::vector<std::int32_t> completed_; ///< at this instant, with followers not yet processed
    int complete_ = 0;
    Times times_;
};

} // namespace alltold::simulate
