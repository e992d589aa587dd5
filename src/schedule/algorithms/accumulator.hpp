// SPDX-License-Identifier: BSD-3-Clause
// A rank's own contribution, combined with values that arrive one after another.
#pragma once

#include <algorithm>

#include "schedule/builder.hpp"

namespace alltold {

/// Which operand of a combination an arriving value becomes.
enum class Side : std::uint8_t { left, right };

/// The value that a rank has combined so far, and where it lies. Every value is received into
/// memory of its own, so that all receives can be posted at once. A combination overwrites its
/// right operand: a value from the right becomes the result where it arrived; for one from the
/// left, the rank's own contribution, which is only read, is first copied.
class Accumulator {
  public:
    /// `sides` has one entry per value to come; the last combination ends in `result` (anywhere, if
    /// there is none). Without values to come, `own` is copied there.
    Accumulator(Builder& builder, Region own, std::vector<Side> sides, std::optional<Region> result)
        : builder_(builder), value_(own), writable_(own), sides_(std::move(sides)),
          result_(result) {
        rights_ = std::ranges::count(sides_, Side::right);
        if (sides_.empty() ? result.has_value() : sides_.front() == Side::left) {
            writable_ = rights_ > 0 || !result ? builder.scratch(own.size_bytes) : *result;
            copied_ = builder.copy(own, writable_);
        }
    }

    /// The value combined so far; complete after ready().
    Region value() const { return value_; }
    Step ready() const { return ready_; }

    /// Receives the next value from `rank` and combines it. `sent` is the last operation that
    /// reads value().
    void receive(int rank, Step sent = no_step) {
        const auto side = sides_[next_++];
        rights_ -= side == Side::right;
        // A value that arrives from the left later is put before it there.
        const bool stays = side == Side::right && rights_ == 0 && result_;
        const auto arrived = stays ? *result_ : builder_.scratch(value_.size_bytes);
        const auto received = builder_.receive(arrived, rank);
        if (side == Side::right) {
            ready_ = builder_.combine(value_, arrived, {received, ready_});
            value_ = writable_ = arrived;
        } else {
            const bool overwrites = value_ == writable_;
            ready_ = builder_.combine(arrived, writable_,
                                      {received, ready_, copied_, overwrites ? sent : no_step});
            value_ = writable_;
        }
        copied_ = no_step;
    }

  private:
    Builder& builder_;
    Region value_, writable_; ///< they differ where the own contribution has been copied
    std::vector<Side> sides_;
    std::optional<Region> result_;
    std::ptrdiff_t rights_ = 0; ///< to come
    std::size_t next_ = 0;
    Step ready_ = no_step;
    Step copied_ = no_step;
};

} // namespace alltold
