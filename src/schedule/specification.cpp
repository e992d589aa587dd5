// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/specification.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace alltold {
namespace {

/// Row by row; their number may exceed an int.
std::size_t pair_of(int ranks, int source, int destination) {
    return static_cast<std::size_t>(source) * static_cast<std::size_t>(ranks) +
           static_cast<std::size_t>(destination);
}

} // namespace

std::optional<Collective> collective_named(std::string_view name) {
    const auto found =
        std::ranges::find(all_collectives, name, [](Collective one) { return name_of(one); });
    return found == all_collectives.end() ? std::nullopt : std::optional(*found);
}

Result<Collective> parse_collective(std::string_view name, std::span<const Collective> allowed) {
    if (const auto found = collective_named(name);
        found && std::ranges::find(allowed, *found) != allowed.end())
        return *found;
    std::vector<std::string_view> names;
    for (const auto collective : allowed)
        names.push_back(name_of(collective));
    return bad_input(fmt::format("unknown collective '{}'; use {} or {}", name,
                                 fmt::join(names.begin(), names.end() - 1, ", "), names.back()));
}

Specification::Specification(Collective collective, int ranks, int root, std::uint64_t size_bytes)
    : collective_(collective), ranks_(ranks), root_(root), size_bytes_(size_bytes) {
    assert(ranks >= 1 && root >= 0 && root < ranks);
}

Specification Specification::of(Collective collective, int ranks, int root,
                                std::uint64_t size_bytes, const Reduction& reduction) {
    const auto& traits = traits_of(collective);
    assert(!traits.per_pair);
    assert(!traits.reduces || size_bytes % reduction.unit_bytes == 0);
    Specification result(collective, ranks, traits.rooted ? root : 0,
                         traits.has_data ? size_bytes : 0);
    if (traits.reduces)
        result.reduction_ = reduction;
    return result;
}

Specification Specification::alltoallv(int ranks, std::vector<std::uint64_t> sizes_bytes,
                                       std::uint64_t gap_bytes) {
    assert(sizes_bytes.size() == static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks));
    Specification result(Collective::alltoallv, ranks, 0, 0);
    result.gap_bytes_ = gap_bytes;
    result.sizes_bytes_ = std::move(sizes_bytes);
    result.addresses_.push_back(0);
    for (const auto size : result.sizes_bytes_)
        result.addresses_.push_back(result.addresses_.back() + size);
    return result;
}

std::uint64_t Specification::size_bytes(int source, int destination) const {
    if (collective_ != Collective::alltoallv)
        return size_bytes_;
    return sizes_bytes_[pair_of(ranks_, source, destination)];
}

std::uint64_t Specification::contribution_bytes() const {
    return collective_ == Collective::reduce_scatter_block
               ? static_cast<std::uint64_t>(ranks_) * size_bytes_
               : size_bytes_;
}

bool Specification::may_repeat() const {
    return collective_ == Collective::bcast || collective_ == Collective::allgather ||
           traits_of(collective_).reduces;
}

std::uint64_t Specification::address_of(int source, int destination) const {
    const auto nth = [&](int block) { return static_cast<std::uint64_t>(block); };
    switch (collective_) {
    case Collective::bcast:
    case Collective::barrier:
        return 0;
    case Collective::scatter:
        return nth(destination) * size_bytes_;
    case Collective::alltoall:
        return pair_of(ranks_, source, destination) * size_bytes_;
    case Collective::alltoallv:
        return addresses_[pair_of(ranks_, source, destination)];
    case Collective::gather:
    case Collective::allgather:
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::reduce_scatter_block:
    case Collective::scan:
    case Collective::exscan:
        break;
    }
    return nth(source) * contribution_bytes();
}

Block Specification::block_at(std::uint64_t address) const {
    if (collective_ == Collective::alltoallv) {
        const auto after = std::upper_bound(addresses_.begin(), addresses_.end(), address);
        const auto index = static_cast<int>(after - addresses_.begin()) - 1;
        return {index / ranks_, index % ranks_};
    }
    const auto index = address / std::max<std::uint64_t>(contribution_bytes(), 1);
    if (traits_of(collective_).reduces)
        return {index < static_cast<std::uint64_t>(ranks_) ? static_cast<int>(index)
                                                           : Block::everyone,
                Block::everyone};
    const auto number = static_cast<int>(index);
    switch (collective_) {
    case Collective::scatter:
        return {root_, number};
    case Collective::gather:
        return {number, root_};
    case Collective::allgather:
        return {number, Block::everyone};
    case Collective::alltoall:
        return {number / ranks_, number % ranks_};
    default:
        return {root_, Block::everyone};
    }
}

std::vector<Placement> Specification::before(int rank) const {
    const auto whole = [&](Block block, Buffer buffer) {
        return Placement{
            block, {buffer, 0, contribution_bytes()}, address_of(block.source, block.destination)};
    };
    if (collective_ == Collective::bcast)
        return rank == root_ ? std::vector{whole({root_, Block::everyone}, Buffer::receive)}
                             : std::vector<Placement>{};
    if (collective_ == Collective::gather)
        return {whole({rank, root_}, Buffer::send)};
    if (collective_ == Collective::allgather || traits_of(collective_).reduces)
        return {whole({rank, Block::everyone}, Buffer::send)};
    if (collective_ == Collective::barrier || (collective_ == Collective::scatter && rank != root_))
        return {};
    std::vector<Placement> result;
    std::uint64_t offset = 0;
    for (int peer = 0; peer < ranks_; ++peer) {
        const auto size = size_bytes(rank, peer);
        result.push_back({{rank, peer}, {Buffer::send, offset, size}, address_of(rank, peer)});
        offset += size + gap_bytes_;
    }
    return result;
}

std::vector<Placement> Specification::after(int rank) const {
    const auto whole = [&](Block block) {
        return Placement{
            block, {Buffer::receive, 0, size_bytes_}, address_of(block.source, block.destination)};
    };
    const auto combined = [&](int contributions, std::uint64_t address) {
        if (contributions == 0)
            return std::vector<Placement>{};
        return std::vector{Placement{
            {Block::everyone, rank}, {Buffer::receive, 0, size_bytes_}, address, contributions}};
    };
    switch (collective_) {
    case Collective::barrier:
        return {};
    case Collective::bcast:
        return {whole({root_, Block::everyone})};
    case Collective::scatter:
        return {whole({root_, rank})};
    case Collective::reduce:
        return combined(rank == root_ ? ranks_ : 0, 0);
    case Collective::allreduce:
        return combined(ranks_, 0);
    case Collective::reduce_scatter_block:
        return combined(ranks_, static_cast<std::uint64_t>(rank) * size_bytes_);
    case Collective::scan:
        return combined(rank + 1, 0);
    case Collective::exscan:
        return combined(rank, 0);
    case Collective::gather:
        if (rank != root_)
            return {};
        break;
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::allgather:
        break;
    }
    std::vector<Placement> result;
    std::uint64_t offset = 0;
    for (int peer = 0; peer < ranks_; ++peer) {
        const auto size = size_bytes(peer, rank);
        const int destination = collective_ == Collective::allgather ? Block::everyone : rank;
        result.push_back(
            {{peer, destination}, {Buffer::receive, offset, size}, address_of(peer, rank)});
        offset += size + gap_bytes_;
    }
    return result;
}

std::uint64_t Specification::buffer_bytes(int rank, Buffer buffer) const {
    std::uint64_t size = 0;
    for (const auto& place : buffer == Buffer::send ? before(rank) : after(rank))
        if (place.region.buffer == buffer)
            size = std::max(size, place.region.end_bytes());
    return size;
}

Shares Specification::shares(int rank) const {
    Shares result;
    for (const auto& place : before(rank)) {
        result.send_bytes.push_back(place.region.size_bytes);
        result.send_offsets.push_back(place.region.offset_bytes);
    }
    for (const auto& place : after(rank)) {
        result.receive_bytes.push_back(place.region.size_bytes);
        result.receive_offsets.push_back(place.region.offset_bytes);
    }
    return result;
}

std::string text_of(const Block& block) {
    const auto end = [](int rank) {
        return rank == Block::everyone ? std::string("all") : std::to_string(rank);
    };
    return end(block.source) + "->" + end(block.destination);
}

Result<int> given_root(Collective collective, int ranks, std::optional<int> root) {
    if (!root)
        return 0;
    if (!traits_of(collective).rooted)
        return bad_input(fmt::format("--root: {} has no root; leave it out", name_of(collective)));
    if (*root < 0 || *root >= ranks)
        return bad_input(fmt::format("--root {}: must be a rank from 0 to {}", *root, ranks - 1));
    return *root;
}

} // namespace alltold
