// SPDX-License-Identifier: BSD-3-Clause
// What ping-pongs say of a lab is what the lab was built with: its links' rate, its backbone's
// delay.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "lab/lab.hpp"
#include "store/fit_campaign.hpp"
#include "study/built_with.hpp"

using namespace alltold;

namespace {

struct Lab {
    const char* name;
    const char* clusters;
    int ranks;
    const char* nic;
    const char* wan;
};

class Truth : public testing::TestWithParam<Lab> {
  protected:
    void SetUp() override {
        std::string why;
        if (!lab::lab_permitted(&why))
            GTEST_SKIP() << "no lab can be made here: " << why;
    }
    test::Scratch folder_;
};

} // namespace

TEST_P(Truth, ComesBack) {
    const auto& asked = GetParam();
    const auto truth_file = (folder_ / "truth.json").string();
    const auto store = (folder_ / "net.db").string();
    const auto command = fmt::format(
        "{0} lab --clusters {1} --nic {2} --wan {3} --truth {4} -- mpirun -n {5} {0} measure "
        "--only p2p --sizes 1,1KiB,32KiB,128KiB,256KiB,512KiB --budget 15s --store {6} >{7} 2>&1 "
        "</dev/null",
        ALLTOLD_BINARY, asked.clusters, asked.nic, asked.wan, truth_file, asked.ranks, store,
        (folder_ / "log").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << command;

    const auto campaign = Campaign::read(store);
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto profile = fit_campaign(*campaign, {.name = "lab", .source = store});
    ASSERT_TRUE(profile) << profile.error().message;
    const auto truth = LabTruth::read(truth_file);
    ASSERT_TRUE(truth) << truth.error().message;
    const auto compared = recovered(*truth, *profile);
    ASSERT_TRUE(compared) << "no ping-pong was fitted";
    std::string refusals;
    for (const auto& refusal : profile->refused)
        refusals += refusal.what + " refused: " + refusal.reason + "\n";
    SCOPED_TRACE(compared->text + refusals);
    EXPECT_NEAR(compared->rate_error, 0, 0.03);
    ASSERT_EQ(compared->delay_error.has_value(), truth->wan_delay_s > 0);
    if (compared->delay_error) {
        EXPECT_NEAR(*compared->delay_error, 0, 0.05);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Of, Truth,
    testing::Values(Lab{"slow_and_near", "2+2", 4, "20Mbit", "100Mbit,2ms,256KiB"},
                    Lab{"middling", "2+2", 4, "50Mbit", "200Mbit,5ms,512KiB"},
                    Lab{"fast_and_far", "2+2", 4, "100Mbit", "200Mbit,20ms,1MiB"}),
    [](const auto& lab) { return lab.param.name; });
