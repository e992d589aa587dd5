// SPDX-License-Identifier: BSD-3-Clause
// Calls with a count for every rank, turned into the bytes of an all-to-all-v or an allgather.
#include <functional>

#include "runtime/call.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold {

/// The memory of the block that one rank sends or receives.
struct CallBlock {
    Layout layout = {};
    std::byte* at = nullptr;
    std::int64_t count = 0;

    std::uint64_t size_bytes() const {
        return layout.size_bytes() * static_cast<std::uint64_t>(count);
    }
};

namespace {

Status check_block(std::int64_t count, MPI_Datatype type) {
    if (count < 0)
        return mpi::argument_error(MPI_ERR_COUNT, "a count below 0");
    if (count > 0 && type == MPI_DATATYPE_NULL)
        return mpi::argument_error(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
    return Done{};
}

/// By integers, because `buffer` may be null: MPI_BOTTOM, or the place of no bytes.
std::byte* bytes_at(const void* buffer, MPI_Aint offset_bytes) {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(buffer) + offset_bytes);
}

/// The block of every rank. Fails with MPI's code for a negative count, no type or no array.
Result<CallBlocks> blocks_of(const VectorSide& side, int ranks) {
    if (side.type == MPI_DATATYPE_NULL)
        return mpi::argument_error(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
    if (!side.counts || !side.displacements)
        return mpi::argument_error(MPI_ERR_ARG, "no counts or no displacements");
    ALLTOLD_TRY(layout, Layout::of(side.type));
    CallBlocks blocks;
    blocks.reserve(static_cast<std::size_t>(ranks));
    for (int i = 0; i < ranks; ++i) {
        ALLTOLD_TRY_DONE(check_block(side.counts[i], side.type));
        blocks.push_back({*layout,
                          bytes_at(side.buffer, side.displacements[i] * layout->extent_bytes()),
                          side.counts[i]});
    }
    return blocks;
}

/// The block of every rank; the type of an empty one is not looked at.
Result<CallBlocks> blocks_of(const TypedSide& side, int ranks) {
    if (!side.counts || !side.displacements_bytes || !side.types)
        return mpi::argument_error(MPI_ERR_ARG, "no counts, displacements or types");
    CallBlocks blocks(static_cast<std::size_t>(ranks));
    for (int i = 0; i < ranks; ++i) {
        ALLTOLD_TRY_DONE(check_block(side.counts[i], side.types[i]));
        if (side.counts[i] == 0)
            continue;
        ALLTOLD_TRY(layout, Layout::of(side.types[i]));
        blocks[static_cast<std::size_t>(i)] = {
            *layout, bytes_at(side.buffer, side.displacements_bytes[i]), side.counts[i]};
    }
    return blocks;
}

/// One block, for or from rank `peer`; the others are empty.
Result<CallBlocks> blocks_of(const Side& side, int peer, int ranks) {
    ALLTOLD_TRY_DONE(check_block(side.count, side.type));
    CallBlocks blocks(static_cast<std::size_t>(ranks));
    if (side.count == 0)
        return blocks;
    ALLTOLD_TRY(layout, Layout::of(side.type));
    blocks[static_cast<std::size_t>(peer)] = {*layout, bytes_at(side.buffer, 0), side.count};
    return blocks;
}

/// Whether the schedule can work where the blocks are.
bool all_plain(const CallBlocks& blocks) {
    return std::ranges::all_of(
        blocks, [](const auto& block) { return block.count == 0 || block.layout.plain(); });
}

/// Sizes and places of blocks that stay where they are, counted from the lowest, which is returned.
std::byte* lay_out(const CallBlocks& blocks, std::vector<std::uint64_t>& bytes,
                   std::vector<std::uint64_t>& offsets) {
    std::byte* lowest = nullptr;
    bool any = false;
    for (const auto& block : blocks) {
        if (block.size_bytes() > 0 && (!any || std::less<>()(block.at, lowest)))
            lowest = block.at;
        any |= block.size_bytes() > 0;
    }
    for (const auto& block : blocks) {
        bytes.push_back(block.size_bytes());
        offsets.push_back(bytes.back() ? static_cast<std::uint64_t>(block.at - lowest) : 0);
    }
    return lowest;
}

/// Sizes and places of blocks that are packed one behind the other. Returns the bytes of all.
std::uint64_t lay_out_packed(const CallBlocks& blocks, std::vector<std::uint64_t>& bytes,
                             std::vector<std::uint64_t>& offsets) {
    std::uint64_t total = 0;
    for (const auto& block : blocks) {
        bytes.push_back(block.size_bytes());
        offsets.push_back(total);
        total += bytes.back();
    }
    return total;
}

} // namespace

Status Call::send_blocks(const CallBlocks& blocks, bool packed) {
    auto& shares = shape_.shares;
    if (!packed && all_plain(blocks)) {
        memory_.send = lay_out(blocks, shares.send_bytes, shares.send_offsets);
        return Done{};
    }
    auto* copy = own_bytes(lay_out_packed(blocks, shares.send_bytes, shares.send_offsets));
    memory_.send = copy;
    for (const auto& block : blocks) {
        ALLTOLD_TRY_DONE(block.layout.pack(block.at, block.count, copy, caller_.comm));
        copy += block.size_bytes();
    }
    return Done{};
}

void Call::receive_blocks(const CallBlocks& blocks) {
    auto& shares = shape_.shares;
    if (all_plain(blocks)) {
        memory_.receive = lay_out(blocks, shares.receive_bytes, shares.receive_offsets);
        return;
    }
    auto* packed = own_bytes(lay_out_packed(blocks, shares.receive_bytes, shares.receive_offsets));
    memory_.receive = packed;
    unpack(blocks, packed);
}

void Call::unpack(const CallBlocks& blocks, const std::byte* packed) {
    for (const auto& block : blocks) {
        if (block.size_bytes() > 0)
            unpack_.push_back({block.layout, packed, block.at, block.count});
        packed += block.size_bytes();
    }
}

Result<Call> Call::of_blocks(const Caller& caller, CallBlocks send, CallBlocks receive,
                             bool placed) {
    const auto rank = static_cast<std::size_t>(caller.rank);
    Call call;
    call.caller_ = caller;
    call.shape_.collective = Collective::alltoallv;
    call.sizes_differ_ = send[rank].size_bytes() != receive[rank].size_bytes();
    if (call.sizes_differ_) // it sends itself nothing
        send[rank].count = receive[rank].count = 0;
    // In place, what is sent must be out of the way of what arrives.
    ALLTOLD_TRY_DONE(call.send_blocks(send, placed));
    call.receive_blocks(receive);
    return call;
}

template <typename AnySide>
Result<Call> Call::exchange(const Caller& caller, const AnySide& send, const AnySide& receive) {
    ALLTOLD_TRY(in, blocks_of(receive, caller.size));
    if (send.buffer == MPI_IN_PLACE)
        return of_blocks(caller, *in, *in, true);
    const auto out = blocks_of(send, caller.size);
    return out ? of_blocks(caller, *out, *in, false) : out.error();
}

Result<Call> Call::alltoallv(const Caller& caller, const VectorSide& send,
                             const VectorSide& receive) {
    return exchange(caller, send, receive);
}

Result<Call> Call::alltoallw(const Caller& caller, const TypedSide& send,
                             const TypedSide& receive) {
    return exchange(caller, send, receive);
}

Result<Call> Call::rooted(const Caller& caller, const VectorSide& all, const Side& single, int root,
                          bool gathers) {
    ALLTOLD_TRY_DONE(caller.check_root(root));
    const bool is_root = caller.rank == root;
    const CallBlocks none(static_cast<std::size_t>(caller.size));
    ALLTOLD_TRY(many, is_root ? blocks_of(all, caller.size) : Result<CallBlocks>(none));
    const bool placed = is_root && single.buffer == MPI_IN_PLACE;
    if (placed) // its block stays where it is
        (*many)[static_cast<std::size_t>(root)] = {};
    ALLTOLD_TRY(one, placed ? Result<CallBlocks>(none) : blocks_of(single, root, caller.size));
    return gathers ? of_blocks(caller, *one, *many, false) : of_blocks(caller, *many, *one, false);
}

Result<Call> Call::gatherv(const Caller& caller, const Side& send, const VectorSide& receive,
                           int root) {
    return rooted(caller, receive, send, root, true);
}

Result<Call> Call::scatterv(const Caller& caller, const VectorSide& send, const Side& receive,
                            int root) {
    return rooted(caller, send, receive, root, false);
}

Result<Call> Call::allgatherv(const Caller& caller, const Side& send, const VectorSide& receive) {
    ALLTOLD_TRY(blocks, blocks_of(receive, caller.size));
    const auto& first = blocks->front();
    const auto size_bytes = first.size_bytes();
    const auto step = first.count * first.layout.extent_bytes();
    bool regular = true;
    for (std::size_t i = 0; i < blocks->size(); ++i) {
        const auto& block = (*blocks)[i];
        if (block.size_bytes() != size_bytes)
            return mpi::argument_error(MPI_ERR_ARG, "allgather needs blocks of equal size");
        regular &= block.at == first.at + static_cast<MPI_Aint>(i) * step;
    }
    if (regular)
        return of(caller,
                  {Collective::allgather, send, {first.at, receive.counts[0], receive.type}});
    const auto rank = static_cast<std::size_t>(caller.rank);
    ALLTOLD_TRY(source, send.buffer == MPI_IN_PLACE ? Result<CallBlocks>(*blocks)
                                                    : blocks_of(send, caller.rank, caller.size));
    const auto& sent = (*source)[rank];
    if (sent.size_bytes() != size_bytes)
        return mpi::argument_error(MPI_ERR_TRUNCATE, "blocks sent and received differ in size");
    Call call;
    call.caller_ = caller;
    call.shape_.collective = Collective::allgather;
    call.shape_.size_bytes = size_bytes;
    ALLTOLD_TRY_INTO(call.memory_.send, call.copied(sent.layout, sent.at, sent.count));
    auto* packed = call.own_bytes(size_bytes * blocks->size());
    call.memory_.receive = packed;
    call.unpack(*blocks, packed);
    return call;
}

} // namespace alltold
