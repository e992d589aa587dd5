// SPDX-License-Identifier: BSD-3-Clause
// The published networks: the program's figures against the papers' formulas, to 12 digits.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace alltold {
namespace {

using nlohmann::json;
using test::run_alltold;

json predicted(const std::vector<std::string>& arguments) {
    const auto run = run_alltold(arguments);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    return json::parse(run.output);
}

void expect_12_digits(double got, double expected) {
    EXPECT_LE(std::abs(got - expected), 1e-12 * expected) << got << " is not " << expected;
}

/// What SMT07 section 6 and SMT section VI.E print, beside the nominal alpha and beta we assume.
struct BuiltInNetwork {
    const char* name;
    double gamma, delta_s, threshold_bytes, alpha_s, beta_s_per_byte;
};
constexpr BuiltInNetwork networks[] = {
    {"@fast-ethernet-2007", 1.0195, 0.00823, 2048, 60e-6, 8e-8},
    {"@gigabit-ethernet-2007", 4.3628, 0.00493, 8192, 60e-6, 8e-9},
    {"@myrinet-2007", 2.49754, 0, 0, 10e-6, 4e-9},
    {"@nancy-rennes-2007", 2.6887, 0.005039, 1024, 60e-6, 8e-9},
};

TEST(Predict, published_networks_are_the_papers_formulas) {
    for (const auto& [name, gamma, delta_s, threshold_bytes, alpha_s, beta] : networks)
        for (const char* model : {"signature", "gamma", "linear", "clement"}) {
            const auto answer = predicted({"predict", name, "alltoall", "-n", "4,24,40,256", "-m",
                                           "1,1000,2KiB,64KiB,1MiB", "--model", model, "--json"});
            ASSERT_EQ(answer["predictions"].size(), 20U);
            for (const auto& point : answer["predictions"]) {
                const double n = point["n"], m = point["size_bytes"];
                const double delta = m >= threshold_bytes ? delta_s : 0;
                const std::string which = model;
                const double expected = which == "signature"
                                            ? (n - 1) * (alpha_s + m * beta * gamma + delta)
                                        : which == "gamma"  ? (n - 1) * (alpha_s + m * beta * gamma)
                                        : which == "linear" ? (n - 1) * (alpha_s + m * beta)
                                                            : alpha_s + beta * m * n;
                expect_12_digits(point["time_s"]["value"], expected);
                expect_12_digits(point["proposition_1_s"], (n - 1) * (alpha_s + m * beta));
                expect_12_digits(point["bound_s"], (n - 1) * m * beta + alpha_s);
            }
        }
}

TEST(Predict, two_clusters_are_smt_equation_6) {
    const auto answer = predicted({"predict", "@nancy-rennes-2007", "alltoall", "--clusters",
                                   "20+40", "-m", "64KiB", "--algorithm", "mpi", "--json"});
    const double m = 65536;
    expect_12_digits(answer["predictions"][0]["time_s"]["value"],
                     39 * (60e-6 + m * 8e-9 * 2.6887 + 0.005039) + 40 * (5e-3 + 8e-9 * m));
}

TEST(Predict, table_names_model_equation_and_what_was_assumed) {
    const auto run = run_alltold({"predict", "@gigabit-ethernet-2007", "alltoall", "-n", "40", "-m",
                                  "1MiB", "--algorithm", "mpi"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_EQ(run.errors, "");
    for (const char* part :
         {"the MPI library's own alltoall on", "model signature (SMT07 equation 5)",
          "40  1 MiB     1.62 s", "note: assumed: alpha and beta, which the paper does not print"})
        EXPECT_NE(run.output.find(part), std::string::npos) << run.output;
}

TEST(Predict, help_starts_with_an_example_that_runs) {
    for (const char* subcommand : {"predict", "validate"}) {
        const auto help = run_alltold({subcommand, "--help"});
        EXPECT_EQ(help.exit_status, 0);
        EXPECT_EQ(help.output.find(std::string("Example: alltold ") + subcommand + " "), 0U);
    }
}

} // namespace
} // namespace alltold
