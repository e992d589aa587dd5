// SPDX-License-Identifier: BSD-3-Clause
// The tags of the calls on one communicator, any number of which may be open at once.
#pragma once

#include <memory>

#include "schedule/specification.hpp"

namespace alltold {

class Pending;

/// Blocking calls of a collective follow each other, so they share their tags: between two ranks,
/// messages of one tag arrive in the order of the calls. Other collectives have others where there
/// are enough, as in MPI libraries: if a rank leaves out a call, by an error of the program, the
/// next one of another kind must not receive what was sent to it. A nonblocking call must share
/// them with no other open call, since either may post its messages in between those of the other.
/// So it takes one of `slots` in turn, and waits for an earlier call that has the same slot. That
/// earlier call cannot depend on this one, because every rank made it before.
class OpenCalls {
  public:
    static constexpr int slots = 63; ///< and one for blocking calls

    /// `highest_tag` is the communicator's.
    explicit OpenCalls(int highest_tag)
        : tags_of_slot_(highest_tag / (slots + 1)),
          open_(std::make_shared<std::vector<Pending*>>()) {}

    /// The tags of another communicator with the same ranks. Its calls and these advance together.
    std::shared_ptr<OpenCalls> beside() const;

    int tags_per_call() const { return divided() ? tags_of_slot_ / collectives : tags_of_slot_; }
    int blocking_tag(Collective collective) const {
        return divided() ? static_cast<int>(collective) * tags_per_call() : 0;
    }

    /// Adds the next nonblocking call; its number is the same on every rank.
    std::uint64_t add(Pending& call);
    /// Whether no open call has the tags of call `number`.
    bool may_start(std::uint64_t number) const {
        return finished_[number % slots] == number / slots;
    }
    int first_tag(std::uint64_t number) const {
        return static_cast<int>(number % slots + 1) * tags_of_slot_;
    }
    /// Marks call `number`, which was started, as complete: it sends and receives no more.
    void finish(std::uint64_t number, const Pending& call);
    /// Advances all open calls, the earliest first. Each call keeps its own error.
    void advance();
    /// Advances them until those of this communicator are complete. Every rank must be about to do
    /// so, or to wait for them.
    void complete();
    bool none() const { return open_->empty(); }
    bool only_one() const { return open_->size() == 1; }

  private:
    static constexpr int collectives = static_cast<int>(all_collectives.size());
    /// With fewer tags a call of many segments would have too few.
    static constexpr int enough_tags = 1 << 16;
    bool divided() const { return tags_of_slot_ / collectives >= enough_tags; }

    int tags_of_slot_;
    std::uint64_t next_ = 0;
    std::uint64_t complete_ = 0;                  ///< how many calls
    std::array<std::uint64_t, slots> finished_{}; ///< the same by slot
    std::shared_ptr<std::vector<Pending*>> open_; ///< in the order of their starts
};

} // namespace alltold
