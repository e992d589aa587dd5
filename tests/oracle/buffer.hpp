// SPDX-License-Identifier: BSD-3-Clause
// A buffer with room on both sides, filled so that any stray write shows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <mpi.h>

namespace oracle {

/// Memory for `items` items of a type, with a margin before and after, all of it filled.
class Buffer {
  public:
    Buffer(MPI_Datatype type, std::int64_t items) {
        MPI_Aint lower = 0, extent = 0;
        MPI_Type_get_extent(type, &lower, &extent);
        const auto margin = static_cast<std::int64_t>(std::abs(lower) / MPI_Aint{sizeof(int)}) + 16;
        const auto span = static_cast<std::int64_t>(std::abs(extent) / MPI_Aint{sizeof(int)}) + 1;
        start_ = margin;
        ints_.resize(static_cast<std::size_t>(2 * margin + items * span));
    }

    /// A different number in every int, on every rank and for every seed.
    void fill(int rank, int seed) {
        auto state = static_cast<std::uint32_t>(rank * 7919 + seed * 104729 + 1);
        for (auto& value : ints_) {
            state = state * 1664525u + 1013904223u;
            value = static_cast<int>(state);
        }
    }

    void* address() { return ints_.data() + start_; }
    bool operator==(const Buffer& other) const { return ints_ == other.ints_; }

  private:
    std::vector<int> ints_;
    std::int64_t start_ = 0;
};

} // namespace oracle
