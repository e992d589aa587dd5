// SPDX-License-Identifier: BSD-3-Clause
// Defines collectives, whatever the algorithm: which rank holds which block before and after.
#pragma once

#include <array>

#include "core/result.hpp"
#include "schedule/schedule.hpp"

namespace alltold {

enum class Collective : std::uint8_t {
    bcast,
    scatter,
    gather,
    alltoall,
    alltoallv,
    allgather,
    reduce,
    allreduce,
    reduce_scatter_block,
    scan,
    exscan,
    barrier,
};

inline constexpr std::array all_collectives{
    Collective::bcast,    Collective::scatter,   Collective::gather,
    Collective::alltoall, Collective::alltoallv, Collective::allgather,
    Collective::reduce,   Collective::allreduce, Collective::reduce_scatter_block,
    Collective::scan,     Collective::exscan,    Collective::barrier};
/// Those with one block size for all ranks, which determines all sizes of a call.
inline constexpr std::array uniform_collectives{
    Collective::bcast,     Collective::scatter,
    Collective::gather,    Collective::alltoall,
    Collective::allgather, Collective::reduce,
    Collective::allreduce, Collective::reduce_scatter_block,
    Collective::scan,      Collective::exscan,
    Collective::barrier};
/// Those of the papers, which `measure` and `tune` time by default.
inline constexpr std::array papers_collectives{Collective::bcast, Collective::scatter,
                                               Collective::gather, Collective::alltoall};
/// Those that a study times by default: what programs call most (docs/measuring.md#study).
inline constexpr std::array studied_collectives{
    Collective::bcast,     Collective::scatter, Collective::gather,   Collective::alltoall,
    Collective::allgather, Collective::reduce,  Collective::allreduce};

/// The properties that tell collectives apart, for code that treats them alike.
struct CollectiveTraits {
    std::string_view name;
    bool rooted = false;
    bool reduces = false;  ///< combines contributions with an operator (see Reduction)
    bool has_data = true;  ///< false for a barrier, whose messages are signals
    bool per_pair = false; ///< every pair of ranks has a block of a size of its own
    /// How many blocks the block size counts: 1, the ranks, or the pairs of ranks.
    enum class Blocks : std::uint8_t { one, per_rank, per_pair } blocks = Blocks::one;
};
/// In the order of the enumeration.
inline constexpr std::array<CollectiveTraits, all_collectives.size()> collective_traits{{
    {.name = "bcast", .rooted = true},
    {.name = "scatter", .rooted = true, .blocks = CollectiveTraits::Blocks::per_rank},
    {.name = "gather", .rooted = true, .blocks = CollectiveTraits::Blocks::per_rank},
    {.name = "alltoall", .blocks = CollectiveTraits::Blocks::per_pair},
    {.name = "alltoallv", .per_pair = true, .blocks = CollectiveTraits::Blocks::per_pair},
    {.name = "allgather", .blocks = CollectiveTraits::Blocks::per_rank},
    {.name = "reduce",
     .rooted = true,
     .reduces = true,
     .blocks = CollectiveTraits::Blocks::per_rank},
    {.name = "allreduce", .reduces = true, .blocks = CollectiveTraits::Blocks::per_rank},
    {.name = "reduce_scatter_block", .reduces = true, .blocks = CollectiveTraits::Blocks::per_pair},
    {.name = "scan", .reduces = true, .blocks = CollectiveTraits::Blocks::per_rank},
    {.name = "exscan", .reduces = true, .blocks = CollectiveTraits::Blocks::per_rank},
    {.name = "barrier", .has_data = false},
}};
constexpr const CollectiveTraits& traits_of(Collective collective) {
    return collective_traits[static_cast<std::size_t>(collective)];
}

constexpr std::string_view name_of(Collective collective) {
    return traits_of(collective).name;
}
/// The collective of that name; none for another word.
std::optional<Collective> collective_named(std::string_view name);
/// Fails, listing the names of those `allowed`, if it is not one of them.
Result<Collective> parse_collective(std::string_view name,
                                    std::span<const Collective> allowed = all_collectives);

/// A block is what one rank has for another, or for everyone. What a reduction combines from
/// several ranks has everyone as its source.
struct Block {
    static constexpr int everyone = -1;
    int source = 0;
    int destination = everyone;
    bool operator==(const Block&) const = default;
};

/// A block's place in a buffer of one rank. `address` numbers the bytes of all blocks of the
/// collective consecutively, so that each byte can be tracked.
struct Placement {
    Block block;
    Region region;
    std::uint64_t address = 0;
    /// For results of a reduction: the region combines the contributions of ranks 0 up to this, and
    /// `address` numbers the bytes of one rank's contribution. 0: a block as it was.
    int contributions = 0;
};

/// The operator of a reduction, as far as schedules depend on it.
struct Reduction {
    std::uint64_t unit_bytes = 1; ///< of one element; at least 1. No element is cut.
    bool commutative = true;      ///< otherwise contributions are combined in the order of ranks
    bool operator==(const Reduction&) const = default;
};

/// Sizes and places of one rank's blocks in an all-to-all-v, one entry per peer, in bytes.
struct Shares {
    std::vector<std::uint64_t> send_bytes, send_offsets, receive_bytes, receive_offsets;
    /// Sizes of blocks between other ranks, from the size exchange (see SizeExchange).
    std::vector<std::uint64_t> relayed_bytes = {};
    bool operator==(const Shares&) const = default;
};

/// One call of a collective by `ranks` ranks, rooted where the collective has a root.
class Specification {
  public:
    /// One of those with one block size; `root` is not looked at where there is none:
    /// - bcast: every rank has the root's `size_bytes` in its receive buffer in the end;
    /// - scatter: block j of the root's send buffer, `size_bytes` each, ends in the receive buffer
    ///   of rank j;
    /// - gather: the send buffer of rank j, `size_bytes` each, ends as block j of the root's
    ///   receive buffer;
    /// - alltoall: block j of rank i's send buffer ends as block i of rank j's receive buffer;
    /// - allgather: the send buffer of rank j, `size_bytes` each, ends as block j everywhere;
    /// - reduce, allreduce: send buffers of `size_bytes` are combined, at the root or everywhere;
    ///   an allreduce combines them in one order, so that all ranks have the same bits;
    /// - reduce_scatter_block: send buffers have a block of `size_bytes` for every rank, which
    ///   gets the combination of those for it;
    /// - scan, exscan: rank j gets the combination of ranks 0 to j, or to j - 1;
    /// - barrier: no rank is done before all have started; `size_bytes` is not looked at.
    static Specification of(Collective collective, int ranks, int root, std::uint64_t size_bytes,
                            const Reduction& reduction = {});
    /// An all-to-all-v with a size for every pair: sizes_bytes[i * ranks + j] from i to j. Blocks
    /// lie in rank order, with `gap_bytes` of memory between them that must stay untouched.
    static Specification alltoallv(int ranks, std::vector<std::uint64_t> sizes_bytes,
                                   std::uint64_t gap_bytes = 0);

    Collective collective() const { return collective_; }
    int ranks() const { return ranks_; }
    int root() const { return root_; }
    /// Bytes of one block; 0 for all-to-all-v, where every pair has its own.
    std::uint64_t size_bytes() const { return size_bytes_; }
    std::uint64_t size_bytes(int source, int destination) const;
    const Reduction& reduction() const { return reduction_; }
    /// Bytes of one rank's contribution to a reduction.
    std::uint64_t contribution_bytes() const;

    std::vector<Placement> before(int rank) const;
    std::vector<Placement> after(int rank) const;
    /// Bytes of the caller's send or receive buffer at `rank`.
    std::uint64_t buffer_bytes(int rank, Buffer buffer) const;
    /// The sizes that rank `rank` knows in an all-to-all-v: its own row and column.
    Shares shares(int rank) const;

    /// Whether a byte may leave the same rank more than once: where several ranks want it.
    bool may_repeat() const;
    /// The block that holds the byte with number `address`. In a reduction, contributions come
    /// first; then everyone is source and destination.
    Block block_at(std::uint64_t address) const;
    /// The number of the first byte of `block`.
    std::uint64_t address_of(const Block& block) const {
        return address_of(block.source, block.destination);
    }
    std::uint64_t size_bytes(const Block& block) const {
        return size_bytes(block.source, block.destination);
    }

  private:
    Specification(Collective collective, int ranks, int root, std::uint64_t size_bytes);
    std::uint64_t address_of(int source, int destination) const;

    Collective collective_;
    int ranks_;
    int root_;
    std::uint64_t size_bytes_;
    Reduction reduction_;
    std::uint64_t gap_bytes_ = 0;
    std::vector<std::uint64_t> sizes_bytes_; ///< all-to-all-v: per pair, row by row
    std::vector<std::uint64_t> addresses_;   ///< all-to-all-v: running sum of sizes_bytes_
};

/// "3->7", "0->all" for a block for everyone, "all->3" for what is combined for a rank.
std::string text_of(const Block& block);

/// Rank 0 where none is given. Fails, naming --root, where one is given to a collective without
/// root, or is no rank.
Result<int> given_root(Collective collective, int ranks, std::optional<int> root);

} // namespace alltold
