// SPDX-License-Identifier: BSD-3-Clause
// Rings within groups and between carriers.
#include "schedule/algorithms/group_phases.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "schedule/segments.hpp"

namespace alltold {
namespace {

int modulo(int number, int count) {
    return (number % count + count) % count;
}

/// The overlaps of all groups' shares of `part`.
void add_overlaps(const std::vector<Carriers>& carriers, const Region& part, int home,
                  std::uint64_t unit_bytes, std::vector<Piece>& pieces) {
    std::vector<int> number(carriers.size()); // of each group's share
    auto from = part.offset_bytes;
    while (from < part.end_bytes()) {
        Piece piece{.offset_bytes = from, .home = home, .carriers = {}};
        auto end = part.end_bytes();
        std::vector<std::uint64_t> ends;
        for (std::size_t group = 0; group < carriers.size(); ++group) {
            const auto [first, count] = carriers[group];
            const auto share = Segments::parts(part, count, unit_bytes).at(number[group]);
            piece.carriers.push_back(first + number[group]);
            ends.push_back(share.end_bytes());
            end = std::min(end, ends.back());
        }
        for (std::size_t group = 0; group < carriers.size(); ++group)
            number[group] += ends[group] == end;
        piece.size_bytes = end - from;
        pieces.push_back(std::move(piece));
        from = end;
    }
}

} // namespace

std::vector<Piece> shared_pieces(const std::vector<Carriers>& carriers, int homes,
                                 std::uint64_t vector_bytes, std::uint64_t unit_bytes) {
    std::vector<Piece> pieces;
    const auto parts = Segments::parts({Buffer::send, 0, vector_bytes}, homes, unit_bytes);
    for (int home = 0; home < homes; ++home)
        add_overlaps(carriers, parts.at(home), home, unit_bytes, pieces);
    return pieces;
}

std::vector<Piece> block_pieces(const Groups& groups, std::uint64_t block_bytes) {
    std::vector<Piece> pieces;
    for (int home = 0; home < groups.count(); ++home)
        for (int i = 0; i < groups.size(home) && block_bytes > 0; ++i) {
            Piece piece{.offset_bytes = pieces.size() * block_bytes,
                        .size_bytes = block_bytes,
                        .home = home,
                        .carriers = {}};
            for (int group = 0; group < groups.count(); ++group)
                piece.carriers.push_back(groups.first(group) + i % groups.size(group));
            pieces.push_back(std::move(piece));
        }
    return pieces;
}

GroupPhases::GroupPhases(const Task& task, const Groups& groups, std::vector<Piece> pieces)
    : rank_(task.rank), groups_(groups.count()), group_(groups.of(task.rank)),
      first_(groups.first(group_)), size_(groups.size(group_)), me_(task.rank - first_),
      pieces_(std::move(pieces)), by_carrier_(static_cast<std::size_t>(size_)),
      by_home_(static_cast<std::size_t>(groups_)), builder_(6 * pieces_.size()) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const int carrier = pieces_[i].carriers[static_cast<std::size_t>(group_)];
        by_carrier_[static_cast<std::size_t>(carrier - first_)].push_back(i);
        if (carrier == rank_)
            by_home_[static_cast<std::size_t>(pieces_[i].home)].push_back(i);
    }
}

template <typename Visit>
void GroupPhases::for_carrier(int number, Visit visit) {
    for (const auto i : by_carrier_[static_cast<std::size_t>(modulo(number, size_))])
        visit(pieces_[i]);
}

template <typename Visit>
void GroupPhases::for_home(int home, Visit visit) {
    for (const auto i : by_home_[static_cast<std::size_t>(modulo(home, groups_))])
        visit(pieces_[i]);
}

int GroupPhases::other_carrier(const Piece& piece, int distance) const {
    return piece.carriers[static_cast<std::size_t>(modulo(group_ + distance, groups_))];
}

void GroupPhases::pass_on(Piece& piece, int to) {
    piece.reader = builder_.send(piece.value, to, {piece.ready});
}

void GroupPhases::absorb(Piece& piece, int from, const Region& into) {
    const auto received = builder_.receive(into, from);
    piece.ready = builder_.combine(piece.value, into, {received, piece.ready});
    piece.value = into;
}

void GroupPhases::take(Piece& piece, int from) {
    const auto reader = piece.value == piece.place ? piece.reader : no_step;
    piece.ready = builder_.receive(piece.place, from, {reader});
    piece.value = piece.place;
}

// In a ring of `size` a piece ends at a rank, after it started at the next one: in step s a rank
// passes on the pieces that end s behind it.
void GroupPhases::combine_within(Carrier carrier) {
    const int behind = carrier == Carrier::first ? 1 : 0; // the ring's end, behind the carrier
    const bool goes_on = carrier == Carrier::last && groups_ > 1;
    for (int step = 1; step < size_; ++step) {
        for_carrier(me_ - step + behind, [&](Piece& piece) { pass_on(piece, rank_within(1)); });
        for_carrier(me_ - 1 - step + behind, [&](Piece& piece) {
            const bool others_follow = goes_on && step + 1 == size_;
            absorb(piece, rank_within(-1), others_follow ? scratch(piece) : place_of(piece));
        });
    }
}

void GroupPhases::combine_between() {
    for (int step = 1; step < groups_; ++step) {
        for_home(group_ - step, [&](Piece& piece) { pass_on(piece, other_carrier(piece, 1)); });
        for_home(group_ - 1 - step,
                 [&](Piece& piece) { absorb(piece, other_carrier(piece, -1), place_of(piece)); });
    }
}

// The first group's value is the left operand on both sides, and results replace right operands. So
// the second group combines into a copy of its value: the value itself may still be on its way.
void GroupPhases::combine_in_both() {
    assert(groups_ == 2);
    for (auto* carried : {&by_home_[0], &by_home_[1]}) {
        for (const auto i : *carried)
            pass_on(pieces_[i], other_carrier(pieces_[i], 1));
        for (const auto i : *carried) {
            auto& piece = pieces_[i];
            if (group_ == 0) {
                absorb(piece, other_carrier(piece, 1), piece.place);
                continue;
            }
            const auto theirs = scratch(piece);
            const auto received = builder_.receive(theirs, other_carrier(piece, 1));
            const auto copied = builder_.copy(piece.value, piece.place, {piece.ready});
            piece.ready = builder_.combine(theirs, piece.place, {received, copied});
            piece.value = piece.place;
        }
    }
}

void GroupPhases::spread_between() {
    for (int step = 1; step < groups_; ++step) {
        for_home(group_ - step + 1, [&](Piece& piece) { pass_on(piece, other_carrier(piece, 1)); });
        for_home(group_ - step, [&](Piece& piece) { take(piece, other_carrier(piece, -1)); });
    }
}

void GroupPhases::spread_within() {
    for (int step = 1; step < size_; ++step) {
        for_carrier(me_ - step + 1, [&](Piece& piece) { pass_on(piece, rank_within(1)); });
        for_carrier(me_ - step, [&](Piece& piece) { take(piece, rank_within(-1)); });
    }
}

} // namespace alltold
