// SPDX-License-Identifier: BSD-3-Clause
// Arguments of collectives with one block size, and which of them MPI looks at on a rank.
#pragma once

#include <cstdint>

#include "runtime/call.hpp"

namespace alltold::preload {

inline Arguments blocks(Collective collective, const void* send, int send_count,
                        MPI_Datatype send_type, void* receive, int receive_count,
                        MPI_Datatype receive_type, int root = 0) {
    return {
        collective, {send, send_count, send_type}, {receive, receive_count, receive_type}, root};
}

/// The sides that MPI looks at on a rank; what stands in others may be anything.
struct UsedSides {
    bool send = true, receive = true;
};
UsedSides used_sides(const Caller& caller, const Arguments& arguments);

/// Whether MPI_IN_PLACE stands, on this rank, where MPI does not allow it.
bool wrongly_in_place(const Caller& caller, const Arguments& arguments);

/// Whether this rank sends blocks of `block_bytes` from the memory that it receives them into,
/// which MPI forbids.
bool same_memory(const Caller& caller, const Arguments& arguments, std::uint64_t block_bytes);
/// The class of the MPI library's error for that; MPI_SUCCESS where it takes calls of so many
/// items.
int same_memory_refusal(Collective collective, int count);
/// Both for an all-to-all-v. Buffers of nothing may be the same.
int refusal_of(const Caller& caller, const VectorSide& send, const VectorSide& receive);

} // namespace alltold::preload
