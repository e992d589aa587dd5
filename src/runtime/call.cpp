// SPDX-License-Identifier: BSD-3-Clause
// MPI_IN_PLACE, datatypes and counts of the regular collectives, turned into bytes.
#include "runtime/call.hpp"

namespace alltold {
namespace {

/// The layout of one side, or an error when its arguments make no sense. An error found before
/// stays.
Layout layout_of(const Side& side, int& code) {
    if (code != MPI_SUCCESS)
        return {};
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

Call Call::of(const Caller& caller, const Arguments& arguments, int& code) {
    Call call;
    call.caller_ = caller;
    call.shape_.collective = arguments.collective;
    call.shape_.root = arguments.root;
    check_root(caller, arguments.root, code);
    switch (arguments.collective) {
    case Collective::bcast:
        call.bcast(arguments, code);
        break;
    case Collective::scatter:
        call.scatter(arguments, code);
        break;
    case Collective::gather:
        call.gather(arguments, code);
        break;
    case Collective::alltoall:
        call.alltoall(arguments, code);
        break;
    case Collective::alltoallv:
        code = MPI_ERR_ARG;
    }
    return call;
}

void Call::bcast(const Arguments& arguments, int& code) {
    const auto& side = arguments.receive;
    const auto layout = layout_of(side, code);
    if (code != MPI_SUCCESS)
        return;
    shape_.size_bytes = bytes_of(layout, side.count);
    auto* buffer = const_cast<void*>(side.buffer);
    memory_.receive = caller_.rank == arguments.root // the root's buffer is only read
                          ? const_cast<std::byte*>(readable(layout, buffer, side.count, code))
                          : writable(layout, buffer, side.count);
}

Call::Ends Call::ends(const Side& all, const Side& own, int& code) {
    Ends ends;
    ends.is_root = caller_.rank == shape_.root;
    ends.placed = ends.is_root && in_place(own.buffer);
    if (ends.is_root)
        ends.all = layout_of(all, code);
    if (!ends.placed)
        ends.own = layout_of(own, code);
    if (code != MPI_SUCCESS)
        return ends;
    shape_.size_bytes =
        ends.is_root ? bytes_of(ends.all, all.count) : bytes_of(ends.own, own.count);
    if (!ends.placed && shape_.size_bytes != bytes_of(ends.own, own.count))
        code = MPI_ERR_TRUNCATE;
    return ends;
}

void Call::scatter(const Arguments& arguments, int& code) {
    const auto& [collective, send, receive, root] = arguments;
    const auto [is_root, placed, send_layout, receive_layout] = ends(send, receive, code);
    if (code != MPI_SUCCESS)
        return;
    if (is_root)
        memory_.send = readable(send_layout, send.buffer, items_of(send, caller_), code);
    // In place, the root's block stays where it is: its copy onto itself moves nothing.
    memory_.receive =
        placed ? const_cast<std::byte*>(memory_.send) +
                     static_cast<std::uint64_t>(root) * shape_.size_bytes
               : writable(receive_layout, const_cast<void*>(receive.buffer), receive.count);
}

void Call::gather(const Arguments& arguments, int& code) {
    const auto& [collective, send, receive, root] = arguments;
    const auto [is_root, placed, receive_layout, send_layout] = ends(receive, send, code);
    if (code != MPI_SUCCESS)
        return;
    auto* target = const_cast<void*>(receive.buffer);
    if (is_root)
        memory_.receive = writable(receive_layout, target, items_of(receive, caller_));
    if (!placed) {
        memory_.send = readable(send_layout, send.buffer, send.count, code);
        return;
    }
    auto* own = memory_.receive + static_cast<std::uint64_t>(root) * shape_.size_bytes;
    memory_.send = own;
    if (!receive_layout.plain()) // the root's block must be in the packed buffer to be unpacked
        code = receive_layout.pack(static_cast<const std::byte*>(target) +
                                       root * receive_layout.extent_bytes() * receive.count,
                                   receive.count, own, caller_.comm);
}

void Call::alltoall(const Arguments& arguments, int& code) {
    const auto& send = arguments.send;
    const auto& receive = arguments.receive;
    const bool placed = in_place(send.buffer);
    const auto receive_layout = layout_of(receive, code);
    const auto send_layout = placed ? receive_layout : layout_of(send, code);
    if (code != MPI_SUCCESS)
        return;
    const auto block = shape_.size_bytes = bytes_of(receive_layout, receive.count);
    if (!placed && block != bytes_of(send_layout, send.count)) {
        code = MPI_ERR_TRUNCATE;
        return;
    }
    const auto items = items_of(receive, caller_);
    if (placed) { // what is sent must be out of the way of what arrives
        auto* copy = own_bytes(block * static_cast<std::uint64_t>(caller_.size));
        code = receive_layout.pack(receive.buffer, items, copy, caller_.comm);
        memory_.send = copy;
    } else {
        memory_.send = readable(send_layout, send.buffer, items_of(send, caller_), code);
    }
    memory_.receive = writable(receive_layout, const_cast<void*>(receive.buffer), items);
}

} // namespace alltold
