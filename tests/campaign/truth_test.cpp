// SPDX-License-Identifier: BSD-3-Clause
// What ping-pongs say of a lab is what the lab was built with: its links' rate, its backbone's
// delay.
#include "campaign/study/built_with.hpp"
#include "measured_lab.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

struct Lab {
    const char* name;
    const char* clusters;
    int ranks;
    const char* nic;
    const char* wan;
};

class Truth : public test::MeasuredLab, public testing::WithParamInterface<Lab> {};

} // namespace

TEST_P(Truth, ComesBack) {
    const auto& asked = GetParam();
    const auto profile = measure(
        fmt::format("--clusters {} --nic {} --wan {}", asked.clusters, asked.nic, asked.wan),
        asked.ranks, "--only p2p --sizes 1,1KiB,32KiB,128KiB,256KiB,512KiB --budget 15s");
    ASSERT_TRUE(profile) << profile.error().message;
    const auto truth = LabTruth::read(truth_file());
    ASSERT_TRUE(truth) << truth.error().message;
    const auto compared = recovered(*truth, *profile);
    ASSERT_TRUE(compared) << "no ping-pong was fitted";
    SCOPED_TRACE(compared->text + refusals(*profile));
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
