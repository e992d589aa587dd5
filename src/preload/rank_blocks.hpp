// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in the blocks of a shape, and the right to switch, which one shape of a process
// has.
#pragma once

#include <mutex>
#include <optional>

#include "preload/switchback.hpp"

namespace alltold::preload {

class RankBlocks;

/// Of this process: the shape that switches, since two at once would disturb each other, and what
/// challengers of all shapes have lost. Thread-safe.
class SwitchRight {
  public:
    static SwitchRight& of_process();

    /// Takes or keeps the right. False if another shape has it, unless that is overdue: its calls
    /// have ended, and it is told at its next border. It will be overdue at `until_s`.
    bool reserve(const RankBlocks& shape, double now_s, double until_s);
    void give_back(const RankBlocks& shape);
    void add_loss(double time_s);
    double lost_s() const;

  private:
    mutable std::mutex mutex_;
    const RankBlocks* holder_ = nullptr;
    double until_s_ = 0;
    double lost_s_ = 0;
};

/// The blocks of a shape on this rank. Knows no clock.
class RankBlocks {
  public:
    RankBlocks(Switchback switchback, SwitchRight& right, double now_s)
        : switchback_(std::move(switchback)), right_(right), start_s_(now_s) {}
    ~RankBlocks() { right_.give_back(*this); }
    RankBlocks(const RankBlocks&) = delete;
    RankBlocks& operator=(const RankBlocks&) = delete;

    const Switchback& switchback() const { return switchback_; }
    /// The candidate of the call that begins now. At a border, turn() comes first.
    std::size_t next() {
        switchback_.count_call();
        return switchback_.runs();
    }
    /// Ends a block. `agreed`: what the ranks agreed on of the block before; empty at the first
    /// border. Returns this rank's figures of the block, on which the ranks are to agree.
    Switchback::Agreed turn(double now_s, const std::optional<Switchback::Agreed>& agreed);

  private:
    Switchback switchback_;
    SwitchRight& right_;
    double start_s_;
    double told_s_ = 0; ///< losses
};

} // namespace alltold::preload
