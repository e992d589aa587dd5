// SPDX-License-Identifier: BSD-3-Clause
// One rank's part in the blocks of a shape, and the right to switch, which one shape of a process
// has.
#pragma once

#include <mutex>
#include <optional>

#include "preload/switchback.hpp"

namespace alltold::preload {

class RankBlocks;

/// Holds for this process the shape that switches, since two at once would disturb each other, and
/// what challengers of all shapes have lost. Thread-safe.
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

/// A moment of a process: the time, and the calls of collectives of all shapes that have ended.
struct Moment {
    double now_s = 0;
    double collectives = 0;
    double inside_s = 0; ///< the time of those calls
};

/// The blocks of a shape on this rank. A block ends when the last rank enters the call after it: a
/// root runs ahead until buffers are full, and then waits, so times of one rank say little. Knows
/// no clock.
class RankBlocks {
  public:
    /// At the end of a block, of which all ranks take the maximum.
    struct Figures {
        double end_s = 0, mark_s = 0; ///< since align()
        double busy = 0, spent_elsewhere_s = 0, outside_s = 0, others = 0,
               barrier_s = 0; ///< as in Agreed
    };

    RankBlocks(Switchback switchback, SwitchRight& right, const Moment& now)
        : switchback_(std::move(switchback)), right_(right), mark_s_(now.now_s), began_(now) {}
    ~RankBlocks() { right_.give_back(*this); }
    RankBlocks(const RankBlocks&) = delete;
    RankBlocks& operator=(const RankBlocks&) = delete;

    const Switchback& switchback() const { return switchback_; }
    /// Times count from `now_s`, at which all ranks call this, before the first turn().
    void align(double now_s, double barrier_s) {
        zero_s_ = now_s;
        barrier_s_ = barrier_s;
    }
    /// At Switchback::at_mark().
    void mark(double now_s) { mark_s_ = now_s; }
    /// The candidate of the call that begins now. At a border, turn() comes first.
    std::size_t next() {
        switchback_.count_call();
        ++calls_;
        return switchback_.runs();
    }
    /// Ends a block. `agreed`: the maximum of the figures of the block before; empty at the first
    /// border. Returns this rank's figures of the block.
    Figures turn(const Moment& now, const std::optional<Figures>& agreed);

  private:
    Switchback switchback_;
    SwitchRight& right_;
    double zero_s_ = 0, barrier_s_ = 0;
    double mark_s_;                    ///< or the start
    Moment began_;                     ///< the block's first call
    double calls_ = 0;                 ///< in the block
    std::optional<double> last_end_s_; ///< agreed
    double told_s_ = 0;                ///< losses
};

} // namespace alltold::preload
