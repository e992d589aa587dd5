// SPDX-License-Identifier: BSD-3-Clause
// Transitive order by bit sets, and a sweep over the touched regions.
#include "schedule/races.hpp"

#include <algorithm>

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

} // namespace alltold
