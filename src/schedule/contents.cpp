// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/contents.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold {

std::size_t Contents::first_ending_after(std::uint64_t offset) const {
    const auto at =
        std::partition_point(extents_.begin(), extents_.end(), [&](const Extent& extent) {
            return extent.offset + extent.size <= offset;
        });
    return static_cast<std::size_t>(at - extents_.begin());
}

void Contents::clear(std::uint64_t from, std::uint64_t to) {
    auto i = first_ending_after(from);
    if (i < extents_.size() && extents_[i].offset < from) {
        auto tail = extents_[i];
        const auto kept = from - tail.offset;
        extents_[i].size = kept;
        tail = {from, tail.size - kept, tail.address + kept};
        extents_.insert(extents_.begin() + static_cast<std::ptrdiff_t>(++i), tail);
    }
    auto last = i;
    while (last < extents_.size() && extents_[last].offset + extents_[last].size <= to)
        ++last;
    if (last < extents_.size() && extents_[last].offset < to) {
        auto& extent = extents_[last];
        const auto lost = to - extent.offset;
        extent = {to, extent.size - lost, extent.address + lost};
    }
    extents_.erase(extents_.begin() + static_cast<std::ptrdiff_t>(i),
                   extents_.begin() + static_cast<std::ptrdiff_t>(last));
}

void Contents::put(std::uint64_t offset_bytes, const std::vector<Run>& runs) {
    const auto follows = [](const Extent& left, const Extent& right) {
        return left.offset + left.size == right.offset && left.address + left.size == right.address;
    };
    std::uint64_t size = 0;
    for (const auto& run : runs)
        size += run.size_bytes;
    if (size == 0)
        return;
    clear(offset_bytes, offset_bytes + size);
    auto i = first_ending_after(offset_bytes);
    for (const auto& run : runs) {
        const Extent extent{offset_bytes, run.size_bytes, run.address};
        offset_bytes += run.size_bytes;
        if (i > 0 && follows(extents_[i - 1], extent))
            extents_[i - 1].size += extent.size;
        else
            extents_.insert(extents_.begin() + static_cast<std::ptrdiff_t>(i++), extent);
    }
    if (i < extents_.size() && follows(extents_[i - 1], extents_[i])) {
        extents_[i - 1].size += extents_[i].size;
        extents_.erase(extents_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

bool Contents::get(std::uint64_t offset_bytes, std::uint64_t size_bytes,
                   std::vector<Run>& runs) const {
    runs.clear();
    const auto end = offset_bytes + size_bytes;
    for (auto i = first_ending_after(offset_bytes); offset_bytes < end; ++i) {
        if (i == extents_.size() || extents_[i].offset > offset_bytes)
            return false;
        const auto& extent = extents_[i];
        const auto skipped = offset_bytes - extent.offset;
        const auto size = std::min(extent.size - skipped, end - offset_bytes);
        runs.push_back({extent.address + skipped, size});
        offset_bytes += size;
    }
    return true;
}

std::uint64_t Contents::written_bytes() const {
    std::uint64_t total = 0;
    for (const auto& extent : extents_)
        total += extent.size;
    return total;
}

std::size_t AddressSet::first_ending_after(std::uint64_t address) const {
    const auto at = std::partition_point(intervals_.begin(), intervals_.end(),
                                         [&](const Interval& i) { return i.to <= address; });
    return static_cast<std::size_t>(at - intervals_.begin());
}

std::optional<std::uint64_t> AddressSet::first_in(const Run& run) const {
    const auto i = first_ending_after(run.address);
    if (run.size_bytes == 0 || i == intervals_.size() ||
        intervals_[i].from >= run.address + run.size_bytes)
        return std::nullopt;
    return std::max(intervals_[i].from, run.address);
}

std::optional<std::uint64_t> AddressSet::first_missing(const Run& run) const {
    if (run.size_bytes == 0)
        return std::nullopt;
    const auto i = first_ending_after(run.address);
    if (i == intervals_.size() || intervals_[i].from > run.address)
        return run.address;
    if (intervals_[i].to < run.address + run.size_bytes)
        return intervals_[i].to;
    return std::nullopt;
}

void AddressSet::insert(const Run& run) {
    if (run.size_bytes == 0)
        return;
    Interval added{run.address, run.address + run.size_bytes};
    auto first = std::partition_point(intervals_.begin(), intervals_.end(),
                                      [&](const Interval& i) { return i.to < added.from; });
    auto last = first;
    for (; last != intervals_.end() && last->from <= added.to; ++last) {
        added.from = std::min(added.from, last->from);
        added.to = std::max(added.to, last->to);
    }
    intervals_.insert(intervals_.erase(first, last), added);
}

void AddressSet::erase(const Run& run) {
    const auto end = run.address + run.size_bytes;
    auto i = first_ending_after(run.address);
    if (run.size_bytes == 0 || i == intervals_.size())
        return;
    const auto at = [&](std::size_t k) {
        return intervals_.begin() + static_cast<std::ptrdiff_t>(k);
    };
    if (intervals_[i].from < run.address) { // keep what comes before, cut off the rest
        const Interval rest{run.address, intervals_[i].to};
        intervals_[i].to = run.address;
        intervals_.insert(at(++i), rest);
    }
    auto last = i;
    while (last < intervals_.size() && intervals_[last].to <= end)
        ++last;
    if (last < intervals_.size() && intervals_[last].from < end)
        intervals_[last].from = end;
    intervals_.erase(at(i), at(last));
}

std::optional<std::uint64_t> AddressSet::first() const {
    if (intervals_.empty())
        return std::nullopt;
    return intervals_.front().from;
}

Contributions::Contributions(int ranks, bool commutative) : commutative_(commutative) {
    for (int rank = 0; rank < ranks; ++rank) {
        values_.emplace_back(static_cast<std::size_t>(ranks));
        values_.back()[static_cast<std::size_t>(rank)] = true;
    }
}

int Contributions::lowest(std::uint64_t value) const {
    const auto& ranks = values_[value];
    return static_cast<int>(std::find(ranks.begin(), ranks.end(), true) - ranks.begin());
}

int Contributions::highest(std::uint64_t value) const {
    const auto& ranks = values_[value];
    return static_cast<int>(ranks.rend() - std::find(ranks.rbegin(), ranks.rend(), true)) - 1;
}

Result<std::uint64_t> Contributions::combined(std::uint64_t left, std::uint64_t right) {
    const auto [known, added] = combinations_.try_emplace({left, right}, values_.size());
    if (!added)
        return known->second;
    auto ranks = values_[left];
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (ranks[rank] && values_[right][rank])
            return bad_input(fmt::format("combines the contribution of rank {} twice", rank));
        ranks[rank] = ranks[rank] || values_[right][rank];
    }
    if (!commutative_ && highest(left) + 1 != lowest(right))
        return bad_input(
            fmt::format("combines {} with {}, out of the order of ranks", text(left), text(right)));
    values_.push_back(std::move(ranks));
    return known->second;
}

bool Contributions::is_of_first(std::uint64_t value, int count) const {
    const auto& ranks = values_[value];
    return std::ranges::count(ranks, true) == count && highest(value) == count - 1;
}

std::string Contributions::text(std::uint64_t value) const {
    constexpr int fewest_in_a_range = 3; // unless there is nothing else
    const auto& has = values_[value];
    const int ranks = static_cast<int>(has.size());
    std::vector<std::string> words;
    for (int from = lowest(value); from < ranks; ++from) {
        int to = from;
        while (to < ranks && has[static_cast<std::size_t>(to)])
            ++to;
        const bool all = from == lowest(value) && to == highest(value) + 1;
        if (to - from >= fewest_in_a_range || (all && to - from > 1))
            words.push_back(fmt::format("{} to {}", from, to - 1));
        else
            for (int rank = from; rank < to; ++rank)
                words.push_back(std::to_string(rank));
        from = to; // which is none of them
    }
    const bool one = lowest(value) == highest(value);
    return fmt::format("rank{} {}", one ? "" : "s", fmt::join(words, ", "));
}

} // namespace alltold
