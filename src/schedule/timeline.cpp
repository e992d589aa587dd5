// SPDX-License-Identifier: BSD-3-Clause
// The unit-cost replay behind drawings, and the naming of what messages carry.
#include "schedule/timeline.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "schedule/matching.hpp"

namespace alltold {
namespace {

/// Assigns steps: operations become ready as those they are after complete.
class Clock {
  public:
    explicit Clock(std::span<const Schedule> schedules)
        : schedules_(schedules), matching_(schedules), waits_for_(sized(matching_.size())),
          is_ready_(waits_for_.size()), step_(waits_for_.size()), followers_(waits_for_.size()),
          sendable_(schedules.size()) {
        [[maybe_unused]] const auto fault = matching_.pair_up();
        assert(!fault);
        for (int rank = 0; rank < ranks(); ++rank)
            for (int step = 0; step < of(rank).size(); ++step) {
                waits_for_[at({rank, step})] = static_cast<int>(of(rank).after(step).size());
                for (const auto earlier : of(rank).after(step))
                    followers_[at({rank, earlier})].push_back(step);
            }
        for (int rank = 0; rank < ranks(); ++rank)
            for (int step = 0; step < of(rank).size(); ++step)
                if (of(rank).after(step).empty())
                    make_ready({rank, step});
    }

    /// Runs to the end; afterwards step_of gives the step of each message.
    void run() {
        for (now_ = 1; pending_ > 0; ++now_) {
            std::vector<Place> arrived;
            for (const auto send : senders_of_step()) {
                arrived.push_back(send);
                step_[at(send)] = now_;
                sendable_[static_cast<std::size_t>(send.rank)].erase(send.step);
            }
            for (const auto send : arrived) {
                --pending_;
                complete(send);
                complete(matching_.partner(send.rank, send.step));
            }
        }
    }
    int step_of(int rank, int step) const { return step_[at({rank, step})]; }

  private:
    static std::size_t sized(int n) { return static_cast<std::size_t>(n); }
    int ranks() const { return static_cast<int>(schedules_.size()); }
    const Schedule& of(int rank) const { return schedules_[static_cast<std::size_t>(rank)]; }
    std::size_t at(Place place) const { return sized(matching_.index(place.rank, place.step)); }

    void make_ready(Place place) {
        const auto& operation = of(place.rank)[place.step];
        is_ready_[at(place)] = 1;
        if (!operation.is_message()) {
            complete(place);
            return;
        }
        const auto partner = matching_.partner(place.rank, place.step);
        if (!is_ready_[at(partner)])
            return;
        const auto sender = operation.is_outgoing() ? place : partner;
        sendable_[static_cast<std::size_t>(sender.rank)].insert(sender.step);
        step_[at(sender)] = now_; // until it is sent, the step in which it became possible
        ++pending_;
    }

    void complete(Place place) {
        for (const auto follower : followers_[at(place)])
            if (--waits_for_[at({place.rank, follower})] == 0)
                make_ready({place.rank, follower});
    }

    /// The sends that get through in this step: each rank's first, one per receiver.
    std::vector<Place> senders_of_step() const {
        std::vector<Place> chosen(schedules_.size());
        const auto priority = [&](Place send) {
            return std::pair(step_[at(send)], matching_.partner(send.rank, send.step).step);
        };
        for (int rank = 0; rank < ranks(); ++rank) {
            const auto& steps = sendable_[static_cast<std::size_t>(rank)];
            if (steps.empty())
                continue;
            const Place send{rank, *steps.begin()};
            const int receiver = of(rank)[send.step].peer;
            auto& best = chosen[static_cast<std::size_t>(receiver)];
            if (best.rank < 0 || priority(send) < priority(best))
                best = send;
        }
        std::erase_if(chosen, [](Place send) { return send.rank < 0; });
        return chosen;
    }

    std::span<const Schedule> schedules_;
    Matching matching_;
    std::vector<int> waits_for_;
    std::vector<char> is_ready_;
    std::vector<int> step_;
    std::vector<std::vector<std::int32_t>> followers_;
    std::vector<std::set<int>> sendable_; ///< per rank: messages both of whose ends are ready
    int pending_ = 0;
    int now_ = 0;
};

/// Neighbouring blocks with one source or one destination.
struct Group {
    Block first, last;
    bool takes(const Block& next) const {
        const bool along_row = next.source == last.source && first.source == last.source &&
                               next.destination == last.destination + 1;
        const bool along_column = next.destination == last.destination &&
                                  first.destination == last.destination &&
                                  next.source == last.source + 1;
        return along_row || along_column;
    }
    std::string text() const {
        const auto range = [](int from, int to) {
            return from == to ? fmt::format("{}", from) : fmt::format("{}..{}", from, to);
        };
        if (first == last)
            return text_of(first);
        return fmt::format("{}->{}", range(first.source, last.source),
                           range(first.destination, last.destination));
    }
};

} // namespace

std::vector<Message> timeline(const Specification& specification,
                              std::span<const Schedule> schedules) {
    std::vector<Transfer> transfers;
    [[maybe_unused]] const auto fault = check(specification, schedules, {}, &transfers);
    assert(!fault);
    Clock clock(schedules);
    clock.run();
    std::vector<Message> messages;
    for (const auto& transfer : transfers) {
        std::uint64_t size = 0;
        for (const auto& run : transfer.runs)
            size += run.size_bytes;
        messages.push_back({clock.step_of(transfer.source, transfer.source_step), transfer.source,
                            transfer.source_step, transfer.destination, transfer.destination_step,
                            size,
                            transfer.combined.empty() ? blocks_text(specification, transfer.runs)
                                                      : transfer.combined});
    }
    std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
        return std::tuple(a.step, a.source, a.source_step) <
               std::tuple(b.step, b.source, b.source_step);
    });
    return messages;
}

std::string blocks_text(const Specification& specification, const std::vector<Run>& runs) {
    std::string text;
    std::vector<Group> groups;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    const auto flush = [&] {
        for (const auto& group : groups)
            add(group.text());
        groups.clear();
    };
    for (auto run : runs)
        while (run.size_bytes > 0) {
            const auto block = specification.block_at(run.address);
            const auto size = traits_of(specification.collective()).reduces
                                  ? specification.contribution_bytes()
                                  : specification.size_bytes(block);
            const auto from = run.address - specification.address_of(block);
            const auto taken = std::min(run.size_bytes, size - from);
            if (taken < size) {
                flush();
                add(fmt::format("{}[{}..{}]", text_of(block), from, from + taken - 1));
            } else if (!groups.empty() && groups.back().takes(block)) {
                groups.back().last = block;
            } else {
                groups.push_back({block, block});
            }
            run.address += taken;
            run.size_bytes -= taken;
        }
    flush();
    return text;
}

} // namespace alltold
