// SPDX-License-Identifier: BSD-3-Clause
// Errors of models on alltold's algorithms, as fit prints them.
#include <sstream>

#include <gtest/gtest.h>

#include "network/congestion/congestion_fit.hpp"
#include "report/profile_summary.hpp"
#include "report/text_table.hpp"
#include "report/validation_table.hpp"

namespace alltold {
namespace {

const std::vector<AlgorithmErrors> some{
    {"bcast.binomial_segmented",
     false,
     12,
     {{"tw99", 0.031, 0.2}, {"links", 0.05, 0.1}, {"hockney", 0.5, 1}}},
    {"bcast.chain", false, 3, {{"links", 0.02, 0.03}, {"hockney", 1.234, 2}}},
    {"alltoall.lg", true, 4, {{"links", 0.061, 0.1}, {"smt", 0.3, 0.4}}}};

TEST(AlgorithmErrorsTable, HasAColumnPerModelAndNamesTheBest) {
    EXPECT_EQ(algorithm_errors_table(some),
              "alltold's algorithms: median error of each model on measured calls, to which none "
              "was fitted\n"
              "\n"
              "on one cluster            calls  hockney  links   tw99  best\n"
              "------------------------  -----  -------  -----  -----  -----\n"
              "bcast.binomial_segmented     12   50.0 %  5.0 %  3.1 %  tw99\n"
              "bcast.chain                   3    123 %  2.0 %      -  links\n"
              "\n"
              "on several clusters  calls  links     smt  best\n"
              "-------------------  -----  -----  ------  -----\n"
              "alltoall.lg              4  6.1 %  30.0 %  links\n");
}

TEST(AlgorithmErrorsTable, FitsAPageWithEveryModelBelow1000Percent) {
    AlgorithmErrors widest{"reduce_scatter_block.recursive_halving", false, 1000, {}};
    for (const auto* model : {"links", "plogp", "hockney", "cluster", "tw99"})
        widest.models.push_back({model, 9.99, 100});
    std::istringstream lines(algorithm_errors_table({widest}));
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), page_columns) << line;
}

TEST(ProfileSummary, SaysByWhichEquationModelsAreComparedOnSeveralClusters) {
    CongestionFit fit;
    fit.clusters = 2;
    fit.coefficients = {1, 1};
    fit.models = {{"congestion", 0.04, 0.1}, {"signature", 0.3, 0.5}};
    Profile profile;
    profile.network.congestion = fit;
    EXPECT_NE(profile_summary(profile).find("all but congestion: SMT equation 6"),
              std::string::npos);
    fit.clusters = 1;
    profile.network.congestion = fit;
    EXPECT_EQ(profile_summary(profile).find("SMT equation 6"), std::string::npos);
}

TEST(AlgorithmErrorsTable, IsPartOfTheSummaryOfAProfile) {
    Profile profile;
    EXPECT_EQ(profile_summary(profile).find("alltold's algorithms"), std::string::npos);
    profile.algorithm_errors = some;
    EXPECT_NE(profile_summary(profile).find(algorithm_errors_table(some)), std::string::npos);
}

} // namespace
} // namespace alltold
