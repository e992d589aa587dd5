// SPDX-License-Identifier: BSD-3-Clause
// MPI_Reduce_local on elements without gaps, and on others unpacked for it.
#include "runtime/execute/reducer.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/mpi/error.hpp"

namespace alltold {

bool is_predefined(MPI_Op op) {
    const std::array ops{MPI_MAX,    MPI_MIN,    MPI_SUM,     MPI_PROD, MPI_LAND,
                         MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR, MPI_BXOR,
                         MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
    return std::ranges::find(ops, op) != ops.end();
}

Result<Reducer> Reducer::of(MPI_Datatype type, MPI_Op op) {
    if (op == MPI_OP_NULL)
        return mpi::argument_error(MPI_ERR_OP, "MPI_OP_NULL is no operator");
    auto layout = Layout::of(type);
    if (!layout)
        return layout.error();
    int commutative = 0;
    if (auto asked = mpi::check(PMPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
        !asked)
        return asked.error();
    Reducer reducer;
    reducer.layout_ = std::move(*layout);
    reducer.op_ = op;
    reducer.commutative_ = commutative != 0;
    return reducer;
}

Result<std::shared_ptr<void>> Reducer::hold_type() {
    return layout_.hold_type();
}

int Reducer::combine(const std::byte* left, std::byte* right, std::uint64_t size_bytes) const {
    // MPI counts items in an int; unpacked items take memory.
    const auto size = reduction().unit_bytes;
    const std::uint64_t most = layout_.plain() ? std::uint64_t{1} << 30 : 4096;
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
    std::vector<std::byte> memory(2 * span.size_bytes);
    auto* const a = memory.data() - span.first_bytes;
    auto* const b = a + span.size_bytes;
    const auto code_of = [](const Status& status) {
        return status                               ? MPI_SUCCESS
               : status.error().code != MPI_SUCCESS ? status.error().code
                                                    : MPI_ERR_OTHER;
    };
    if (const auto done = layout_.unpack(left, a, count, MPI_COMM_SELF); !done)
        return code_of(done);
    if (const auto done = layout_.unpack(right, b, count, MPI_COMM_SELF); !done)
        return code_of(done);
    if (const int code = combine_packed(a, b, count); code != MPI_SUCCESS)
        return code;
    return code_of(layout_.pack(b, count, right, MPI_COMM_SELF));
}

} // namespace alltold
