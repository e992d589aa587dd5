// SPDX-License-Identifier: BSD-3-Clause
// MPI_IN_PLACE, datatypes and counts of the regular collectives, turned into bytes.
#include "runtime/call.hpp"

namespace alltold {
namespace {

/// The layout of one side, or an error when its arguments make no sense.
Layout layout_of(const Side& side, int& code) {
    if (side.count < 0)
        code = MPI_ERR_COUNT;
    else if (side.type == MPI_DATATYPE_NULL)
        code = MPI_ERR_TYPE;
    else
        return Layout::of(side.type, code);
    return {};
}

std::uint64_t bytes_of(const Layout& layout, std::int64_t count) {
    return layout.size_bytes() * static_cast<std::uint64_t>(count);
}

/// Items in a buffer that holds a block for every rank.
std::int64_t items_of(const Side& side, const Caller& caller) {
    return std::int64_t{side.count} * caller.size;
}

void check_root(const Caller& caller, int root, int& code) {
    if (root < 0 || root >= caller.size)
        code = MPI_ERR_ROOT;
}

bool in_place(const void* buffer) {
    return buffer == MPI_IN_PLACE;
}

} // namespace

std::byte* Call::own_bytes(std::size_t size_bytes) {
    return own_.emplace_back(new std::byte[size_bytes]).get();
}

const std::byte* Call::readable(const Layout& layout, const void* buffer, std::int64_t count,
                                int& code) {
    if (layout.plain())
        return static_cast<const std::byte*>(buffer);
    auto* packed = own_bytes(bytes_of(layout, count));
    code = layout.pack(buffer, count, packed, caller_.comm);
    return packed;
}

std::byte* Call::writable(const Layout& layout, void* buffer, std::int64_t count) {
    if (layout.plain())
        return static_cast<std::byte*>(buffer);
    auto* packed = own_bytes(bytes_of(layout, count));
    unpack_.push_back({layout, packed, static_cast<std::byte*>(buffer), count});
    return packed;
}

int Call::finish() {
    // What was asked for last lies nearest to the schedule.
    for (; !unpack_.empty(); unpack_.pop_back()) {
        const auto& part = unpack_.back();
        if (const int code = part.layout.unpack(part.from, part.to, part.count, caller_.comm);
            code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

Call Call::bcast(const Caller& caller, const Side& buffer, int root, int& code) {
    Call call;
    call.caller_ = caller;
    const auto layout = layout_of(buffer, code);
    check_root(caller, root, code);
    if (code != MPI_SUCCESS)
        return call;
    call.shape_ = {Collective::bcast, root, bytes_of(layout, buffer.count), {}};
    if (caller.rank == root) // the root's buffer is only read
        call.memory_.receive =
            const_cast<std::byte*>(call.readable(layout, buffer.buffer, buffer.count, code));
    else
        call.memory_.receive =
            call.writable(layout, const_cast<void*>(buffer.buffer), buffer.count);
    return call;
}

Call Call::scatter(const Caller& caller, const Side& send, const Side& receive, int root,
                   int& code) {
    Call call;
    call.caller_ = caller;
    check_root(caller, root, code);
    if (code != MPI_SUCCESS)
        return call;
    const bool is_root = caller.rank == root;
    const bool placed = is_root && in_place(receive.buffer);
    const auto send_layout = is_root ? layout_of(send, code) : Layout{};
    const auto receive_layout = placed ? Layout{} : layout_of(receive, code);
    if (code != MPI_SUCCESS)
        return call;
    const auto block =
        is_root ? bytes_of(send_layout, send.count) : bytes_of(receive_layout, receive.count);
    if (is_root && !placed && block != bytes_of(receive_layout, receive.count))
        code = MPI_ERR_TRUNCATE;
    call.shape_ = {Collective::scatter, root, block, {}};
    if (code != MPI_SUCCESS)
        return call;
    if (is_root)
        call.memory_.send = call.readable(send_layout, send.buffer, items_of(send, caller), code);
    // In place, the root's block stays where it is: its copy onto itself moves nothing.
    call.memory_.receive =
        placed
            ? const_cast<std::byte*>(call.memory_.send) + static_cast<std::uint64_t>(root) * block
            : call.writable(receive_layout, const_cast<void*>(receive.buffer), receive.count);
    return call;
}

Call Call::gather(const Caller& caller, const Side& send, const Side& receive, int root,
                  int& code) {
    Call call;
    call.caller_ = caller;
    check_root(caller, root, code);
    if (code != MPI_SUCCESS)
        return call;
    const bool is_root = caller.rank == root;
    const bool placed = is_root && in_place(send.buffer);
    const auto receive_layout = is_root ? layout_of(receive, code) : Layout{};
    const auto send_layout = placed ? Layout{} : layout_of(send, code);
    if (code != MPI_SUCCESS)
        return call;
    const auto block =
        is_root ? bytes_of(receive_layout, receive.count) : bytes_of(send_layout, send.count);
    if (is_root && !placed && block != bytes_of(send_layout, send.count))
        code = MPI_ERR_TRUNCATE;
    call.shape_ = {Collective::gather, root, block, {}};
    if (code != MPI_SUCCESS)
        return call;
    auto* target = const_cast<void*>(receive.buffer);
    if (is_root)
        call.memory_.receive = call.writable(receive_layout, target, items_of(receive, caller));
    if (!placed) {
        call.memory_.send = call.readable(send_layout, send.buffer, send.count, code);
    } else {
        auto* own = call.memory_.receive + static_cast<std::uint64_t>(root) * block;
        call.memory_.send = own;
        if (!receive_layout.plain()) // the root's block must be in the packed buffer to be unpacked
            code = receive_layout.pack(static_cast<const std::byte*>(target) +
                                           root * receive_layout.extent_bytes() * receive.count,
                                       receive.count, own, caller.comm);
    }
    return call;
}

Call Call::alltoall(const Caller& caller, const Side& send, const Side& receive, int& code) {
    Call call;
    call.caller_ = caller;
    const bool placed = in_place(send.buffer);
    const auto receive_layout = layout_of(receive, code);
    const auto send_layout = placed || code != MPI_SUCCESS ? receive_layout : layout_of(send, code);
    if (code != MPI_SUCCESS)
        return call;
    const auto block = bytes_of(receive_layout, receive.count);
    if (!placed && block != bytes_of(send_layout, send.count))
        code = MPI_ERR_TRUNCATE;
    call.shape_ = {Collective::alltoall, 0, block, {}};
    if (code != MPI_SUCCESS)
        return call;
    const auto items = items_of(receive, caller);
    if (placed) { // what is sent must be out of the way of what arrives
        auto* copy = call.own_bytes(block * static_cast<std::uint64_t>(caller.size));
        code = receive_layout.pack(receive.buffer, items, copy, caller.comm);
        call.memory_.send = copy;
    } else {
        call.memory_.send = call.readable(send_layout, send.buffer, items_of(send, caller), code);
    }
    call.memory_.receive = call.writable(receive_layout, const_cast<void*>(receive.buffer), items);
    return call;
}

} // namespace alltold
