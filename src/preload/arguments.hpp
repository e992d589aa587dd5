// SPDX-License-Identifier: BSD-3-Clause
// Arguments of collectives with one block size, and which of them MPI looks at on a rank.
#pragma once

#include <cstdint>

#include "runtime/call.hpp"

namespace alltold::preload {

/// The sides that are significant on a rank in MPI's sense; others may hold anything.
struct UsedSides {
    bool send = true, receive = true;
};
UsedSides used_sides(const Caller& caller, const Arguments& arguments);

/// Whether this rank passes MPI_IN_PLACE where MPI does not allow it.
bool wrongly_in_place(const Caller& caller, const Arguments& arguments);

/// Whether this rank sends blocks of `block_bytes` from the memory into which it receives, which
/// MPI forbids. Not where types or counts differ: data at one address need not overlap then, and
/// MPICH takes such calls.
bool same_memory(const Caller& caller, const Arguments& arguments, std::uint64_t block_bytes);
/// The MPI library's error class for that; MPI_SUCCESS if it accepts such calls of `count` items.
int same_memory_refusal(Collective collective, MPI_Count count);
/// Both of the above for an all-to-all-v, whose counts are the same only where they are one array,
/// as MPICH compares them. Empty buffers may be the same.
int refusal_of(const Caller& caller, const VectorSide& send, const VectorSide& receive);

} // namespace alltold::preload
