// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithms/group_phases.hpp"

#include "schedule/segments.hpp"

namespace alltold {
namespace {

int modulo(int number, int count) {
    return (number % count + count) % count;
}

/// The overlaps of what all groups' carriers have of `part`.
void add_overlaps(const std::vector<Carriers>& carriers, const Region& part, int home,
                  std::uint64_t unit_bytes, std::vector<Share>& shares) {
    std::vector<int> number(carriers.size()); // of each group's carrier
    auto from = part.offset_bytes;
    while (from < part.end_bytes()) {
        Share share{.offset_bytes = from, .home = home, .carriers = {}};
        auto end = part.end_bytes();
        std::vector<std::uint64_t> ends;
        for (std::size_t group = 0; group < carriers.size(); ++group) {
            const auto [first, count] = carriers[group];
            const auto carried = Segments::parts(part, count, unit_bytes).at(number[group]);
            share.carriers.push_back(first + number[group]);
            ends.push_back(carried.end_bytes());
            end = std::min(end, ends.back());
        }
        for (std::size_t group = 0; group < carriers.size(); ++group)
            number[group] += ends[group] == end;
        share.size_bytes = end - from;
        shares.push_back(std::move(share));
        from = end;
    }
}

} // namespace

std::vector<Share> shares_of_vector(const std::vector<Carriers>& carriers, int homes,
                                    std::uint64_t vector_bytes, std::uint64_t unit_bytes) {
    std::vector<Share> shares;
    const auto parts = Segments::parts({Buffer::send, 0, vector_bytes}, homes, unit_bytes);
    for (int home = 0; home < homes; ++home)
        add_overlaps(carriers, parts.at(home), home, unit_bytes, shares);
    return shares;
}

std::vector<Share> shares_of_blocks(const Groups& groups, std::uint64_t block_bytes) {
    std::vector<Share> shares;
    for (int home = 0; home < groups.count(); ++home)
        for (int i = 0; i < groups.size(home) && block_bytes > 0; ++i) {
            Share share{.offset_bytes = shares.size() * block_bytes,
                        .size_bytes = block_bytes,
                        .home = home,
                        .carriers = {}};
            for (int group = 0; group < groups.count(); ++group)
                share.carriers.push_back(groups.first(group) + i % groups.size(group));
            shares.push_back(std::move(share));
        }
    return shares;
}

GroupPhases::GroupPhases(const Task& task, const Groups& groups, std::vector<Share> shares)
    : rank_(task.rank), groups_(groups.count()), group_(groups.of(task.rank)),
      first_(groups.first(group_)), size_(groups.size(group_)), me_(task.rank - first_),
      shares_(std::move(shares)), by_carrier_(static_cast<std::size_t>(size_)),
      by_home_(static_cast<std::size_t>(groups_)), builder_(6 * shares_.size()) {
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        const int carrier = shares_[i].carriers[static_cast<std::size_t>(group_)];
        by_carrier_[static_cast<std::size_t>(carrier - first_)].push_back(i);
        if (carrier == rank_)
            by_home_[static_cast<std::size_t>(shares_[i].home)].push_back(i);
    }
}

template <typename Visit>
void GroupPhases::for_carrier(int number, Visit visit) {
    for (const auto i : by_carrier_[static_cast<std::size_t>(modulo(number, size_))])
        visit(shares_[i]);
}

template <typename Visit>
void GroupPhases::for_home(int home, Visit visit) {
    for (const auto i : by_home_[static_cast<std::size_t>(modulo(home, groups_))])
        visit(shares_[i]);
}

int GroupPhases::other_carrier(const Share& share, int distance) const {
    return share.carriers[static_cast<std::size_t>(modulo(group_ + distance, groups_))];
}

void GroupPhases::pass_on(Share& share, int to) {
    share.reader = builder_.send(share.value, to, {share.ready});
}

void GroupPhases::absorb(Share& share, int from, const Region& into) {
    const auto received = builder_.receive(into, from);
    share.ready = builder_.combine(share.value, into, {received, share.ready});
    share.value = into;
}

void GroupPhases::take(Share& share, int from) {
    const auto reader = share.value == share.place ? share.reader : no_step;
    share.ready = builder_.receive(share.place, from, {reader});
    share.value = share.place;
}

// In a ring of `size` a share ends at a rank, after it started at the next one: in step s a rank
// passes on the shares that end s behind it.
void GroupPhases::combine_within(Carrier carrier) {
    const int behind = carrier == Carrier::first ? 1 : 0; // the ring's end, behind the carrier
    const bool goes_on = carrier == Carrier::last && groups_ > 1;
    for (int step = 1; step < size_; ++step) {
        for_carrier(me_ - step + behind, [&](Share& share) { pass_on(share, rank_within(1)); });
        for_carrier(me_ - 1 - step + behind, [&](Share& share) {
            const bool others_follow = goes_on && step + 1 == size_;
            absorb(share, rank_within(-1), others_follow ? scratch(share) : place_of(share));
        });
    }
}

void GroupPhases::combine_between() {
    for (int step = 1; step < groups_; ++step) {
        for_home(group_ - step, [&](Share& share) { pass_on(share, other_carrier(share, 1)); });
        for_home(group_ - 1 - step,
                 [&](Share& share) { absorb(share, other_carrier(share, -1), place_of(share)); });
    }
}

// The first group's value is the left operand on both sides, and results replace right operands. So
// the second group combines into a copy of its value: the value itself may still be on its way.
void GroupPhases::combine_in_both() {
    assert(groups_ == 2);
    for (auto* carried : {&by_home_[0], &by_home_[1]}) {
        for (const auto i : *carried)
            pass_on(shares_[i], other_carrier(shares_[i], 1));
        for (const auto i : *carried) {
            auto& share = shares_[i];
            if (group_ == 0) {
                absorb(share, other_carrier(share, 1), share.place);
                continue;
            }
            const auto theirs = scratch(share);
            const auto received = builder_.receive(theirs, other_carrier(share, 1));
            const auto copied = builder_.copy(share.value, share.place, {share.ready});
            share.ready = builder_.combine(theirs, share.place, {received, copied});
            share.value = share.place;
        }
    }
}

void GroupPhases::spread_between() {
    for (int step = 1; step < groups_; ++step) {
        for_home(group_ - step + 1, [&](Share& share) { pass_on(share, other_carrier(share, 1)); });
        for_home(group_ - step, [&](Share& share) { take(share, other_carrier(share, -1)); });
    }
}

void GroupPhases::spread_within() {
    for (int step = 1; step < size_; ++step) {
        for_carrier(me_ - step + 1, [&](Share& share) { pass_on(share, rank_within(1)); });
        for_carrier(me_ - step, [&](Share& share) { take(share, rank_within(-1)); });
    }
}

} // namespace alltold
