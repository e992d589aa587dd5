// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/run/pattern.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace alltold::campaign {
namespace {

constexpr std::uint64_t guard_bytes = 64;
constexpr auto guard_value = std::byte{0xA5};
constexpr std::size_t word_bytes = sizeof(std::uint64_t);

/// Steele, Lea and Flood 2014, SplitMix64: every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

/// The bytes of one block in one repetition, eight at a time.
class Pattern {
  public:
    Pattern(const Block& block, std::uint64_t repetition)
        : key_(mix(mix(mix(repetition) + static_cast<std::uint64_t>(block.source)) +
                   static_cast<std::uint64_t>(block.destination))) {}

    void write(std::span<std::byte> block) const {
        for (std::size_t from = 0; from < block.size(); from += word_bytes) {
            const auto word = word_at(from);
            std::memcpy(&block[from], &word, std::min(word_bytes, block.size() - from));
        }
    }

    /// The first position where `block` differs.
    std::optional<std::uint64_t> difference(std::span<const std::byte> block) const {
        for (std::size_t from = 0; from < block.size(); from += word_bytes) {
            const auto word = word_at(from);
            const auto size = std::min(word_bytes, block.size() - from);
            if (std::memcmp(&block[from], &word, size) == 0)
                continue;
            for (auto position = from;; ++position)
                if (block[position] != byte_at(position))
                    return position;
        }
        return std::nullopt;
    }

    std::byte byte_at(std::uint64_t position) const {
        std::array<std::byte, word_bytes> bytes{};
        const auto word = word_at(position - position % word_bytes);
        std::memcpy(bytes.data(), &word, word_bytes);
        return bytes[position % word_bytes];
    }

  private:
    std::uint64_t word_at(std::uint64_t position) const { return mix(key_ + position); }

    std::uint64_t key_;
};

/// The result of a reduction of the contributions by MPI_BXOR.
std::vector<std::byte> combined(const Placement& place, std::uint64_t repetition) {
    std::vector<std::byte> result(place.region.size_bytes);
    std::vector<std::byte> contribution(place.address + place.region.size_bytes);
    for (int rank = 0; rank < place.contributions; ++rank) {
        Pattern({rank, Block::everyone}, repetition).write(contribution);
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] ^= contribution[place.address + i];
    }
    return result;
}

/// The first position where `bytes` are not what should be at `place`, and what should be there.
std::optional<std::pair<std::uint64_t, std::byte>>
difference(std::span<const std::byte> bytes, const Placement& place, std::uint64_t repetition) {
    if (place.contributions == 0) {
        const Pattern pattern(place.block, repetition);
        const auto at = pattern.difference(bytes);
        return at ? std::optional(std::pair(*at, pattern.byte_at(*at))) : std::nullopt;
    }
    const auto expected = combined(place, repetition);
    const auto [found, wanted] = std::ranges::mismatch(bytes, expected);
    if (found == bytes.end())
        return std::nullopt;
    return std::pair(static_cast<std::uint64_t>(found - bytes.begin()), *wanted);
}

std::optional<WrongByte> first_wrong(std::span<const Placement> placements, Buffer buffer,
                                     const std::byte* start, std::uint64_t repetition,
                                     WrongByte::Where where) {
    for (const auto& place : placements) {
        if (place.region.buffer != buffer)
            continue;
        const std::span bytes(start + place.region.offset_bytes, place.region.size_bytes);
        if (const auto wrong = difference(bytes, place, repetition))
            return WrongByte{where, place.block, wrong->first,
                             std::to_integer<unsigned char>(wrong->second),
                             std::to_integer<unsigned char>(bytes[wrong->first])};
    }
    return std::nullopt;
}

} // namespace

std::string text_of(const WrongByte& wrong) {
    const auto what = fmt::format("0x{:02x} instead of 0x{:02x}", wrong.found, wrong.expected);
    switch (wrong.where) {
    case WrongByte::Where::received:
        return fmt::format("block {}, byte {}: {}", text_of(wrong.block), wrong.position, what);
    case WrongByte::Where::sent:
        return fmt::format("block {} was overwritten in the send buffer, byte {}: {}",
                           text_of(wrong.block), wrong.position, what);
    case WrongByte::Where::outside:
        break;
    }
    return fmt::format("memory next to a buffer was overwritten: {}", what);
}

Buffers::Guarded::Guarded(std::uint64_t size_bytes)
    : bytes(new std::byte[size_bytes + 2 * guard_bytes]) {
    // Touched now, so that no page is mapped while the clock runs.
    std::memset(bytes.get(), 0, size_bytes + 2 * guard_bytes);
}

std::byte* Buffers::Guarded::start() const {
    return bytes.get() + guard_bytes;
}

void Buffers::Guarded::guard(std::uint64_t used_bytes) const {
    std::fill_n(bytes.get(), guard_bytes, guard_value);
    std::fill_n(start() + used_bytes, guard_bytes, guard_value);
}

std::optional<WrongByte> Buffers::Guarded::touched(std::uint64_t used_bytes) const {
    for (const std::byte* from : {bytes.get(), start() + used_bytes}) {
        const auto* to = from + guard_bytes;
        const auto* other = std::find_if(from, to, [](auto byte) { return byte != guard_value; });
        if (other != to)
            return WrongByte{WrongByte::Where::outside,
                             {},
                             0,
                             std::to_integer<unsigned char>(guard_value),
                             std::to_integer<unsigned char>(*other)};
    }
    return std::nullopt;
}

Buffers::Buffers(const Specification& largest, int rank)
    : rank_(rank), send_(largest.buffer_bytes(rank, Buffer::send)),
      receive_(largest.buffer_bytes(rank, Buffer::receive)) {}

void Buffers::fill(const Specification& specification, std::uint64_t repetition) {
    send_.guard(specification.buffer_bytes(rank_, Buffer::send));
    receive_.guard(specification.buffer_bytes(rank_, Buffer::receive));
    for (const auto& place : specification.before(rank_)) {
        auto* start = place.region.buffer == Buffer::send ? send() : receive();
        Pattern(place.block, repetition)
            .write({start + place.region.offset_bytes, place.region.size_bytes});
    }
}

std::optional<WrongByte> Buffers::check(const Specification& specification,
                                        std::uint64_t repetition) const {
    auto wrong = first_wrong(specification.after(rank_), Buffer::receive, receive(), repetition,
                             WrongByte::Where::received);
    if (!wrong)
        wrong = first_wrong(specification.before(rank_), Buffer::send, send(), repetition,
                            WrongByte::Where::sent);
    if (!wrong)
        wrong = send_.touched(specification.buffer_bytes(rank_, Buffer::send));
    if (!wrong)
        wrong = receive_.touched(specification.buffer_bytes(rank_, Buffer::receive));
    return wrong;
}

} // namespace alltold::campaign
