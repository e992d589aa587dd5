// SPDX-License-Identifier: BSD-3-Clause
// One rank's schedule in a collective: a graph of operations on byte ranges of its buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alltold {

/// The three buffers of a rank: two of the caller and one of the executor.
enum class Buffer : std::uint8_t {
    send,    ///< the caller's send buffer; only ever read. A broadcast has none.
    receive, ///< the caller's receive buffer; the one buffer of a broadcast, at its root too
    scratch, ///< Schedule::scratch_bytes() of private memory, undefined at the start
};

/// `size_bytes` bytes from `offset_bytes` on in one buffer.
struct Region {
    Buffer buffer = Buffer::send;
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;

    std::uint64_t end_bytes() const { return offset_bytes + size_bytes; }
    bool overlaps(const Region& other) const {
        return buffer == other.buffer && offset_bytes < other.end_bytes() &&
               other.offset_bytes < end_bytes();
    }
    bool operator==(const Region&) const = default;
};

enum class Kind : std::uint8_t {
    send,    ///< reads `region`; complete once the region may be overwritten
    receive, ///< writes `region`; complete once all of it has arrived
    signal,  ///< sends a message of no bytes
    await,   ///< receives a message of no bytes
    copy,    ///< copies the rows of `region` to those of `target`, which they do not overlap
    /// `target` becomes `region` combined with `target`, in this order, element by element, by the
    /// operator of the reduction (MPI_Reduce_local); they do not overlap.
    combine,
    join, ///< does nothing; joins many after-edges into one
};

/// One operation. It may start as soon as every operation it is "after" is complete.
struct Operation {
    Kind kind = Kind::join;
    /// For send and signal: complete only once the receiver has started its side (MPI_Ssend).
    bool synchronous = false;
    /// For messages: the rank at the other end, never the rank itself.
    std::int32_t peer = -1;
    /// For messages: a send or signal meets the receive or await of its peer with the same tag.
    /// Tags of one ordered pair of ranks count 0, 1, 2, ... in the order of operations, on both
    /// sides.
    std::int32_t tag = -1;
    Region region = {};
    Region target = {}; ///< for copies and combinations: the same size
    /// For copies: the number of regions. `region` and `target` are the first; the others follow at
    /// `region_stride_bytes` and `target_stride_bytes`, which may be negative.
    std::int32_t rows = 1;
    std::int64_t region_stride_bytes = 0;
    std::int64_t target_stride_bytes = 0;

    Region region_row(std::int32_t row) const { return moved(region, row, region_stride_bytes); }
    Region target_row(std::int32_t row) const { return moved(target, row, target_stride_bytes); }

    bool is_message() const { return kind <= Kind::await; }
    /// Whether this reads `region` and writes `target` on its own rank.
    bool is_local() const { return kind == Kind::copy || kind == Kind::combine; }
    /// Whether this is the sending side of a message.
    bool is_outgoing() const { return kind == Kind::send || kind == Kind::signal; }
    bool is_incoming() const { return kind == Kind::receive || kind == Kind::await; }

  private:
    static Region moved(Region first, std::int32_t row, std::int64_t stride_bytes) {
        first.offset_bytes += static_cast<std::uint64_t>(row * stride_bytes);
        return first;
    }
};

/// The operations of one rank, each with the earlier ones it must wait for.
class Schedule {
  public:
    Schedule() = default;
    /// `first_edge` has one entry more than there are operations; `edges` from first_edge[i] up to
    /// first_edge[i + 1] are the operations that i is after, all below i. Builder makes them.
    Schedule(std::vector<Operation> operations, std::vector<std::int32_t> first_edge,
             std::vector<std::int32_t> edges, std::uint64_t scratch_bytes)
        : operations_(std::move(operations)), first_edge_(std::move(first_edge)),
          edges_(std::move(edges)), scratch_bytes_(scratch_bytes) {}

    /// In an order in which they could run one after the other: edges point backwards only.
    std::span<const Operation> operations() const { return operations_; }
    int size() const { return static_cast<int>(operations_.size()); }
    const Operation& operator[](int i) const { return operations_[static_cast<std::size_t>(i)]; }
    /// The operations that must be complete before operation `i` starts.
    std::span<const std::int32_t> after(int i) const {
        const auto at = static_cast<std::size_t>(i);
        return std::span(edges_).subspan(
            static_cast<std::size_t>(first_edge_[at]),
            static_cast<std::size_t>(first_edge_[at + 1] - first_edge_[at]));
    }
    std::uint64_t scratch_bytes() const { return scratch_bytes_; }

  private:
    std::vector<Operation> operations_;
    std::vector<std::int32_t> first_edge_ = {0};
    std::vector<std::int32_t> edges_;
    std::uint64_t scratch_bytes_ = 0;
};

/// "send", "receive", "signal", "await", "copy", "join"
std::string_view name_of(Kind kind);

/// "send", "receive", "scratch"
std::string_view name_of(Buffer buffer);

/// "send scratch[0..9] to 3", "await signal of 2", "copy send[0..9] to receive[0..9]"
std::string text_of(const Operation& operation);

} // namespace alltold
