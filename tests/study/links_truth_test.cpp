// SPDX-License-Identifier: BSD-3-Clause
// Trains and floods find what a lab's switch and backbone were built with.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "lab/lab.hpp"
#include "store/fit_campaign.hpp"
#include "study/links_truth.hpp"

using namespace alltold;

namespace {

struct Lab {
    const char* name;
    const char* clusters;
    int ranks;
    const char* nic;
    const char* buffer;
    const char* budget;
};

class LinksTruth : public testing::TestWithParam<Lab> {
  protected:
    void SetUp() override {
        std::string why;
        if (!lab::lab_permitted(&why))
            GTEST_SKIP() << "no lab can be made here: " << why;
    }
    test::Scratch folder_;
};

} // namespace

TEST_P(LinksTruth, ComesBack) {
    const auto& asked = GetParam();
    const auto truth = (folder_ / "truth.json").string();
    const auto store = (folder_ / "net.db").string();
    const auto command = fmt::format(
        "{0} lab --clusters {1} --nic {2} --buffer {3} --wan 60Mbit,5ms,128KiB --truth {4} -- "
        "mpirun -n {5} {0} measure --only p2p,links --sizes 1,4KiB,32KiB,128KiB --budget {6} "
        "--store {7} "
        ">{8} 2>&1 </dev/null",
        ALLTOLD_BINARY, asked.clusters, asked.nic, asked.buffer, truth, asked.ranks, asked.budget,
        store, (folder_ / "log").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << command;

    const auto campaign = Campaign::read(store);
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto profile = fit_campaign(*campaign, {.name = "lab", .source = store});
    ASSERT_TRUE(profile) << profile.error().message;
    const auto compared = recovered_links(truth, *profile);
    ASSERT_TRUE(compared) << compared.error().message;
    std::string refusals;
    for (const auto& refusal : profile->refused)
        refusals += refusal.what + " refused: " + refusal.reason + "\n";
    EXPECT_EQ(compared->size(), asked.ranks == 4 ? 2U : 5U);
    for (const auto& one : *compared)
        EXPECT_TRUE(one.right()) << one.what << ": built " << one.built_text << ", found "
                                 << one.found_text << "\n"
                                 << refusals;
}

INSTANTIATE_TEST_SUITE_P(Of, LinksTruth,
                         testing::Values(Lab{"small_buffer", "4", 4, "50Mbit", "32KiB", "8s"},
                                         Lab{"deep_buffer", "4", 4, "100Mbit", "256KiB", "8s"},
                                         Lab{"backbone", "3+3", 6, "50Mbit", "64KiB", "20s"}),
                         [](const auto& lab) { return lab.param.name; });
