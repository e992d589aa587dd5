// SPDX-License-Identifier: BSD-3-Clause
// What is measured in a lab is what the lab was built with: its links' rate, its backbone's delay,
// its packets.
#include "campaign/study/links_truth.hpp"
#include "measured_lab.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

struct TrueLab {
    const char* name;
    const char* clusters;
    int ranks;
    const char* nic;
    const char* wan;
};

class Truth : public test::MeasuredLab, public testing::WithParamInterface<TrueLab> {};
class TruthOfPackets : public test::MeasuredLab {};

/// Load on this machine can spoil one measurement. An error of ours spoils all of them.
constexpr int most_attempts = 3;

} // namespace

TEST_P(Truth, ComesBack) {
    const auto& asked = GetParam();
    std::string wrong = "never measured";
    for (int attempt = 0; attempt < most_attempts && !wrong.empty(); ++attempt) {
        remove_store();
        const auto profile = measure(
            fmt::format("--clusters {} --nic {} --wan {}", asked.clusters, asked.nic, asked.wan),
            asked.ranks, "--only p2p -m 1,1KiB,32KiB,128KiB,256KiB,512KiB --budget 15s");
        ASSERT_TRUE(profile) << profile.error().message;
        const auto compared = recovered_links(truth_file(), *profile);
        ASSERT_TRUE(compared) << compared.error().message;
        wrong.clear();
        for (const auto& one : *compared)
            if ((one.what == "NIC rate" || one.what == "backbone delay") && !one.right())
                wrong += truth_text(*compared) + refusals(*profile);
    }
    judge(wrong);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Truth,
    testing::Values(TrueLab{"slow_and_near", "2+2", 4, "20Mbit", "100Mbit,2ms,256KiB"},
                    TrueLab{"middling", "2+2", 4, "50Mbit", "200Mbit,5ms,512KiB"},
                    TrueLab{"fast_and_far", "2+2", 4, "100Mbit", "200Mbit,20ms,1MiB"}),
    [](const auto& lab) { return lab.param.name; });

TEST_F(TruthOfPackets, AreThoseOfALabsLinks) {
    std::string wrong = "never measured";
    for (int attempt = 0; attempt < most_attempts && !wrong.empty(); ++attempt) {
        remove_store();
        const auto profile = measure("--clusters 2 --nic 50Mbit", 2, "--rough --budget 8s");
        ASSERT_TRUE(profile) << profile.error().message;
        constexpr double ethernets_less_headers = 1514 - 66;
        if (const auto& links = profile->network.links)
            wrong = links->mss_bytes == ethernets_less_headers
                        ? ""
                        : fmt::format("packets of {} B", links->mss_bytes);
        else
            wrong = refusals(*profile);
    }
    judge(wrong);
}
