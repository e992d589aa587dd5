// SPDX-License-Identifier: BSD-3-Clause
// Borders of blocks on one rank.
#include "preload/rank_blocks.hpp"

namespace alltold::preload {
namespace {

// A block that takes 10 times as long as expected, and a second more, is taken for one without end:
// longer than a challenger may be slower, or a TCP time-out lasts.
constexpr double overdue_factor = 10, overdue_s = 1;

} // namespace

SwitchRight& SwitchRight::of_process() {
    static auto& right = *new SwitchRight; // never destroyed, as all that MPI's end may need
    return right;
}

bool SwitchRight::reserve(const RankBlocks& shape, double now_s, double until_s) {
    const std::lock_guard lock(mutex_);
    if (holder_ && holder_ != &shape && now_s < until_s_)
        return false;
    holder_ = &shape;
    until_s_ = until_s;
    return true;
}

void SwitchRight::give_back(const RankBlocks& shape) {
    const std::lock_guard lock(mutex_);
    if (holder_ == &shape)
        holder_ = nullptr;
}

void SwitchRight::add_loss(double time_s) {
    const std::lock_guard lock(mutex_);
    lost_s_ += time_s;
}

double SwitchRight::lost_s() const {
    const std::lock_guard lock(mutex_);
    return lost_s_;
}

RankBlocks::Figures RankBlocks::turn(const Moment& now, const std::optional<Figures>& agreed) {
    if (agreed) {
        const auto& [end_s, mark_s, busy, spent_elsewhere_s, outside_s, others, barrier_s] =
            *agreed;
        switchback_.learn({end_s - mark_s, end_s - last_end_s_.value_or(mark_s), busy,
                           spent_elsewhere_s, outside_s, others, barrier_s});
        last_end_s_ = end_s;
    }
    switchback_.begin_block();
    right_.add_loss(switchback_.spent_s() - told_s_);
    told_s_ = switchback_.spent_s();
    Figures mine{now.now_s - zero_s_,
                 mark_s_ - zero_s_,
                 0,
                 right_.lost_s() - told_s_,
                 now.now_s - began_.now_s - (now.inside_s - began_.inside_s),
                 now.collectives - began_.collectives - calls_,
                 barrier_s_};
    mark_s_ = now.now_s;
    began_ = now;
    calls_ = 0;
    if (!switchback_.needs_right())
        right_.give_back(*this);
    else if (!right_.reserve(*this, now.now_s,
                             now.now_s + overdue_factor * switchback_.block_s() + overdue_s))
        mine.busy = 1;
    return mine;
}

} // namespace alltold::preload
