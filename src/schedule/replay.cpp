// SPDX-License-Identifier: BSD-3-Clause
// The replay of all ranks on symbolic memory.
#include "schedule/replay.hpp"

#include <fmt/format.h>

namespace alltold {

Replay::Replay(const Specification& specification, std::span<const Schedule> schedules,
               const Matching& matching, std::vector<Transfer>* trace)
    : specification_(specification), schedules_(schedules), matching_(matching), trace_(trace),
      memory_(schedules.size()), waits_for_(static_cast<std::size_t>(matching.size())),
      started_(waits_for_.size()), done_(waits_for_.size()) {
    for (std::size_t rank = 0; rank < memory_.size(); ++rank)
        for (const auto& place : specification.before(static_cast<int>(rank))) {
            const Run run{place.address, place.region.size_bytes};
            memory_[rank].of(place.region.buffer).put(place.region.offset_bytes, {run});
            memory_[rank].held.insert(run);
        }
    link_successors();
}

bool Replay::Memory::read(const Region& region, std::vector<Run>& runs) {
    if (region.buffer == Buffer::scratch)
        unread.erase({region.offset_bytes, region.size_bytes});
    return of(region.buffer).get(region.offset_bytes, region.size_bytes, runs);
}

bool Replay::Memory::write(const Region& region, const std::vector<Run>& runs) {
    of(region.buffer).put(region.offset_bytes, runs);
    if (region.buffer != Buffer::scratch)
        return true;
    const Run bytes{region.offset_bytes, region.size_bytes};
    const bool lost = unread.first_in(bytes).has_value();
    unread.insert(bytes);
    return !lost;
}

void Replay::link_successors() {
    first_successor_.assign(waits_for_.size() + 1, 0);
    const auto for_each_edge = [&](auto&& visit) {
        for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(schedules_.size()); ++rank) {
            const auto& schedule = schedules_[static_cast<std::size_t>(rank)];
            for (std::int32_t step = 0; step < schedule.size(); ++step)
                for (const auto earlier : schedule.after(step))
                    visit(Place{rank, earlier}, Place{rank, step});
        }
    };
    for_each_edge([&](Place earlier, Place later) {
        ++first_successor_[index(earlier) + 1];
        ++waits_for_[index(later)];
    });
    for (std::size_t i = 1; i < first_successor_.size(); ++i)
        first_successor_[i] += first_successor_[i - 1];
    successors_.resize(static_cast<std::size_t>(first_successor_.back()));
    auto next = first_successor_;
    for_each_edge([&](Place earlier, Place later) {
        successors_[static_cast<std::size_t>(next[index(earlier)]++)] = later.step;
    });
}

Fault Replay::fault(Place place, std::optional<std::uint64_t> address, std::string what) const {
    return {place.rank, place.step, address ? text_of(specification_.block_at(*address)) : "",
            std::move(what)};
}

std::optional<Fault> Replay::run() {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(schedules_.size()); ++rank)
        for (std::int32_t step = 0; step < schedules_[static_cast<std::size_t>(rank)].size();
             ++step)
            if (waits_for_[index({rank, step})] == 0)
                ready_.push_back({rank, step});
    for (std::size_t next = 0; next < ready_.size(); ++next)
        if (auto wrong = start(ready_[next]))
            return wrong;
    if (auto wrong = stuck())
        return wrong;
    for (int rank = 0; rank < specification_.ranks(); ++rank)
        if (auto wrong = check_results(rank))
            return wrong;
    return std::nullopt;
}

std::optional<Fault> Replay::start(Place place) {
    const auto& what = operation(place);
    started_[index(place)] = 1;
    if (what.is_message()) {
        const auto partner = matching_.partner(place.rank, place.step);
        if (!started_[index(partner)])
            return std::nullopt;
        const bool outgoing = what.is_outgoing();
        if (auto wrong = deliver(outgoing ? place : partner, outgoing ? partner : place))
            return wrong;
        complete(partner);
    } else if (what.kind == Kind::copy) {
        if (auto wrong = copy(place))
            return wrong;
    }
    complete(place);
    return std::nullopt;
}

void Replay::complete(Place place) {
    const auto at = index(place);
    done_[at] = 1;
    for (auto i = first_successor_[at]; i < first_successor_[at + 1]; ++i) {
        const Place next{place.rank, successors_[static_cast<std::size_t>(i)]};
        if (--waits_for_[index(next)] == 0)
            ready_.push_back(next);
    }
}

std::optional<Fault> Replay::copy(Place place) {
    auto& memory = memory_[static_cast<std::size_t>(place.rank)];
    for (std::int32_t row = 0; row < operation(place).rows; ++row) {
        const auto to = operation(place).target_row(row);
        if (!memory.read(operation(place).region_row(row), runs_))
            return fault(place, {}, "copies uninitialised bytes");
        if (memory.of(to.buffer).get(to.offset_bytes, to.size_bytes, other_runs_) &&
            runs_ == other_runs_)
            return fault(place, runs_.front().address, "copies data that is already there");
        if (!memory.write(to, runs_))
            return fault(place, runs_.front().address,
                         "overwrites scratch bytes before they are read");
    }
    return std::nullopt;
}

std::optional<Fault> Replay::deliver(Place from, Place to) {
    const auto& source = operation(from).region;
    const auto& target = operation(to).region;
    auto& sender = memory_[static_cast<std::size_t>(from.rank)];
    auto& receiver = memory_[static_cast<std::size_t>(to.rank)];
    if (!sender.read(source, runs_))
        return fault(from, {}, "sends uninitialised bytes");
    for (const auto& run : runs_) {
        const auto repeated = sender.sent.first_in(run);
        if (repeated && !specification_.may_repeat())
            return fault(from, repeated, "sends a block a second time");
        if (const auto known = receiver.held.first_in(run))
            return fault(
                to, known,
                fmt::format("receives a block from rank {} that it already has", from.rank));
        sender.sent.insert(run);
        receiver.held.insert(run);
        receiver.received.push_back(run);
    }
    if (!receiver.write(target, runs_))
        return fault(to, runs_.front().address, "overwrites scratch bytes before they are read");
    if (trace_)
        trace_->push_back({from.rank, from.step, to.rank, to.step, runs_});
    return std::nullopt;
}

std::optional<Fault> Replay::stuck() const {
    for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(schedules_.size()); ++rank)
        for (std::int32_t step = 0; step < schedules_[static_cast<std::size_t>(rank)].size();
             ++step) {
            const Place place{rank, step};
            if (!started_[index(place)] || done_[index(place)])
                continue;
            const auto partner = matching_.partner(rank, step);
            return fault(place, {},
                         fmt::format("deadlock: waits for step {} of rank {}, which never starts",
                                     partner.step, partner.rank));
        }
    return std::nullopt;
}

std::optional<Fault> Replay::check_results(int rank) {
    auto& memory = memory_[static_cast<std::size_t>(rank)];
    const Place nowhere{rank, -1};
    AddressSet useful = memory.sent;
    std::uint64_t wanted_bytes = 0;
    for (const auto& place : specification_.after(rank)) {
        const auto& region = place.region;
        const Run run{place.address, region.size_bytes};
        if (run.size_bytes == 0)
            continue;
        useful.insert(run);
        wanted_bytes += run.size_bytes;
        const bool written =
            memory.of(region.buffer).get(region.offset_bytes, region.size_bytes, runs_);
        if (!written || runs_ != std::vector{run})
            return fault(nowhere, place.address,
                         written ? "another block is in its place" : "never arrives");
    }
    if (memory.of(Buffer::receive).written_bytes() != wanted_bytes)
        return fault(nowhere, {}, "writes between the blocks of the receive buffer");
    if (const auto offset = memory.unread.first())
        return fault(nowhere, {},
                     fmt::format("byte {} of the scratch memory is never read", *offset));
    for (const auto& run : memory.received)
        if (const auto address = useful.first_missing(run))
            return fault(nowhere, address, "received but neither needed here nor forwarded");
    return std::nullopt;
}

} // namespace alltold
