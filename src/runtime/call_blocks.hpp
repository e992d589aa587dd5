// SPDX-License-Identifier: BSD-3-Clause
// The sides of a call's arguments, and the blocks of those that have a count for every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "core/result.hpp"
#include "runtime/execute/layout.hpp"

namespace alltold {

/// One side of a collective's arguments.
struct Side {
    const void* buffer = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// One side of an all-to-all-v's arguments; counts and displacements have one entry per rank.
struct VectorSide {
    const void* buffer = nullptr;
    const int* counts = nullptr;
    const int* displacements = nullptr;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// One side of an all-to-all-w's arguments, with a type for every rank.
struct TypedSide {
    const void* buffer = nullptr;
    const int* counts = nullptr;
    const int* displacements_bytes = nullptr;
    const MPI_Datatype* types = nullptr;
};

/// The memory of the block for or of one rank.
struct CallBlock {
    Layout layout = {};
    std::byte* at = nullptr;
    std::int64_t count = 0;

    std::uint64_t size_bytes() const {
        return layout.size_bytes() * static_cast<std::uint64_t>(count);
    }
};
using CallBlocks = std::vector<CallBlock>; ///< one per rank

/// The block of every rank. These fail with MPI's code where there is a negative count, no type or
/// no array.
Result<CallBlocks> blocks_of(const VectorSide& side, int ranks);
/// The same; no one looks at the type of an empty block.
Result<CallBlocks> blocks_of(const TypedSide& side, int ranks);
/// One block, for or of rank `peer`; the others are empty.
Result<CallBlocks> blocks_of(const Side& side, int peer, int ranks);

} // namespace alltold
