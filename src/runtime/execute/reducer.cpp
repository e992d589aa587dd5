// SPDX-License-Identifier: BSD-3-Clause
// MPI_Reduce_local on elements without gaps, and on others unpacked for it.
#include "runtime/execute/reducer.hpp"

#include <mutex>

#include "runtime/mpi/error.hpp"

namespace alltold {
namespace {

// Items with gaps are unpacked for the operator, at most this much memory a side at a time.
constexpr std::uint64_t most_unpacked_bytes = 1 << 18;

/// This rank alone, with errors returned. It is never freed: a reduction may be the last call.
Result<MPI_Comm> alone() {
    static const auto once = []() -> Result<MPI_Comm> {
        MPI_Comm made = MPI_COMM_NULL;
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_split, MPI_COMM_SELF, 0, 0, &made));
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Comm_set_errhandler, made, MPI_ERRORS_RETURN));
        return made;
    }();
    return once;
}

/// Fails as MPI does where its own operator `op` does not take items of `type`. MPI_Reduce_local
/// would say so too late, with messages under way, and to the error handler of MPI_COMM_WORLD.
Status check_takes(MPI_Op op, MPI_Datatype type) {
    // Neither can be freed, so what was found out about the last ones stays true.
    static thread_local std::pair<MPI_Op, MPI_Datatype> last{MPI_OP_NULL, MPI_DATATYPE_NULL};
    if (last == std::pair{op, type})
        return Done{};
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    ALLTOLD_TRY(comm, alone());
    std::max_align_t nothing{};
    auto taken = mpi::check(PMPI_Allreduce(MPI_IN_PLACE, &nothing, 0, type, op, *comm),
                            "a reduction of no items");
    if (taken)
        last = {op, type};
    return taken;
}

} // namespace

bool is_predefined(MPI_Op op) {
    const std::array ops{MPI_MAX,    MPI_MIN,    MPI_SUM,     MPI_PROD, MPI_LAND,
                         MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR, MPI_BXOR,
                         MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
    return std::ranges::find(ops, op) != ops.end();
}

Result<Reducer> Reducer::of(MPI_Datatype type, MPI_Op op) {
    if (op == MPI_OP_NULL)
        return mpi::argument_error(MPI_ERR_OP, "the operator is MPI_OP_NULL");
    ALLTOLD_TRY(layout, Layout::of(type));
    if (is_predefined(op))
        ALLTOLD_TRY_DONE(check_takes(op, type));
    int commutative = 0;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Op_commutative, op, &commutative));
    Reducer reducer;
    reducer.layout_ = std::move(*layout);
    reducer.op_ = op;
    reducer.commutative_ = commutative != 0;
    return reducer;
}

int Reducer::combine(const std::byte* left, std::byte* right, std::uint64_t size_bytes) const {
    // MPI counts items in an int.
    const auto size = reduction().unit_bytes;
    const auto apart = static_cast<std::uint64_t>(std::abs(layout_.extent_bytes())) + 1;
    const auto most = layout_.plain() ? std::uint64_t{1} << 30
                                      : std::max<std::uint64_t>(most_unpacked_bytes / apart, 1);
    for (auto left_items = size_bytes / size; left_items > 0;) {
        const auto count = std::min(left_items, most);
        const auto items = static_cast<std::int64_t>(count);
        const int code = layout_.plain() ? combine_packed(left, right, items)
                                         : combine_items(left, right, items);
        if (code != MPI_SUCCESS)
            return code;
        left += count * size;
        right += count * size;
        left_items -= count;
    }
    return MPI_SUCCESS;
}

int Reducer::combine_packed(const std::byte* left, std::byte* right, std::int64_t count) const {
    return PMPI_Reduce_local(left, right, static_cast<int>(count), layout_.type(), op_);
}

// Operators see items as the caller's memory has them, with gaps; MPI_DOUBLE_INT has one.
int Reducer::combine_items(const std::byte* left, std::byte* right, std::int64_t count) const {
    const auto span = layout_.span_bytes(count);
    // Their address is aligned as the caller's buffer is: the memory begins up to `align` before.
    constexpr auto align = static_cast<MPI_Aint>(alignof(std::max_align_t));
    const auto before = (span.first_bytes % align + align) % align;
    const auto room = (static_cast<MPI_Aint>(span.size_bytes) + before + align - 1) / align * align;
    std::vector<std::byte> memory(2 * static_cast<std::size_t>(room));
    auto* const a = memory.data() + before - span.first_bytes;
    auto* const b = a + room;
    if (const auto done = layout_.unpack(left, a, count, MPI_COMM_SELF); !done)
        return mpi::code_of(done);
    if (const auto done = layout_.unpack(right, b, count, MPI_COMM_SELF); !done)
        return mpi::code_of(done);
    if (const int code = combine_packed(a, b, count); code != MPI_SUCCESS)
        return code;
    return mpi::code_of(layout_.pack(b, count, right, MPI_COMM_SELF));
}

} // namespace alltold
