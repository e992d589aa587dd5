// SPDX-License-Identifier: BSD-3-Clause
// Counts, displacements and types of the caller, looked at block by block.
#include "runtime/call_blocks.hpp"

#include <cstddef>
#include <cstdint>

#include "runtime/mpi/error.hpp"

namespace alltold {
namespace {

Status check_block(int count, MPI_Datatype type) {
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

} // namespace

Result<CallBlocks> blocks_of(const VectorSide& side, int ranks) {
    if (side.type == MPI_DATATYPE_NULL)
        return mpi::argument_error(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
    if (!side.counts || !side.displacements)
        return mpi::argument_error(MPI_ERR_ARG, "no counts or no displacements");
    const auto layout = Layout::of(side.type);
    if (!layout)
        return layout.error();
    CallBlocks blocks;
    blocks.reserve(static_cast<std::size_t>(ranks));
    for (int i = 0; i < ranks; ++i) {
        if (auto ok = check_block(side.counts[i], side.type); !ok)
            return ok.error();
        blocks.push_back({*layout,
                          bytes_at(side.buffer, side.displacements[i] * layout->extent_bytes()),
                          side.counts[i]});
    }
    return blocks;
}

Result<CallBlocks> blocks_of(const TypedSide& side, int ranks) {
    if (!side.counts || !side.displacements_bytes || !side.types)
        return mpi::argument_error(MPI_ERR_ARG, "no counts, displacements or types");
    CallBlocks blocks(static_cast<std::size_t>(ranks));
    for (int i = 0; i < ranks; ++i) {
        if (auto ok = check_block(side.counts[i], side.types[i]); !ok)
            return ok.error();
        if (side.counts[i] == 0)
            continue;
        const auto layout = Layout::of(side.types[i]);
        if (!layout)
            return layout.error();
        blocks[static_cast<std::size_t>(i)] = {
            *layout, bytes_at(side.buffer, side.displacements_bytes[i]), side.counts[i]};
    }
    return blocks;
}

Result<CallBlocks> blocks_of(const Side& side, int peer, int ranks) {
    if (auto ok = check_block(side.count, side.type); !ok)
        return ok.error();
    CallBlocks blocks(static_cast<std::size_t>(ranks));
    if (side.count == 0)
        return blocks;
    const auto layout = Layout::of(side.type);
    if (!layout)
        return layout.error();
    blocks[static_cast<std::size_t>(peer)] = {*layout, bytes_at(side.buffer, 0), side.count};
    return blocks;
}

} // namespace alltold
