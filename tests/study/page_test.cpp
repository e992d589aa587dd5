// SPDX-License-Identifier: BSD-3-Clause
// The page says what was measured, what was predicted, and how far from the wire it all was.
#include "study/page.hpp"

#include <gtest/gtest.h>

using namespace alltold;

namespace {

ValidatedPoint point(int n, std::uint64_t size_bytes, double measured_s, double wire_s) {
    ValidatedPoint made{.clusters = Clusters({n}),
                        .size_bytes = size_bytes,
                        .repetitions = 9,
                        .measured_s = {measured_s, measured_s, measured_s},
                        .predicted = {},
                        .fitted = false};
    made.predicted.time_s = made.predicted.low_s = made.predicted.high_s = measured_s;
    made.predicted.nic_bound_s = made.predicted.bound_s = wire_s;
    return made;
}

} // namespace

TEST(StudyPage, TellsHowManyTimesTheWire) {
    const auto text = wire_table({point(4, 1024, 3e-3, 1e-3), point(4, 65536, 1.1e-1, 1e-1),
                                  point(12, 65536, 3.5e-1, 1e-1)});
    EXPECT_NE(text.find(" 1 KiB   3.00       -"), std::string::npos) << text;
    EXPECT_NE(text.find("64 KiB   1.10    3.50"), std::string::npos) << text;
    EXPECT_NE(text.find("Worst: 3.5 times the wire's time, with n = 12 and m = 64 KiB."),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("With n = 12 it keeps within 1.2 times the wire at no size measured."),
              std::string::npos)
        << text;
}

TEST(StudyPage, HasItsPartsAndWarnings) {
    Profile profile;
    profile.name = "study";
    profile.refused = {{"alltoall", "fewer than four sizes"}};
    Validation validation;
    validation.points = {point(4, 1024, 3e-3, 1e-3)};
    const auto page = study_page("a heading", profile, validation, "built with care\n", {"beware"});
    for (const char* part :
         {"a heading\n=========\n", "warning: beware", "1. The network", "built with care",
          "fewer than four sizes", "2. MPI_Alltoall", "3. How many times slower than the wire"})
        EXPECT_NE(page.find(part), std::string::npos) << part << " is not in\n" << page;
}
