// SPDX-License-Identifier: BSD-3-Clause
// Inter-cluster messages of one exchange, counted where they pass: on the lab's backbone.
#include <algorithm>

#include <gtest/gtest.h>

#include "../lab/run.hpp"
#include "lab/lab.hpp"
#include "topology/clusters.hpp"

namespace alltold {
namespace {

using lab_tests::run_lab;

class BackboneMessages : public testing::TestWithParam<const char*> {};

TEST_P(BackboneMessages, AreThoseOfThePapersAndNoMore) {
    NEEDS_LAB();
    const auto clusters = *Clusters::parse(GetParam());
    const int n1 = clusters.size(0), n2 = clusters.size(1);
    const auto ran = run_lab(
        "--clusters " + clusters.text() + " -- " LAB_LAUNCHER " -n " + std::to_string(n1 + n2) +
        " " BACKBONE_COUNT " alltoall.lg alltoall.coordinator alltoall.direct");
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto expect = [&](const std::string& name, int each_way) {
        const auto n = std::to_string(each_way);
        const auto line = name + " " + n + " " + n + " " + n + " " + n + "\n";
        EXPECT_NE(ran.out.find(line), std::string::npos) << "expected " << line << ran.out;
    };
    expect("nothing", 0); // or the counts below would hold more than the exchange
    expect("alltoall.lg", std::max(n1, n2));
    expect("alltoall.coordinator", 1);
    expect("alltoall.direct", n1 * n2);
}

INSTANTIATE_TEST_SUITE_P(Of, BackboneMessages, testing::Values("3+7", "7+3", "4+4", "1+5"),
                         [](const auto& at) {
                             std::string name = at.param;
                             name[1] = '_';
                             return "Clusters" + name;
                         });

} // namespace
} // namespace alltold
