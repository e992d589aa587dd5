// SPDX-License-Identifier: BSD-3-Clause
// How items of an MPI datatype lie in memory, and how to bring them to plain bytes and back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <mpi.h>

#include "core/result.hpp"

namespace alltold {

/// Whether MPI defines the type itself, so that no program can free it.
bool is_named(MPI_Datatype type);

/// Replaces `type` by a copy, which lives as long as the returned object: null for a named type,
/// which stays. Fails as MPI does.
Result<std::shared_ptr<void>> hold_type(MPI_Datatype& type);

/// The memory layout of one MPI datatype.
class Layout {
  public:
    /// `type` must be committed. Fails as MPI does.
    static Result<Layout> of(MPI_Datatype type);

    /// Bytes of data in one item, gaps left out.
    std::size_t size_bytes() const { return size_; }
    /// Distance from one item to the next.
    MPI_Aint extent_bytes() const { return extent_; }
    /// Whether `count` items are `count * size_bytes()` bytes at the buffer's address, in the order
    /// in which MPI would send them, so that they need no packing.
    bool plain() const { return plain_; }
    /// At most `most` items that fit in so many bytes without gaps.
    std::int64_t items_in(std::uint64_t size_bytes, std::int64_t most) const {
        return size_ ? std::min(most, static_cast<std::int64_t>(size_bytes / size_)) : 0;
    }
    MPI_Datatype type() const { return type_; }
    /// The memory of `count` items: where it begins, seen from the buffer's address, and its size.
    struct Span {
        MPI_Aint first_bytes = 0;
        std::size_t size_bytes = 0;
    };
    Span span_bytes(std::int64_t count) const;

    /// Switches to a copy of the type, which lives as long as the returned object: null if no copy
    /// is needed. Fails as MPI does.
    Result<std::shared_ptr<void>> hold_type() {
        return plain_ ? std::shared_ptr<void>() : alltold::hold_type(type_);
    }

    /// Packs `count` items from `from` into `count * size_bytes()` bytes at `to`. Fails as MPI
    /// does.
    Status pack(const void* from, std::int64_t count, void* to, MPI_Comm comm) const;
    /// The reverse of pack.
    Status unpack(const void* from, void* to, std::int64_t count, MPI_Comm comm) const;

  private:
    template <typename OneRun>
    Status for_runs(std::int64_t count, OneRun&& step) const;

    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    std::size_t size_ = 0;
    MPI_Aint extent_ = 0;
    bool plain_ = true;
};

} // namespace alltold
