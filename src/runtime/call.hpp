// SPDX-License-Identifier: BSD-3-Clause
// A caller's arguments turned into plain bytes: what a schedule needs to know, and what it works
// on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include "predict/choice/choice.hpp"
#include "runtime/execute/execution.hpp"
#include "runtime/execute/layout.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// One side of a collective's arguments.
struct Side {
    const void* buffer = nullptr;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// The caller's counts or displacements, one per rank: ints, or what MPI's functions for large
/// counts have.
class Numbers {
  public:
    Numbers() = default;
    template <typename Number>
    Numbers(const Number* first) : first_(first), size_(sizeof(Number)) {}

    explicit operator bool() const { return first_; }
    bool operator==(const Numbers&) const = default;
    std::int64_t operator[](int rank) const {
        return size_ == sizeof(std::int32_t) ? at<std::int32_t>(rank) : at<std::int64_t>(rank);
    }

  private:
    template <typename Number>
    Number at(int rank) const {
        Number number = 0;
        std::memcpy(&number, static_cast<const Number*>(first_) + rank, sizeof number);
        return number;
    }

    const void* first_ = nullptr;
    std::size_t size_ = sizeof(int);
};

/// One side of an all-to-all-v's arguments; counts and displacements have one entry per rank.
struct VectorSide {
    const void* buffer = nullptr;
    Numbers counts = {};
    Numbers displacements = {};
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// One side of an all-to-all-w's arguments, with a type for every rank.
struct TypedSide {
    const void* buffer = nullptr;
    const int* counts = nullptr;
    const int* displacements_bytes = nullptr;
    const MPI_Datatype* types = nullptr;
};

/// The properties of a call on which its schedule depends. Equal shapes run the same program.
struct Shape {
    Collective collective = Collective::bcast;
    int root = 0;
    std::uint64_t size_bytes = 0; ///< one block's; 0 for all-to-all-v
    Shares shares = {};           ///< all-to-all-v only
    Reduction reduction = {};     ///< reductions only
    /// One of ours among the candidates of the communicator's rules (CallChoices::candidates_of);
    /// null: what the communicator has chosen.
    const Choice* picked = nullptr;
    bool operator==(const Shape&) const = default;
};

/// Whether the MPI library reports a message of `collective` that is shorter than its receive.
constexpr bool reports_short([[maybe_unused]] Collective collective) {
#ifdef MPICH_VERSION
    return collective == Collective::bcast;
#else
    return false;
#endif
}

/// Who calls: the caller's communicator, for packing, and this rank's place in it.
struct Caller {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int size = 1;

    /// Fails, with MPI's code, unless `root` is one of the ranks.
    Status check_root(int root) const;
};

/// A call of one of the regular collectives. A broadcast's one buffer is its receiving side; both
/// sides of a reduction have its count and type; a barrier has no data.
struct Arguments {
    Collective collective = Collective::bcast;
    Side send = {};
    Side receive = {};
    int root = 0; ///< 0 where there is none
    MPI_Op op = MPI_OP_NULL;
    const Choice* picked = nullptr; ///< Shape::picked
};

/// The arguments of a collective with blocks of equal size.
inline Arguments blocks(Collective collective, const void* send, MPI_Count send_count,
                        MPI_Datatype send_type, void* receive, MPI_Count receive_count,
                        MPI_Datatype receive_type, int root = 0) {
    return {
        collective, {send, send_count, send_type}, {receive, receive_count, receive_type}, root};
}
inline Arguments reduction(Collective collective, const void* send, void* receive, MPI_Count count,
                           MPI_Datatype type, MPI_Op op, int root = 0) {
    return {collective, {send, count, type}, {receive, count, type}, root, op};
}

struct CallBlock;
using CallBlocks = std::vector<CallBlock>; ///< one per rank

/// One call of a collective. Buffers whose data lie in memory as MPI would send them are used in
/// place; others are packed into memory of the call's own before it runs and unpacked after. Each
/// maker refuses negative counts and null types with the code that MPI has for it, and fails as MPI
/// does. Where the two sides of a rank differ in size, its call runs nevertheless, as other ranks
/// cannot know of that and wait for it, and finish() fails with MPI_ERR_TRUNCATE.
class Call {
  public:
    static Result<Call> of(const Caller& caller, const Arguments& arguments);
    static Result<Call> alltoallv(const Caller& caller, const VectorSide& send,
                                  const VectorSide& receive);
    static Result<Call> alltoallw(const Caller& caller, const TypedSide& send,
                                  const TypedSide& receive);
    /// An all-to-all-v in which blocks go to the root, or come from it, alone.
    static Result<Call> gatherv(const Caller& caller, const Side& send, const VectorSide& receive,
                                int root);
    static Result<Call> scatterv(const Caller& caller, const VectorSide& send, const Side& receive,
                                 int root);
    /// An allgather; fails with MPI_ERR_ARG where blocks differ in size.
    static Result<Call> allgatherv(const Caller& caller, const Side& send,
                                   const VectorSide& receive);

    /// Renumbers the ranks of the call: rank i of the schedule will be the caller's rank order[i].
    /// Blocks that lie in rank order are reordered in memory of the call's own.
    void reorder(std::span<const int> order);
    void pick(const Choice* picked) { shape_.picked = picked; }
    /// Sets the sizes that ranks exchanged before an all-to-all-v: Shares::relayed_bytes.
    void learn(std::vector<std::uint64_t> relayed_bytes) {
        shape_.shares.relayed_bytes = std::move(relayed_bytes);
    }

    const Caller& caller() const { return caller_; }
    const Shape& shape() const { return shape_; }
    /// Without scratch, which the program decides on.
    const Memory& memory() const { return memory_; }
    const std::shared_ptr<Reducer>& reducer() const { return reducer_; }
    /// Whether the schedule works on the caller's own memory alone.
    bool direct() const { return own_.empty(); }
    /// Keeps the types that finish() needs; the caller may free its own, and the communicator, from
    /// now on. The operator of a reduction cannot be kept, so it must be one of MPI's own, with
    /// types that no one can free. Fails as MPI does.
    Status hold_types();
    /// Unpacks what was received; to be called once, after the run. Fails as MPI does.
    Status finish();

  private:
    struct Unpack {
        Layout layout;
        const std::byte* from;
        std::byte* to;
        std::int64_t count;
    };
    using Bytes = std::unique_ptr<std::byte[]>;
    /// The two sides of a scatter or gather.
    struct Ends {
        bool is_root = false;
        bool placed = false; ///< the root's own block is in place
        Layout all;          ///< the root's blocks for every rank
        Layout single;
    };

    Status take(const Arguments& arguments);
    Status bcast(const Arguments& arguments);
    Status scatter(const Arguments& arguments);
    Status gather(const Arguments& arguments);
    /// An all-to-all or allgather: all ranks receive from all.
    Status from_all(const Arguments& arguments);
    Status reduction(const Arguments& arguments);
    Result<Ends> ends(const Side& all, const Side& single);

    /// The bytes of `count` items, in place or packed.
    Result<const std::byte*> readable(const Layout& layout, const void* buffer, std::int64_t count);
    /// The memory for `count` items that arrive, in place or to be unpacked by finish().
    std::byte* writable(const Layout& layout, void* buffer, std::int64_t count);
    /// A copy of `count` items as bytes, for MPI_IN_PLACE: what is sent must be out of the way of
    /// what arrives.
    Result<const std::byte*> copied(const Layout& layout, const void* buffer, std::int64_t count);
    std::byte* own_bytes(std::size_t size_bytes);
    /// As readable() of `blocks` blocks of `count` items, each cut or filled up to the shape's
    /// size.
    Result<const std::byte*> fitted(const Layout& layout, const void* buffer, std::int64_t count,
                                    int blocks);
    const std::byte* reordered_send(std::span<const int> order);
    std::byte* reordered_receive(std::span<const int> order);
    /// An all-to-all-v of these blocks; `placed`: those sent lie where others arrive.
    template <typename AnySide>
    static Result<Call> exchange(const Caller& caller, const AnySide& send, const AnySide& receive);
    /// One that gathers single blocks in all those of the root, or scatters these.
    static Result<Call> rooted(const Caller& caller, const VectorSide& all, const Side& single,
                               int root, bool gathers);
    static Result<Call> of_blocks(const Caller& caller, CallBlocks send, CallBlocks receive,
                                  bool placed);
    Status send_blocks(const CallBlocks& blocks, bool packed);
    void receive_blocks(const CallBlocks& blocks);
    /// Has finish() unpack blocks that lie one behind the other.
    void unpack(const CallBlocks& blocks, const std::byte* packed);

    Caller caller_;
    Shape shape_;
    Memory memory_;
    std::vector<Bytes> own_;
    std::vector<Unpack> unpack_;
    std::shared_ptr<Reducer> reducer_;        ///< for reductions; memory_ refers to it
    std::vector<std::shared_ptr<void>> held_; ///< types in unpack_ that are our own
    bool sizes_differ_ = false;               ///< of this rank's two sides
};

} // namespace alltold
