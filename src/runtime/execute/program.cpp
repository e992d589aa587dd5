// SPDX-License-Identifier: BSD-3-Clause
// Turning a schedule's edges forwards, finding out whether it is a row of phases, and the order in
// which operations that are ready together start.
#include "runtime/execute/program.hpp"

#include <algorithm>
#include <numeric>

namespace alltold {

Program::Program(Schedule schedule) : schedule_(std::move(schedule)) {
    turn_edges();
    find_phases();
    find_order();
    for (const auto& operation : schedule_.operations())
        highest_tag_ = std::max(highest_tag_, static_cast<int>(operation.tag));
}

void Program::turn_edges() {
    const auto count = static_cast<std::size_t>(size());
    waiting_.assign(count, 0);
    first_next_.assign(count + 1, 0);
    for (int i = 0; i < size(); ++i) {
        waiting_[static_cast<std::size_t>(i)] =
            static_cast<std::int32_t>(schedule_.after(i).size());
        for (const auto earlier : schedule_.after(i))
            ++first_next_[static_cast<std::size_t>(earlier) + 1];
    }
    for (std::size_t i = 0; i < count; ++i)
        first_next_[i + 1] += first_next_[i];
    next_.resize(static_cast<std::size_t>(first_next_[count]));
    auto at = first_next_;
    for (int i = 0; i < size(); ++i)
        for (const auto earlier : schedule_.after(i))
            next_[static_cast<std::size_t>(at[static_cast<std::size_t>(earlier)]++)] = i;
}

// Operations run in order, and only messages take time. An operation that waits for a message of
// the open phase opens the next one. Running phase by phase makes every message wait for all
// messages of the phase before; where the schedule does not ask for that itself it could deadlock,
// and is refused.
void Program::Phase::add(std::int32_t i, const Operation& operation) {
    local += operation.is_local();
    if (!operation.is_message())
        return;
    ++(operation.is_outgoing() ? outgoing : incoming);
    (operation.is_outgoing() ? last_outgoing : last_incoming) = i;
}

void Program::find_phases() {
    const auto operations = schedule_.operations();
    std::vector<std::int32_t> phase_of(operations.size(), 0);
    std::vector<char> covers(operations.size(), 0); ///< is after all messages of the phase before
    std::vector<std::int32_t> seen(operations.size(), -1);
    std::vector<Phase> phases(1);
    for (int i = 0; i < size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const auto message_of = [&](std::int32_t earlier, std::int64_t phase) {
            const auto from = static_cast<std::size_t>(earlier);
            return operations[from].is_message() && phase_of[from] == phase;
        };
        const auto open = std::ssize(phases) - 1;
        if (std::ranges::any_of(schedule_.after(i),
                                [&](auto earlier) { return message_of(earlier, open); })) {
            phases.back().end = i;
            phases.emplace_back();
        }
        const auto mine = std::ssize(phases) - 1;
        phase_of[at] = static_cast<std::int32_t>(mine);
        std::int32_t covered = 0;
        for (const auto earlier : schedule_.after(i)) {
            const auto from = static_cast<std::size_t>(earlier);
            if (std::exchange(seen[from], i) == i)
                continue;
            covered += message_of(earlier, mine - 1);
            covers[at] |= !operations[from].is_message() && phase_of[from] == mine && covers[from];
        }
        if (mine == 0)
            covers[at] = true;
        else if (const auto& before = phases[static_cast<std::size_t>(mine) - 1];
                 covered == before.outgoing + before.incoming)
            covers[at] = true;
        if (operations[at].is_message() && !covers[at])
            return;
        phases.back().add(i, operations[at]);
    }
    phases.back().end = size();
    phases_ = std::move(phases);
}

// Within a phase no send waits for a receive, so what a send waits for there comes before receives,
// too.
void Program::find_order() {
    sends_first_.assign(static_cast<std::size_t>(size()), 0);
    for (int i = size() - 1; i >= 0; --i) {
        const auto& operation = schedule_[i];
        sends_first_[static_cast<std::size_t>(i)] =
            operation.is_outgoing() ||
            (!operation.is_message() && std::ranges::any_of(next(i), [&](auto later) {
                return sends_first_[static_cast<std::size_t>(later)] != 0;
            }));
    }
    if (phases_.empty())
        return;
    order_.resize(sends_first_.size());
    std::iota(order_.begin(), order_.end(), 0);
    auto first = order_.begin();
    for (const auto& phase : phases_) {
        const auto end = order_.begin() + phase.end;
        std::sort(first, end, [&](auto a, auto b) { return starts_before(a, b); });
        first = end;
    }
}

} // namespace alltold
