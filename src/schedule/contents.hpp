// SPDX-License-Identifier: BSD-3-Clause
// The contents of a buffer, and sets of block bytes, both as intervals of addresses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/result.hpp"

namespace alltold {

/// Bytes `address` up to `address + size_bytes` of the collective's blocks (see Placement).
struct Run {
    std::uint64_t address = 0;
    std::uint64_t size_bytes = 0;
    bool operator==(const Run&) const = default;
};

/// Which byte of which block lies at each offset of one buffer.
class Contents {
  public:
    /// Puts `runs`, one behind the other, at `offset_bytes`, over whatever was there.
    void put(std::uint64_t offset_bytes, const std::vector<Run>& runs);
    /// Replaces `runs` by what lies there; false when some byte has never been written.
    bool get(std::uint64_t offset_bytes, std::uint64_t size_bytes, std::vector<Run>& runs) const;
    /// How many bytes have been written.
    std::uint64_t written_bytes() const;

  private:
    struct Extent {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        std::uint64_t address = 0;
    };
    void clear(std::uint64_t from, std::uint64_t to);
    std::size_t first_ending_after(std::uint64_t offset) const;

    std::vector<Extent> extents_; ///< by offset, without overlap
};

/// A set of addresses.
class AddressSet {
  public:
    /// The lowest member in `run`, if any.
    std::optional<std::uint64_t> first_in(const Run& run) const;
    /// The lowest address of `run` that is no member, if any.
    std::optional<std::uint64_t> first_missing(const Run& run) const;
    void insert(const Run& run);
    void erase(const Run& run);
    std::optional<std::uint64_t> first() const;

  private:
    struct Interval {
        std::uint64_t from, to;
    };
    std::size_t first_ending_after(std::uint64_t address) const;

    std::vector<Interval> intervals_; ///< by address, neither overlapping nor touching
};

/// Values of one element: value r is the contribution of rank r; further ones are combinations of
/// two. Equal numbers mean equal operands combined in the same order, so equal bits.
class Contributions {
  public:
    Contributions(int ranks, bool commutative);

    /// The value of `left` combined with `right`. Fails if both have a contribution of the same
    /// rank, or if they are not adjacent in the order of ranks where the operator does not commute.
    Result<std::uint64_t> combined(std::uint64_t left, std::uint64_t right);
    /// Whether `value` has the contributions of ranks 0 to `count` - 1 and no others.
    bool is_of_first(std::uint64_t value, int count) const;
    /// "rank 3", "ranks 0 to 3", "ranks 0, 2, 4 to 7".
    std::string text(std::uint64_t value) const;

  private:
    using Ranks = std::vector<bool>;
    int lowest(std::uint64_t value) const;
    int highest(std::uint64_t value) const;

    bool commutative_;
    std::vector<Ranks> values_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> combinations_;
};

} // namespace alltold
