// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/replay.hpp"

#include <algorithm>

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
    if (traits_of(specification.collective()).reduces)
        contributions_.emplace(specification.ranks(), specification.reduction().commutative);
    if (specification.collective() == Collective::barrier)
        entered_.emplace(specification.ranks(), waits_for_.size());
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
    for (int rank = 0; rank < specification_.ranks(); ++rank) {
        if (auto wrong = check_results(rank))
            return wrong;
        if (auto wrong = entered_ ? check_entered(rank) : std::nullopt)
            return wrong;
    }
    return std::nullopt;
}

std::optional<Fault> Replay::start(Place place) {
    const auto& what = operation(place);
    started_[index(place)] = 1;
    if (entered_)
        entered_->enter(index(place), place.rank);
    if (what.is_message()) {
        const auto partner = matching_.partner(place.rank, place.step);
        if (!started_[index(partner)])
            return std::nullopt;
        const bool outgoing = what.is_outgoing();
        if (auto wrong = deliver(outgoing ? place : partner, outgoing ? partner : place))
            return wrong;
        complete(partner);
    } else if (what.is_local()) {
        if (auto wrong = what.kind == Kind::copy ? copy(place) : combine(place))
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
        if (entered_)
            entered_->learn(index(next), at);
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

std::optional<Fault> Replay::combine(Place place) {
    auto& memory = memory_[static_cast<std::size_t>(place.rank)];
    const auto& what = operation(place);
    if (!memory.read(what.region, runs_) || !memory.read(what.target, other_runs_))
        return fault(place, {}, "combines uninitialised bytes");
    const auto whole = specification_.contribution_bytes();
    const auto unit = specification_.reduction().unit_bytes;
    std::vector<Run> results;
    std::size_t left = 0, right = 0;
    while (left < runs_.size()) {
        auto& a = runs_[left];
        auto& b = other_runs_[right];
        // Where values of one address follow each other, their numbers differ.
        const auto size = std::min(
            {a.size_bytes, b.size_bytes, whole - byte_at(a.address), whole - byte_at(b.address)});
        if (byte_at(a.address) != byte_at(b.address))
            return fault(place, a.address, "combines different elements");
        if (byte_at(a.address) % unit != 0 || size % unit != 0)
            return fault(place, a.address, "cuts an element");
        const auto value = contributions_->combined(value_at(a.address), value_at(b.address));
        if (!value)
            return fault(place, a.address, value.error().message);
        results.push_back({*value * whole + byte_at(a.address), size});
        for (const auto& operand : {a, b})
            memory.used.insert({operand.address, size});
        memory.held.insert(results.back());
        a = {a.address + size, a.size_bytes - size};
        b = {b.address + size, b.size_bytes - size};
        left += a.size_bytes == 0;
        right += b.size_bytes == 0;
    }
    if (!memory.write(what.target, results))
        return fault(place, results.front().address,
                     "overwrites scratch bytes before they are read");
    return std::nullopt;
}

std::optional<Fault> Replay::deliver(Place from, Place to) {
    const auto& source = operation(from).region;
    const auto& target = operation(to).region;
    auto& sender = memory_[static_cast<std::size_t>(from.rank)];
    auto& receiver = memory_[static_cast<std::size_t>(to.rank)];
    if (entered_)
        entered_->learn(index(to), index(from));
    if (!sender.read(source, runs_))
        return fault(from, {}, "sends uninitialised bytes");
    for (const auto& run : runs_) {
        const auto repeated = sender.used.first_in(run);
        if (repeated && !specification_.may_repeat())
            return fault(from, repeated, "sends a block a second time");
        if (const auto known = receiver.held.first_in(run))
            return fault(
                to, known,
                fmt::format("receives a block from rank {} that it already has", from.rank));
        sender.used.insert(run);
        receiver.held.insert(run);
        receiver.received.push_back(run);
    }
    if (!receiver.write(target, runs_))
        return fault(to, runs_.front().address, "overwrites scratch bytes before they are read");
    if (trace_)
        trace_->push_back(
            {from.rank, from.step, to.rank, to.step, runs_,
             traits_of(specification_.collective()).reduces ? combined_in(runs_) : std::string()});
    return std::nullopt;
}

std::string Replay::combined_in(std::span<const Run> runs) const {
    struct ByteRange {
        std::string ranks;
        std::uint64_t from, to; ///< bytes of a contribution
    };
    const auto whole = specification_.contribution_bytes();
    std::vector<ByteRange> ranges;
    for (auto run : runs)
        while (run.size_bytes > 0) { // a run may go from one value to the next
            const auto from = byte_at(run.address);
            const auto size = std::min(run.size_bytes, whole - from);
            const auto ranks = contributions_->text(value_at(run.address));
            if (!ranges.empty() && ranges.back().ranks == ranks && ranges.back().to == from)
                ranges.back().to += size;
            else
                ranges.push_back({ranks, from, from + size});
            run = {run.address + size, run.size_bytes - size};
        }
    std::string text;
    for (const auto& [ranks, from, to] : ranges) {
        text += (text.empty() ? "" : "; ") + ranks;
        if (to - from < whole)
            text += fmt::format(" [{}..{}]", from, to - 1);
    }
    return text;
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
    AddressSet useful = memory.used;
    std::uint64_t wanted_bytes = 0;
    for (const auto& place : specification_.after(rank)) {
        const auto& region = place.region;
        const Run run{place.address, region.size_bytes};
        if (run.size_bytes == 0)
            continue;
        wanted_bytes += run.size_bytes;
        const Fault missing{rank, -1, text_of(place.block), "never arrives"};
        if (!memory.of(region.buffer).get(region.offset_bytes, region.size_bytes, runs_))
            return missing;
        if (auto wrong = check_result(place, missing))
            return wrong;
        for (const auto& there : runs_)
            useful.insert(there);
        if (specification_.collective() != Collective::allreduce)
            continue;
        if (rank == 0)
            result_ = runs_;
        else if (runs_ != result_)
            return Fault{rank, -1, text_of(place.block),
                         "is not combined in the order in which rank 0 has it"};
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

/// Whether `runs_`, what was found at `place`, is what should be there.
std::optional<Fault> Replay::check_result(const Placement& place, Fault fault) const {
    fault.what = "another block is in its place";
    if (place.contributions == 0)
        return runs_ == std::vector{Run{place.address, place.region.size_bytes}}
                   ? std::nullopt
                   : std::optional(std::move(fault));
    auto byte = place.address;
    for (auto run : runs_)
        while (run.size_bytes > 0) { // a run may go from one value to the next
            const auto size = std::min(run.size_bytes,
                                       specification_.contribution_bytes() - byte_at(run.address));
            const auto value = value_at(run.address);
            if (byte_at(run.address) != byte)
                return fault;
            if (!contributions_->is_of_first(value, place.contributions)) {
                fault.what = fmt::format("combines {} and should combine ranks 0 to {}",
                                         contributions_->text(value), place.contributions - 1);
                return fault;
            }
            byte += size;
            run = {run.address + size, run.size_bytes - size};
        }
    return std::nullopt;
}

/// Every rank must be known, by some operation of `rank`, to have entered.
std::optional<Fault> Replay::check_entered(int rank) {
    const auto steps = schedules_[static_cast<std::size_t>(rank)].size();
    for (int other = 0; other < specification_.ranks(); ++other) {
        bool known = other == rank;
        for (std::int32_t step = 0; step < steps && !known; ++step)
            known = entered_->knows(index({rank, step}), other);
        if (!known)
            return fault({rank, -1}, {},
                         fmt::format("leaves the barrier before rank {} has entered", other));
    }
    return std::nullopt;
}

} // namespace alltold
