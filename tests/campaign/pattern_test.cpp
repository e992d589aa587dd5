// SPDX-License-Identifier: BSD-3-Clause
// The check of received bytes: nothing wrong passes, nothing right is refused.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "campaign/run/pattern.hpp"

namespace alltold::campaign {
namespace {

/// Two ranks' buffers of an all-to-all, and the exchange done by hand.
struct Pair {
    explicit Pair(std::uint64_t size) : size_bytes(size) {}

    void exchange(std::uint64_t repetition) {
        a.fill(specification, repetition);
        b.fill(specification, repetition);
        std::memcpy(a.receive(), a.send(), size_bytes);
        std::memcpy(a.receive() + size_bytes, b.send(), size_bytes);
        std::memcpy(b.receive(), a.send() + size_bytes, size_bytes);
        std::memcpy(b.receive() + size_bytes, b.send() + size_bytes, size_bytes);
    }

    std::uint64_t size_bytes;
    Specification specification = Specification::of(Collective::alltoall, 2, 0, size_bytes);
    Buffers a{specification, 0}, b{specification, 1};
};

TEST(Pattern, AcceptsWhatIsRight) {
    for (const std::uint64_t size_bytes : {0, 1, 7, 8, 9, 1000}) {
        Pair pair(size_bytes);
        pair.exchange(3);
        EXPECT_FALSE(pair.a.check(pair.specification, 3)) << size_bytes;
        EXPECT_FALSE(pair.b.check(pair.specification, 3)) << size_bytes;
    }
}

TEST(Pattern, SeesAnyByteThatChanged) {
    EXPECT_TRUE(rc::check([] {
        Pair pair(*rc::gen::inRange<std::uint64_t>(1, 100));
        pair.exchange(1);
        const auto at = *rc::gen::inRange<std::uint64_t>(0, 2 * pair.size_bytes);
        const auto flip = std::byte(*rc::gen::inRange(1, 256));
        const bool received = *rc::gen::arbitrary<bool>();
        (received ? pair.a.receive() : pair.a.send())[at] ^= flip;
        const auto wrong = pair.a.check(pair.specification, 1);
        RC_ASSERT(wrong.has_value());
        RC_ASSERT(wrong->where == (received ? WrongByte::Where::received : WrongByte::Where::sent));
        RC_ASSERT(wrong->position == at % pair.size_bytes);
        const int peer = static_cast<int>(at / pair.size_bytes);
        RC_ASSERT(wrong->block == (received ? Block{peer, 0} : Block{0, peer}));
        RC_ASSERT((wrong->expected ^ wrong->found) == std::to_integer<int>(flip));
    }));
}

TEST(Pattern, SeesWhatWasLeftFromBefore) {
    Pair pair(64);
    pair.exchange(1);
    EXPECT_TRUE(pair.a.check(pair.specification, 2));
}

/// A reduction of all ranks by exclusive or, done by hand.
struct Reduced {
    Reduced(Collective collective, int ranks, std::uint64_t size_bytes)
        : specification(Specification::of(collective, ranks, 0, size_bytes)) {
        for (int rank = 0; rank < ranks; ++rank) {
            buffers.emplace_back(specification, rank);
            buffers.back().fill(specification, 1);
        }
        for (int rank = 0; rank < ranks; ++rank)
            for (const auto& place : specification.after(rank))
                for (std::uint64_t i = 0; i < place.region.size_bytes; ++i) {
                    std::byte sum{0};
                    for (int from = 0; from < place.contributions; ++from)
                        sum ^= of(from).send()[place.address + i];
                    of(rank).receive()[place.region.offset_bytes + i] = sum;
                }
    }
    Buffers& of(int rank) { return buffers[static_cast<std::size_t>(rank)]; }

    Specification specification;
    std::vector<Buffers> buffers;
};

TEST(Pattern, OfReductionsIsTheExclusiveOrOfAllContributions) {
    std::vector<Collective> reductions;
    std::ranges::copy_if(all_collectives, std::back_inserter(reductions),
                         [](Collective one) { return traits_of(one).reduces; });
    ASSERT_EQ(reductions.size(), 5U);
    EXPECT_TRUE(rc::check([&] {
        const auto collective = *rc::gen::elementOf(reductions);
        const int ranks = *rc::gen::inRange(1, 6);
        Reduced reduced(collective, ranks, *rc::gen::inRange<std::uint64_t>(1, 40));
        const auto& specification = reduced.specification;
        for (int rank = 0; rank < ranks; ++rank)
            RC_ASSERT(!reduced.of(rank).check(specification, 1));
        const int rank = *rc::gen::inRange(0, ranks);
        const auto received_bytes = specification.buffer_bytes(rank, Buffer::receive);
        const bool received = received_bytes > 0 && *rc::gen::arbitrary<bool>();
        const auto at = *rc::gen::inRange<std::uint64_t>(
            0, received ? received_bytes : specification.buffer_bytes(rank, Buffer::send));
        const auto flip = std::byte(*rc::gen::inRange(1, 256));
        (received ? reduced.of(rank).receive() : reduced.of(rank).send())[at] ^= flip;
        const auto wrong = reduced.of(rank).check(specification, 1);
        RC_ASSERT(wrong.has_value());
        RC_ASSERT(wrong->where == (received ? WrongByte::Where::received : WrongByte::Where::sent));
        RC_ASSERT(wrong->position == at);
        RC_ASSERT((wrong->expected ^ wrong->found) == std::to_integer<int>(flip));
    }));
}

TEST(Pattern, OfReductionsMissesNoContribution) {
    Reduced reduced(Collective::allreduce, 3, 16);
    for (std::uint64_t i = 0; i < 16; ++i)
        reduced.of(0).receive()[i] ^= reduced.of(2).send()[i];
    EXPECT_TRUE(reduced.of(0).check(reduced.specification, 1));
}

TEST(Pattern, SeesBytesBesideTheBuffersOfEverySize) {
    const auto large = Specification::of(Collective::gather, 3, 0, 100),
               small = Specification::of(Collective::gather, 3, 0, 10);
    // Rank 1 receives nothing: all of its receive buffer is beside.
    for (const std::ptrdiff_t at : {-64, -1, 0, 63}) {
        Buffers sender(large, 1);
        sender.fill(small, 1);
        EXPECT_FALSE(sender.check(small, 1));
        sender.receive()[at] ^= std::byte{1};
        const auto wrong = sender.check(small, 1);
        ASSERT_TRUE(wrong) << at;
        EXPECT_EQ(wrong->where, WrongByte::Where::outside);
    }
    Buffers sender(large, 1);
    sender.fill(small, 1);
    sender.send()[small.size_bytes()] ^= std::byte{1}; // within the room for the larger size
    EXPECT_TRUE(sender.check(small, 1));
}

} // namespace
} // namespace alltold::campaign
