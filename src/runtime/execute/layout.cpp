// SPDX-License-Identifier: BSD-3-Clause
// Layout of datatypes: which need packing, and the packing.
#include "runtime/execute/layout.hpp"

#include <array>
#include <climits>
#include <cstring>

#include "runtime/mpi/error.hpp"

namespace alltold {

bool is_named(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

namespace {

/// Whether items of `type` lie in memory in typemap order without gaps. Size and extent cannot
/// tell: an indexed type may permute its parts and leave no gap. So only predefined types, and
/// duplicates and contiguous runs of such, count as plain.
Result<bool> in_typemap_order(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    ALLTOLD_TRY_DONE(
        ALLTOLD_PMPI(Type_get_envelope, type, &integers, &addresses, &types, &combiner));
    if (combiner == MPI_COMBINER_NAMED) {
        MPI_Aint lower = 0, extent = 0;
        int size = 0;
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Type_get_extent, type, &lower, &extent));
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Type_size, type, &size));
        return lower == 0 && extent == size;
    }
    if (combiner != MPI_COMBINER_DUP && combiner != MPI_COMBINER_CONTIGUOUS)
        return false;
    std::array<int, 1> integer{};
    std::array<MPI_Datatype, 1> inner{};
    std::array<MPI_Aint, 1> address{};
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Type_get_contents, type, integers, addresses, types,
                                  integer.data(), address.data(), inner.data()));
    auto plain = in_typemap_order(inner[0]);
    // Only derived types may be freed; predefined ones are returned as they are.
    if (!is_named(inner[0]))
        PMPI_Type_free(&inner[0]);
    return plain;
}

} // namespace

Result<Layout> Layout::of(MPI_Datatype type) {
    // Predefined types live for ever, so what was found out about the last one stays true.
    static thread_local Layout last_named;
    if (type == last_named.type_)
        return last_named;
    Layout layout;
    layout.type_ = type;
    MPI_Count size = 0;
    MPI_Aint lower = 0;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Type_size_x, type, &size));
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Type_get_extent, type, &lower, &layout.extent_));
    layout.size_ = static_cast<std::size_t>(size);
    ALLTOLD_TRY_INTO(layout.plain_, in_typemap_order(type));
    if (is_named(type))
        last_named = layout;
    return layout;
}

Result<std::shared_ptr<void>> hold_type(MPI_Datatype& type) {
    if (is_named(type))
        return std::shared_ptr<void>();
    // Not MPI_Type_dup, which would call what the program has attached to its type.
    MPI_Datatype copy = MPI_DATATYPE_NULL;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Type_contiguous, 1, type, &copy));
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Type_commit, &copy));
    type = copy;
    return std::shared_ptr<void>(new MPI_Datatype(copy), [](void* held) {
        auto* const held_type = static_cast<MPI_Datatype*>(held);
        PMPI_Type_free(held_type);
        delete held_type;
    });
}

Layout::Span Layout::span_bytes(std::int64_t count) const {
    MPI_Aint first = 0, size = 0;
    PMPI_Type_get_true_extent(type_, &first, &size);
    const auto further = static_cast<MPI_Aint>(count - 1) * extent_;
    return {first + std::min<MPI_Aint>(further, 0),
            static_cast<std::size_t>(size + std::max(further, -further))};
}

// MPI counts positions in ints, so a large buffer is packed a run of items at a time. `step` packs
// or unpacks `items` items, `bytes` bytes, `done` items into the buffers.
template <typename OneRun>
Status Layout::for_runs(std::int64_t count, OneRun&& step) const {
    if (size_ == 0)
        return Done{};
    const auto longest =
        std::max<std::int64_t>(1, (INT_MAX / 2) / static_cast<std::int64_t>(size_));
    for (std::int64_t done = 0; done < count;) {
        const auto items = static_cast<int>(std::min(longest, count - done));
        if (Status stepped = step(done, items, static_cast<int>(size_) * items); !stepped)
            return stepped;
        done += items;
    }
    return Done{};
}

namespace {

#ifdef MPICH_VERSION
constexpr bool bottom_is_refused = true; ///< MPI_BOTTOM is a null pointer, which MPI_Pack refuses
#else
constexpr bool bottom_is_refused = false;
#endif

/// An address and a type that say where items are, as MPI_Pack takes them.
class Items {
  public:
    Items(const void* address, MPI_Datatype type)
        : address_(const_cast<void*>(address)), type_(type) {
        if (!bottom_is_refused || address)
            return;
        static char anywhere;
        MPI_Aint away = 0;
        const int length = 1;
        PMPI_Get_address(&anywhere, &away);
        away = -away;
        address_ = &anywhere;
        PMPI_Type_create_hindexed(1, &length, &away, type, &shifted_);
        PMPI_Type_commit(&shifted_);
        type_ = shifted_;
    }
    ~Items() {
        if (shifted_ != MPI_DATATYPE_NULL)
            PMPI_Type_free(&shifted_);
    }
    Items(const Items&) = delete;
    Items& operator=(const Items&) = delete;

    void* address() const { return address_; }
    MPI_Datatype type() const { return type_; }

  private:
    void* address_;
    MPI_Datatype type_;
    MPI_Datatype shifted_ = MPI_DATATYPE_NULL;
};

} // namespace

Status Layout::pack(const void* from, std::int64_t count, void* to, MPI_Comm comm) const {
    return for_runs(count, [&](std::int64_t done, int items, int bytes) -> Status {
        const auto* source = static_cast<const char*>(from) + done * extent_;
        auto* target = static_cast<char*>(to) + static_cast<std::size_t>(done) * size_;
        int position = 0;
        if (!plain_) {
            const Items from_items(source, type_);
            return ALLTOLD_PMPI(Pack, from_items.address(), items, from_items.type(), target, bytes,
                                &position, comm);
        }
        std::memcpy(target, source, static_cast<std::size_t>(bytes));
        return Done{};
    });
}

Status Layout::unpack(const void* from, void* to, std::int64_t count, MPI_Comm comm) const {
    return for_runs(count, [&](std::int64_t done, int items, int bytes) -> Status {
        const auto* source =
            static_cast<const char*>(from) + static_cast<std::size_t>(done) * size_;
        auto* target = static_cast<char*>(to) + done * extent_;
        int position = 0;
        if (!plain_) {
            const Items to_items(target, type_);
            return ALLTOLD_PMPI(Unpack, source, bytes, &position, to_items.address(), items,
                                to_items.type(), comm);
        }
        std::memcpy(target, source, static_cast<std::size_t>(bytes));
        return Done{};
    });
}

} // namespace alltold
