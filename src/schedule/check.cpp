// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "schedule/replay.hpp"

namespace alltold {
namespace {

struct Access {
    Region region;
    int step = 0;
    bool writes = false;
};

std::vector<Access> accesses_of(const Schedule& schedule) {
    std::vector<Access> result;
    for (int step = 0; step < schedule.size(); ++step) {
        const auto& operation = schedule[step];
        if (operation.kind == Kind::send || operation.kind == Kind::receive)
            result.push_back({operation.region, step, operation.kind == Kind::receive});
        if (!operation.is_local())
            continue;
        for (std::int32_t row = 0; row < operation.rows; ++row) {
            result.push_back({operation.region_row(row), step, false});
            result.push_back({operation.target_row(row), step, true});
        }
    }
    return result;
}

} // namespace

LocalOrder::LocalOrder(const Schedule& schedule)
    : words_((static_cast<std::size_t>(schedule.size()) + 63) / 64),
      ancestors_(words_ * static_cast<std::size_t>(schedule.size())) {
    for (int step = 0; step < schedule.size(); ++step) {
        for (const auto earlier : schedule.after(step)) {
            for (std::size_t w = 0; w < words_; ++w)
                ancestors_[row(step) + w] |= ancestors_[row(earlier) + w];
            ancestors_[row(step) + static_cast<std::size_t>(earlier) / 64] |= std::uint64_t{1}
                                                                              << (earlier % 64);
        }
    }
}

std::optional<std::pair<int, int>> find_race(const Schedule& schedule, const LocalOrder& order) {
    auto accesses = accesses_of(schedule);
    std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
        return std::pair(a.region.buffer, a.region.offset_bytes) <
               std::pair(b.region.buffer, b.region.offset_bytes);
    });
    std::vector<Access> reads, writes; // those that may overlap the sweep position
    for (const auto& access : accesses) {
        for (auto* open : {&reads, &writes}) {
            std::erase_if(*open,
                          [&](const Access& a) { return !a.region.overlaps(access.region); });
            if (open == &reads && !access.writes)
                continue;
            for (const auto& other : *open) {
                const auto [first, second] = std::minmax(access.step, other.step);
                if (first == second || !order.is_before(first, second))
                    return std::pair(first, second);
            }
        }
        (access.writes ? writes : reads).push_back(access);
    }
    return std::nullopt;
}

namespace {

/// Whether `earlier` must be complete, whatever the timing, before `later` may start. Walks back
/// over after-edges and, at a receive, to the matching send.
bool is_before(std::span<const Schedule> schedules, const Matching& matching, Place earlier,
               Place later) {
    std::vector<char> seen(static_cast<std::size_t>(matching.size()));
    std::vector<Place> starts{later}; // operations known to have started
    while (!starts.empty()) {
        const auto start = starts.back();
        starts.pop_back();
        const auto& schedule = schedules[static_cast<std::size_t>(start.rank)];
        for (const auto step : schedule.after(start.step)) {
            const Place complete{start.rank, step};
            if (complete == earlier)
                return true;
            auto& known = seen[static_cast<std::size_t>(matching.index(start.rank, step))];
            if (known)
                continue;
            known = 1;
            starts.push_back(complete);
            if (schedule[step].is_incoming() || schedule[step].synchronous)
                starts.push_back(matching.partner(start.rank, step));
        }
    }
    return false;
}

/// Fails when some send (or receive) of data is not after the one `window` sends (or receives)
/// earlier, so that more than `window` may be in flight; a window of 0 is no limit.
std::optional<Fault> exceeds_per_rank(const Schedule& schedule, const LocalOrder& order, int rank,
                                      int window) {
    if (window <= 0)
        return std::nullopt;
    for (const auto kind : {Kind::send, Kind::receive}) {
        std::vector<int> steps;
        for (int step = 0; step < schedule.size(); ++step)
            if (schedule[step].kind == kind)
                steps.push_back(step);
        for (auto i = static_cast<std::size_t>(window); i < steps.size(); ++i) {
            const auto earlier = steps[i - static_cast<std::size_t>(window)];
            if (!order.is_before(earlier, steps[i]))
                return Fault{rank, steps[i], "",
                             fmt::format("does not wait for step {}: more than {} messages can be "
                                         "in flight",
                                         earlier, window)};
        }
    }
    return std::nullopt;
}

/// Fails when, of the senders of data to `root` in the order of their distance behind it, one does
/// not wait until the root has received the one `window` places earlier; a window of 0 is no limit.
std::optional<Fault> exceeds_into_root(std::span<const Schedule> schedules,
                                       const Matching& matching, int root, int window) {
    if (window <= 0)
        return std::nullopt;
    const auto ranks = static_cast<int>(schedules.size());
    std::vector<Place> sends;
    for (int distance = 1; distance < ranks; ++distance) {
        const int rank = (root + distance) % ranks;
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        for (int step = 0; step < schedule.size(); ++step)
            if (schedule[step].kind == Kind::send && schedule[step].peer == root)
                sends.push_back({rank, step});
    }
    for (auto i = static_cast<std::size_t>(window); i < sends.size(); ++i) {
        const auto earlier = sends[i - static_cast<std::size_t>(window)];
        if (!is_before(schedules, matching, matching.partner(earlier.rank, earlier.step), sends[i]))
            return Fault{
                sends[i].rank, sends[i].step, "",
                fmt::format("does not wait for rank {}: more than {} ranks can send to the "
                            "root at once",
                            earlier.rank, window)};
    }
    return std::nullopt;
}

/// The caller's block in `region`, as far as the buffer determines it without a replay.
std::string block_in(const Specification& specification, int rank, const Region& region) {
    for (const auto& places : {specification.before(rank), specification.after(rank)})
        for (const auto& place : places)
            if (region.size_bytes > 0 && place.region.overlaps(region))
                return text_of(place.block);
    return "";
}

/// Bytes of a rank's buffers, by kind.
using BufferSizes = std::array<std::uint64_t, 3>;

BufferSizes buffer_sizes(const Specification& specification, const Schedule& schedule, int rank) {
    return {specification.buffer_bytes(rank, Buffer::send),
            specification.buffer_bytes(rank, Buffer::receive), schedule.scratch_bytes()};
}

/// Errors in a single operation.
std::string wrong_form(const Specification& specification, const Schedule& schedule,
                       const BufferSizes& sizes_bytes, int rank, int step) {
    const auto& operation = schedule[step];
    for (const auto earlier : schedule.after(step))
        if (earlier < 0 || earlier >= step)
            return fmt::format("depends on step {}, which does not come before it", earlier);
    const auto outside = [&](const Region& region) {
        const auto size = sizes_bytes[static_cast<std::size_t>(region.buffer)];
        return region.size_bytes == 0 || region.size_bytes > size ||
               region.offset_bytes > size - region.size_bytes;
    };
    if (operation.is_message() &&
        (operation.peer < 0 || operation.peer >= specification.ranks() || operation.peer == rank))
        return fmt::format("its peer {} is not another rank", operation.peer);
    if ((operation.kind == Kind::send || operation.kind == Kind::receive) &&
        outside(operation.region))
        return "reaches beyond its buffer";
    if (operation.kind == Kind::receive && operation.region.buffer == Buffer::send)
        return "receives into the send buffer";
    if (!operation.is_local())
        return "";
    const bool copies = operation.kind == Kind::copy;
    if (!copies && (operation.rows != 1 || !traits_of(specification.collective()).reduces))
        return "is no combination of a reduction";
    if (operation.rows < 1 || operation.target.size_bytes != operation.region.size_bytes)
        return copies ? "copies to a region of a different size"
                      : "combines regions of different sizes";
    for (const std::int32_t row : {0, operation.rows - 1}) // the strides are even
        if (outside(operation.region_row(row)) || outside(operation.target_row(row)))
            return "reaches beyond its buffer";
    return operation.target.buffer == Buffer::send ? "writes to the send buffer" : "";
}

/// An await without successors would have no effect.
std::optional<int> idle_await(const Schedule& schedule) {
    std::vector<char> has_successor(static_cast<std::size_t>(schedule.size()));
    for (int step = 0; step < schedule.size(); ++step)
        for (const auto earlier : schedule.after(step))
            has_successor[static_cast<std::size_t>(earlier)] = 1;
    for (int step = 0; step < schedule.size(); ++step)
        if (schedule[step].kind == Kind::await && !has_successor[static_cast<std::size_t>(step)])
            return step;
    return std::nullopt;
}

std::optional<Fault> check_rank(const Specification& specification, const Schedule& schedule,
                                int rank, const Limits& limits) {
    const auto sizes_bytes = buffer_sizes(specification, schedule, rank);
    for (int step = 0; step < schedule.size(); ++step)
        if (auto wrong = wrong_form(specification, schedule, sizes_bytes, rank, step);
            !wrong.empty())
            return Fault{rank, step, block_in(specification, rank, schedule[step].region), wrong};
    // A barrier is done only when its last awaits are.
    if (const auto step =
            specification.collective() == Collective::barrier ? std::nullopt : idle_await(schedule))
        return Fault{rank, *step, "", "waits for a signal on which nothing depends"};
    const LocalOrder order(schedule);
    if (const auto race = find_race(schedule, order))
        return Fault{rank, race->second,
                     block_in(specification, rank, schedule[race->second].region),
                     fmt::format("accesses memory that step {} may still be using", race->first)};
    return exceeds_per_rank(schedule, order, rank, limits.per_rank);
}

} // namespace

std::string Fault::text() const {
    auto text = fmt::format("rank {}", rank);
    if (step >= 0)
        text += fmt::format(", step {}", step);
    if (!block.empty())
        text += fmt::format(", block {}", block);
    return text + ": " + what;
}

std::optional<Fault> check(const Specification& specification, std::span<const Schedule> schedules,
                           const Limits& limits, std::vector<Transfer>* trace) {
    assert(static_cast<int>(schedules.size()) == specification.ranks());
    for (int rank = 0; rank < specification.ranks(); ++rank)
        if (auto fault =
                check_rank(specification, schedules[static_cast<std::size_t>(rank)], rank, limits))
            return fault;
    Matching matching(schedules);
    if (auto fault = matching.pair_up()) {
        const auto& operation = schedules[static_cast<std::size_t>(fault->rank)][fault->step];
        fault->block = block_in(specification, fault->rank, operation.region);
        return fault;
    }
    if (auto fault = Replay(specification, schedules, matching, trace).run())
        return fault;
    return exceeds_into_root(schedules, matching, specification.root(), limits.into_root);
}

} // namespace alltold
