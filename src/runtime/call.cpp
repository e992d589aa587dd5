// SPDX-License-Identifier: BSD-3-Clause
// MPI_IN_PLACE, datatypes and counts of the regular collectives, turned into bytes.
#include "runtime/call.hpp"

#include "runtime/mpi/error.hpp"

namespace alltold {
namespace {

/// The layout of one side, or an error when its arguments make no sense.
Result<Layout> layout_of(const Side& side) {
    if (side.count < 0)
        return mpi::argument_error(MPI_ERR_COUNT, "a count below 0");
    if (side.type == MPI_DATATYPE_NULL)
        return mpi::argument_error(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
    return Layout::of(side.type);
}

std::uint64_t bytes_of(const Layout& layout, std::int64_t count) {
    return layout.size_bytes() * static_cast<std::uint64_t>(count);
}

/// Items in a buffer that holds a block for every rank.
std::int64_t items_of(const Side& side, const Caller& caller) {
    return side.count * caller.size;
}

bool in_place(const void* buffer) {
    return buffer == MPI_IN_PLACE;
}

Error misplaced() {
    return mpi::argument_error(MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed on this rank");
}

} // namespace

std::byte* Call::own_bytes(std::size_t size_bytes) {
    return own_.emplace_back(new std::byte[size_bytes]).get();
}

Result<const std::byte*> Call::readable(const Layout& layout, const void* buffer,
                                        std::int64_t count) {
    if (layout.plain())
        return static_cast<const std::byte*>(buffer);
    auto* packed = own_bytes(bytes_of(layout, count));
    ALLTOLD_TRY_DONE(layout.pack(buffer, count, packed, caller_.comm));
    return packed;
}

Result<const std::byte*> Call::fitted(const Layout& layout, const void* buffer, std::int64_t count,
                                      int blocks) {
    const auto size_bytes = shape_.size_bytes;
    if (size_bytes == bytes_of(layout, count))
        return readable(layout, buffer, count * blocks);
    sizes_differ_ = true;
    auto* copy = own_bytes(size_bytes * static_cast<std::uint64_t>(blocks));
    std::memset(copy, 0, size_bytes * static_cast<std::uint64_t>(blocks));
    const auto items = layout.items_in(size_bytes, count);
    for (int block = 0; block < blocks; ++block)
        ALLTOLD_TRY_DONE(layout.pack(
            static_cast<const std::byte*>(buffer) + block * count * layout.extent_bytes(), items,
            copy + static_cast<std::uint64_t>(block) * size_bytes, caller_.comm));
    return copy;
}

std::byte* Call::writable(const Layout& layout, void* buffer, std::int64_t count) {
    if (layout.plain())
        return static_cast<std::byte*>(buffer);
    auto* packed = own_bytes(bytes_of(layout, count));
    unpack_.push_back({layout, packed, static_cast<std::byte*>(buffer), count});
    return packed;
}

Result<const std::byte*> Call::copied(const Layout& layout, const void* buffer,
                                      std::int64_t count) {
    auto* copy = own_bytes(bytes_of(layout, count));
    ALLTOLD_TRY_DONE(layout.pack(buffer, count, copy, caller_.comm));
    return copy;
}

Status Call::hold_types() {
    for (auto& part : unpack_) {
        ALLTOLD_TRY(held, part.layout.hold_type());
        if (*held)
            held_.push_back(std::move(*held));
    }
    caller_.comm = MPI_COMM_SELF; // as good for unpacking
    return Done{};
}

Status Call::finish() {
    // In reverse: the last entry lies nearest to the schedule.
    for (; !unpack_.empty(); unpack_.pop_back()) {
        const auto& part = unpack_.back();
        ALLTOLD_TRY_DONE(part.layout.unpack(part.from, part.to, part.count, caller_.comm));
    }
    if (sizes_differ_)
        return Error{"blocks sent and received differ in size", ExitStatus::environment,
                     MPI_ERR_TRUNCATE};
    return Done{};
}

Status Caller::check_root(int root) const {
    if (root < 0 || root >= size)
        return mpi::argument_error(MPI_ERR_ROOT, "the root is not a rank of the communicator");
    return Done{};
}

Result<Call> Call::of(const Caller& caller, const Arguments& arguments) {
    ALLTOLD_TRY_DONE(caller.check_root(arguments.root));
    Call call;
    call.caller_ = caller;
    call.shape_.collective = arguments.collective;
    call.shape_.root = arguments.root;
    call.shape_.picked = arguments.picked;
    ALLTOLD_TRY_DONE(call.take(arguments));
    return call;
}

Status Call::take(const Arguments& arguments) {
    switch (arguments.collective) {
    case Collective::bcast:
        return bcast(arguments);
    case Collective::scatter:
        return scatter(arguments);
    case Collective::gather:
        return gather(arguments);
    case Collective::alltoall:
    case Collective::allgather:
        return from_all(arguments);
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::reduce_scatter_block:
    case Collective::scan:
    case Collective::exscan:
        return reduction(arguments);
    case Collective::barrier:
        return Done{};
    case Collective::alltoallv:
        break;
    }
    return mpi::argument_error(MPI_ERR_ARG, "an all-to-all-v has counts for every rank");
}

Status Call::bcast(const Arguments& arguments) {
    const auto& side = arguments.receive;
    ALLTOLD_TRY(layout, layout_of(side));
    shape_.size_bytes = bytes_of(*layout, side.count);
    memory_.exact = reports_short(Collective::bcast);
    auto* buffer = const_cast<void*>(side.buffer);
    if (caller_.rank != arguments.root) {
        memory_.receive = writable(*layout, buffer, side.count);
        return Done{};
    }
    ALLTOLD_TRY(source, readable(*layout, buffer, side.count));
    memory_.receive = const_cast<std::byte*>(*source); // the root's buffer is only read
    return Done{};
}

Result<Call::Ends> Call::ends(const Side& all, const Side& single) {
    Ends ends;
    ends.is_root = caller_.rank == shape_.root;
    ends.placed = ends.is_root && in_place(single.buffer);
    if (ends.is_root) {
        ALLTOLD_TRY(layout, layout_of(all));
        ends.all = *layout;
    }
    if (!ends.placed)
        ALLTOLD_TRY_INTO(ends.single, layout_of(single));
    shape_.size_bytes =
        ends.is_root ? bytes_of(ends.all, all.count) : bytes_of(ends.single, single.count);
    return ends;
}

Status Call::scatter(const Arguments& arguments) {
    const auto& [collective, send, receive, root, op, picked] = arguments;
    ALLTOLD_TRY(both, ends(send, receive));
    if (both->is_root)
        ALLTOLD_TRY_INTO(memory_.send, readable(both->all, send.buffer, items_of(send, caller_)));
    // In place, the root's block stays where it is: its copy onto itself moves nothing.
    auto* const target = const_cast<void*>(receive.buffer);
    if (both->placed) {
        memory_.receive = const_cast<std::byte*>(memory_.send) +
                          static_cast<std::uint64_t>(root) * shape_.size_bytes;
    } else if (shape_.size_bytes == bytes_of(both->single, receive.count)) {
        memory_.receive = writable(both->single, target, receive.count);
    } else { // the root's own sides
        sizes_differ_ = true;
        memory_.receive = own_bytes(shape_.size_bytes);
        unpack_.push_back({both->single, memory_.receive, static_cast<std::byte*>(target),
                           both->single.items_in(shape_.size_bytes, receive.count)});
    }
    return Done{};
}

Status Call::gather(const Arguments& arguments) {
    const auto& [collective, send, receive, root, op, picked] = arguments;
    ALLTOLD_TRY(both, ends(receive, send));
    auto* target = const_cast<void*>(receive.buffer);
    if (both->is_root)
        memory_.receive = writable(both->all, target, items_of(receive, caller_));
    if (!both->placed) {
        ALLTOLD_TRY_INTO(memory_.send, fitted(both->single, send.buffer, send.count, 1));
        return Done{};
    }
    auto* block = memory_.receive + static_cast<std::uint64_t>(root) * shape_.size_bytes;
    memory_.send = block;
    if (both->all.plain())
        return Done{};
    // The root's block must be in the packed buffer to be unpacked.
    return both->all.pack(static_cast<const std::byte*>(target) +
                              root * both->all.extent_bytes() * receive.count,
                          receive.count, block, caller_.comm);
}

Status Call::from_all(const Arguments& arguments) {
    const auto& send = arguments.send;
    const auto& receive = arguments.receive;
    const bool placed = in_place(send.buffer);
    if (in_place(receive.buffer))
        return misplaced();
    ALLTOLD_TRY(receive_layout, layout_of(receive));
    ALLTOLD_TRY(send_layout, placed ? receive_layout : layout_of(send));
    shape_.size_bytes = bytes_of(*receive_layout, receive.count);
    // A rank sends a block to every rank, or one to all; in place that is its own.
    const bool one_to_all = arguments.collective == Collective::allgather;
    const int blocks = one_to_all ? 1 : caller_.size;
    const auto* first =
        static_cast<const std::byte*>(receive.buffer) +
        (one_to_all ? caller_.rank * receive_layout->extent_bytes() * receive.count : 0);
    ALLTOLD_TRY_INTO(memory_.send, placed ? copied(*receive_layout, first, blocks * receive.count)
                                          : fitted(*send_layout, send.buffer, send.count, blocks));
    memory_.receive =
        writable(*receive_layout, const_cast<void*>(receive.buffer), items_of(receive, caller_));
    return Done{};
}

Status Call::reduction(const Arguments& arguments) {
    const auto& [collective, send, receive, root, op, picked] = arguments;
    const bool receives = collective != Collective::reduce || caller_.rank == root;
    if (receives ? in_place(receive.buffer) : in_place(send.buffer))
        return misplaced();
    ALLTOLD_TRY(layout, layout_of(send));
    ALLTOLD_TRY(reducer, Reducer::of(send.type, op));
    reducer_ = std::make_shared<Reducer>(std::move(*reducer));
    memory_.reducer = reducer_.get();
    shape_.reduction = reducer_->reduction();
    shape_.size_bytes = bytes_of(*layout, send.count);
    const auto items =
        collective == Collective::reduce_scatter_block ? items_of(send, caller_) : send.count;
    ALLTOLD_TRY_INTO(memory_.send, in_place(send.buffer) ? copied(*layout, receive.buffer, items)
                                                         : readable(*layout, send.buffer, items));
    if (receives && !(collective == Collective::exscan && caller_.rank == 0))
        memory_.receive = writable(*layout, const_cast<void*>(receive.buffer), send.count);
    return Done{};
}

} // namespace alltold
