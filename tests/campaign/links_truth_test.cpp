// SPDX-License-Identifier: BSD-3-Clause
// Trains and floods find what a lab's switch and backbone were built with.
#include <cmath>

#include "campaign/study/links_truth.hpp"
#include "measured_lab.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

struct Lab {
    const char* name;
    const char* clusters;
    int ranks;
    const char* nic;
    const char* buffer;
    const char* budget;
};

class LinksTruth : public test::MeasuredLab, public testing::WithParamInterface<Lab> {};

} // namespace

class RoughTruth : public test::MeasuredLab, public testing::WithParamInterface<Lab> {};

// A rough measurement finds the same, of every pair of clusters.
TEST_P(RoughTruth, ComesBack) {
    const auto& asked = GetParam();
    constexpr int most_goes = 3;
    std::string wrong = "never measured";
    for (int go = 0; go < most_goes && !wrong.empty(); ++go) {
        remove_store();
        const auto profile =
            measure(fmt::format("--clusters {} --nic {} --buffer {} --wan 30Mbit,10ms,128KiB",
                                asked.clusters, asked.nic, asked.buffer),
                    asked.ranks, fmt::format("--rough --budget {}", asked.budget));
        ASSERT_TRUE(profile) << profile.error().message;
        const auto compared = recovered_links(truth_file(), *profile);
        ASSERT_TRUE(compared) << compared.error().message;
        EXPECT_EQ(compared->size(), 5U);
        wrong.clear();
        for (const auto& one : *compared)
            if (std::abs(one.error()) > (one.allowed > 0.1 ? 0.3 : 0.05))
                wrong += fmt::format("{}: built {}, found {}\n{}", one.what, one.built_text,
                                     one.found_text, refusals(*profile));
    }
    judge(wrong);
}

INSTANTIATE_TEST_SUITE_P(Of, RoughTruth,
                         testing::Values(Lab{"two", "4+4", 8, "20Mbit", "64KiB", "15s"},
                                         Lab{"three", "4+3+4", 11, "20Mbit", "32KiB", "15s"}),
                         [](const auto& lab) { return lab.param.name; });

// A busy machine may need longer than the budget: a store goes on where it stopped. If that does
// not help, what disturbed the machine is in the store, and another one is begun.
TEST_P(LinksTruth, ComesBack) {
    const auto& asked = GetParam();
    constexpr int most_goes = 4;
    std::string wrong = "never measured";
    for (int go = 0; go < most_goes && !wrong.empty(); ++go) {
        if (go == most_goes / 2)
            remove_store();
        const auto profile = measure(
            fmt::format("--clusters {} --nic {} --buffer {} --wan 60Mbit,5ms,128KiB",
                        asked.clusters, asked.nic, asked.buffer),
            asked.ranks,
            fmt::format("--only p2p,links -m 1,4KiB,32KiB,128KiB --budget {}", asked.budget));
        ASSERT_TRUE(profile) << profile.error().message;
        const auto compared = recovered_links(truth_file(), *profile);
        ASSERT_TRUE(compared) << compared.error().message;
        EXPECT_EQ(compared->size(), asked.ranks == 4 ? 2U : 5U);
        wrong.clear();
        for (const auto& one : *compared)
            if (!one.right())
                wrong += fmt::format("{}: built {}, found {}\n{}", one.what, one.built_text,
                                     one.found_text, refusals(*profile));
    }
    judge(wrong);
}

INSTANTIATE_TEST_SUITE_P(Of, LinksTruth,
                         testing::Values(Lab{"small_buffer", "4", 4, "50Mbit", "32KiB", "8s"},
                                         Lab{"deep_buffer", "4", 4, "100Mbit", "256KiB", "8s"},
                                         Lab{"backbone", "3+3", 6, "50Mbit", "64KiB", "20s"}),
                         [](const auto& lab) { return lab.param.name; });
