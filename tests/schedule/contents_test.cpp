// SPDX-License-Identifier: BSD-3-Clause
// Interval bookkeeping agrees with byte by byte bookkeeping.
#include "schedule/contents.hpp"

#include <array>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace alltold;

namespace {

constexpr std::uint64_t size = 40;

Run random_run() {
    const auto from = *rc::gen::inRange<std::uint64_t>(0, size);
    return {from, *rc::gen::inRange<std::uint64_t>(0, size - from + 1)};
}

TEST(Contents, AgreeWithAnArrayOfBytes) {
    EXPECT_TRUE(rc::check("put and get", [] {
        constexpr std::uint64_t unset = 1000;
        std::array<std::uint64_t, size> bytes;
        bytes.fill(unset);
        Contents contents;
        const int writes = *rc::gen::inRange(0, 30);
        for (int i = 0; i < writes; ++i) {
            const auto [at, length] = random_run();
            const auto address = *rc::gen::inRange<std::uint64_t>(0, 100);
            const auto cut = *rc::gen::inRange<std::uint64_t>(0, length + 1);
            // Two runs that may or may not continue one another.
            const auto second = address + cut + *rc::gen::inRange<std::uint64_t>(0, 2);
            std::vector<alltold::Run> runs;
            if (cut > 0)
                runs.push_back({address, cut});
            if (length > cut)
                runs.push_back({second, length - cut});
            contents.put(at, runs);
            for (std::uint64_t k = 0; k < length; ++k)
                bytes[at + k] = k < cut ? address + k : second + k - cut;
        }
        const auto [from, length] = random_run();
        bool defined = true;
        std::uint64_t written = 0;
        for (std::uint64_t k = 0; k < size; ++k) {
            written += bytes[k] != unset;
            defined = defined && (k < from || k >= from + length || bytes[k] != unset);
        }
        RC_ASSERT(contents.written_bytes() == written);
        std::vector<alltold::Run> runs;
        RC_ASSERT(contents.get(from, length, runs) == defined);
        if (!defined)
            return;
        std::uint64_t at = from;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            for (std::uint64_t k = 0; k < runs[i].size_bytes; ++k)
                RC_ASSERT(bytes[at++] == runs[i].address + k);
            // Runs are maximal, so that equal contents compare equal.
            RC_ASSERT((i == 0 || runs[i - 1].address + runs[i - 1].size_bytes != runs[i].address));
        }
        RC_ASSERT(at == from + length);
    }));
}

TEST(AddressSet, AgreesWithASetOfNumbers) {
    EXPECT_TRUE(rc::check("insert, erase and look up", [] {
        std::set<std::uint64_t> members;
        AddressSet addresses;
        const int changes = *rc::gen::inRange(0, 30);
        for (int i = 0; i < changes; ++i) {
            const auto run = random_run();
            const bool insert = *rc::gen::arbitrary<bool>();
            insert ? addresses.insert(run) : addresses.erase(run);
            for (std::uint64_t k = 0; k < run.size_bytes; ++k)
                if (insert)
                    members.insert(run.address + k);
                else
                    members.erase(run.address + k);
        }
        const auto run = random_run();
        std::optional<std::uint64_t> first_in, first_missing;
        for (auto k = run.address + run.size_bytes; k-- > run.address;)
            (members.count(k) ? first_in : first_missing) = k;
        RC_ASSERT(addresses.first_in(run) == first_in);
        RC_ASSERT(addresses.first_missing(run) == first_missing);
        RC_ASSERT(addresses.first() == (members.empty() ? std::optional<std::uint64_t>()
                                                        : std::optional(*members.begin())));
    }));
}

} // namespace
