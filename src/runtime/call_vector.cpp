// SPDX-License-Identifier: BSD-3-Clause
// Counts and displacements of an all-to-all-v, turned into bytes.
#include <algorithm>
#include <span>

#include "runtime/call.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold {
namespace {

/// Where the lowest block begins, in items: byte offsets in a schedule count from there.
int lowest(const VectorSide& side, int ranks) {
    const auto displacements = std::span(side.displacements, static_cast<std::size_t>(ranks));
    return *std::min_element(displacements.begin(), displacements.end());
}

/// Sizes and places of a side's blocks: where they are, counted from the lowest, when the side is
/// used in place; one behind the other when it is packed. Returns the bytes of all blocks.
std::uint64_t lay_out(const VectorSide& side, const Layout& layout, int ranks,
                      std::vector<std::uint64_t>& bytes, std::vector<std::uint64_t>& offsets) {
    const auto size = layout.size_bytes();
    const int base = lowest(side, ranks);
    std::uint64_t total = 0;
    for (int i = 0; i < ranks; ++i) {
        const auto gap = static_cast<std::uint64_t>(side.displacements[i] - std::int64_t{base});
        bytes.push_back(size * static_cast<std::uint64_t>(side.counts[i]));
        offsets.push_back(layout.plain() ? size * gap : total);
        total += bytes.back();
    }
    return total;
}

Result<Layout> layout_of(const VectorSide& side, int ranks) {
    if (side.type == MPI_DATATYPE_NULL)
        return mpi::argument_error(MPI_ERR_TYPE, "MPI_DATATYPE_NULL is no type of data");
    if (!side.counts || !side.displacements)
        return mpi::argument_error(MPI_ERR_ARG, "no counts or no displacements");
    if (std::any_of(side.counts, side.counts + ranks, [](int count) { return count < 0; }))
        return mpi::argument_error(MPI_ERR_COUNT, "a count below 0");
    return Layout::of(side.type);
}

} // namespace

Status Call::send_shares(const VectorSide& side, const Layout& layout) {
    auto& shares = shape_.shares;
    const auto total = lay_out(side, layout, caller_.size, shares.send_bytes, shares.send_offsets);
    const auto* first = static_cast<const std::byte*>(side.buffer);
    if (layout.plain()) {
        memory_.send = first + lowest(side, caller_.size) * layout.extent_bytes();
        return Done{};
    }
    auto* packed = own_bytes(total);
    memory_.send = packed;
    for (int i = 0; i < caller_.size; ++i)
        if (auto done = layout.pack(
                first + side.displacements[i] * layout.extent_bytes(), side.counts[i],
                packed + shares.send_offsets[static_cast<std::size_t>(i)], caller_.comm);
            !done)
            return done;
    return Done{};
}

void Call::receive_shares(const VectorSide& side, const Layout& layout) {
    auto& shares = shape_.shares;
    const auto total =
        lay_out(side, layout, caller_.size, shares.receive_bytes, shares.receive_offsets);
    auto* first = static_cast<std::byte*>(const_cast<void*>(side.buffer));
    if (layout.plain()) {
        memory_.receive = first + lowest(side, caller_.size) * layout.extent_bytes();
        return;
    }
    auto* packed = own_bytes(total);
    memory_.receive = packed;
    for (int i = 0; i < caller_.size; ++i)
        if (side.counts[i] > 0)
            unpack_.push_back({layout, packed + shares.receive_offsets[static_cast<std::size_t>(i)],
                               first + side.displacements[i] * layout.extent_bytes(),
                               side.counts[i]});
}

Result<Call> Call::alltoallv(const Caller& caller, const VectorSide& send,
                             const VectorSide& receive) {
    Call call;
    call.caller_ = caller;
    call.shape_.collective = Collective::alltoallv;
    const bool placed = send.buffer == MPI_IN_PLACE;
    const auto receive_layout = layout_of(receive, caller.size);
    if (!receive_layout)
        return receive_layout.error();
    const auto send_layout = placed ? receive_layout : layout_of(send, caller.size);
    if (!send_layout)
        return send_layout.error();
    if (auto done = call.send_shares(placed ? receive : send, *send_layout); !done)
        return done.error();
    if (placed && receive_layout->plain()) { // what is sent must be out of the way of what arrives
        auto& shares = call.shape_.shares;
        std::uint64_t end = 0;
        for (std::size_t i = 0; i < shares.send_bytes.size(); ++i)
            if (shares.send_bytes[i] > 0)
                end = std::max(end, shares.send_offsets[i] + shares.send_bytes[i]);
        const auto* from = call.memory_.send;
        auto* copy = call.own_bytes(end);
        std::copy_n(from, end, copy);
        call.memory_.send = copy;
    }
    call.receive_shares(receive, *receive_layout);
    return call;
}

} // namespace alltold
