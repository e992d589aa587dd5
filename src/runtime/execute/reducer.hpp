// SPDX-License-Identifier: BSD-3-Clause
// The operator of a reduction on packed bytes.
#pragma once

#include "runtime/execute/layout.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// Whether `op` is one of MPI's own, which no program can free.
bool is_predefined(MPI_Op op);

/// An MPI operator for elements of one datatype.
class Reducer {
  public:
    /// `type` must be committed. Fails as MPI does, also where `op` does not take such items.
    static Result<Reducer> of(MPI_Datatype type, MPI_Op op);

    /// The operator's properties on which schedules depend.
    Reduction reduction() const {
        return {std::max<std::uint64_t>(layout_.size_bytes(), 1), commutative_};
    }
    /// Combines the elements at `left` with those at `right`, where the results go; `size_bytes` is
    /// a whole number of packed elements. Returns an MPI error code.
    int combine(const std::byte* left, std::byte* right, std::uint64_t size_bytes) const;

  private:
    int combine_packed(const std::byte* left, std::byte* right, std::int64_t count) const;
    int combine_items(const std::byte* left, std::byte* right, std::int64_t count) const;

    Layout layout_;
    MPI_Op op_ = MPI_OP_NULL;
    bool commutative_ = true;
};

} // namespace alltold
