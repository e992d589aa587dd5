// SPDX-License-Identifier: BSD-3-Clause
// alltold fit as a user runs it: the page, the profile, the exit status.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../scratch.hpp"
#include "core/random.hpp"
#include "network/signature/signature.hpp"
#include "predict/rules/choice_table.hpp"
#include "program.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

using test::run_alltold;

/// A directory with the campaign net.db of twelve hosts with a known signature.
class Fit : public ::testing::Test {
  protected:
    Result<Campaign> campaign() const {
        Provenance where;
        where.hosts.assign(12, "h");
        where.clusters = Clusters({12});
        where.mpi_library = "an MPI library";
        return Campaign::resume(folder_ / "net.db", where, 1);
    }

    void SetUp() override {
        auto campaign = this->campaign();
        ASSERT_TRUE(campaign) << campaign.error().message;
        Random random(1);
        for (std::uint64_t m = 1024; m <= 262144; m *= 4) {
            const auto size = static_cast<double>(m);
            add(*campaign, {"pingpong", "mpi", Clusters({2}), m, 0, 1}, network_.time_s(size),
                random);
            for (const int n : {8, 12})
                add(*campaign, {"alltoall", "mpi", Clusters({n}), m, -1, -1},
                    alltoall_time_s(network_, signature_, n, size), random);
        }
    }

    static void add(Campaign& campaign, const Point& point, double time_s, Random& random) {
        for (int i = 0; i < 8; ++i)
            ASSERT_TRUE(campaign.add(point, time_s * (1 + 0.02 * random.normal()), i == 0));
    }

    static constexpr Hockney network_{100e-6, 160e-9}; // 50 Mbit/s
    static constexpr Signature signature_{2, 4e-3, 4096};
    test::Scratch folder_;
};

TEST_F(Fit, prints_the_page_and_writes_the_profile) {
    const auto run = run_alltold({"fit", "net.db", "-o", "profile.json"}, folder_.directory());
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    for (const auto* part : {"gamma", "delta", "4 KiB", "Mbit/s", "signature", "clement",
                             "fitted at n = 12", "wrote profile.json"})
        EXPECT_NE(run.output.find(part), std::string::npos) << part << "\n" << run.output;
    const auto prediction = run_alltold({"predict", "profile.json", "alltoall", "-n", "12", "-m",
                                         "64KiB", "--algorithm", "mpi", "--json"},
                                        folder_.directory());
    ASSERT_EQ(prediction.exit_status, 0) << prediction.errors;
    const double time_s =
        nlohmann::json::parse(prediction.output)["predictions"][0]["time_s"]["value"];
    EXPECT_NEAR(time_s / alltoall_time_s(network_, signature_, 12, 65536), 1, 0.03);
}

TEST_F(Fit, leaves_what_is_held_out) {
    const auto run = run_alltold(
        {"fit", "net.db", "-o", "p.json", "--max-ranks", "8", "--hold-out", "16KiB", "--json"},
        folder_.directory());
    ASSERT_EQ(run.exit_status, 0) << run.errors;
    const auto alltoall = nlohmann::json::parse(run.output)["alltoall"];
    EXPECT_EQ(alltoall["reference_n"], 8);
    EXPECT_EQ(alltoall["sizes_bytes"], nlohmann::json({1024.0, 4096.0, 65536.0, 262144.0}));
}

TEST_F(Fit, says_no_with_a_reason_and_still_writes_what_it_could_fit) {
    const auto run = run_alltold({"fit", "net.db", "-o", "p.json", "--hold-out", "1KiB,16KiB"},
                                 folder_.directory());
    EXPECT_EQ(run.exit_status, 1);
    EXPECT_NE(run.output.find("3 size(s) measured; a signature needs at least 4"),
              std::string::npos)
        << run.output;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "p.json"));
}

TEST_F(Fit, makes_rules_of_benchmarks_where_the_librarys_own_was_timed_too) {
    const auto chosen = [&] {
        const auto run = run_alltold({"fit", "net.db", "-o", "p.json"}, folder_.directory());
        EXPECT_EQ(run.exit_status, 0) << run.errors;
        const auto profile = load_profile((folder_ / "p.json").string());
        const std::vector<std::vector<Rule>> sources{*rules_of(*profile)};
        return text_of(ChoiceTable(sources, Collective::bcast, {12, 1}).at(300));
    };
    const auto add_bcasts = [&](const char* algorithm, double time_s) {
        auto campaign = this->campaign();
        Random random(2);
        for (const std::uint64_t m : {75, 150, 300, 600, 1200, 2400})
            add(*campaign, {"bcast", algorithm, Clusters({12}), m, -1, -1}, time_s, random);
    };
    add_bcasts("bcast.chain", 1e-3);
    EXPECT_EQ(chosen(), "mpi") << "nothing was timed against it";
    add_bcasts("mpi", 9e-3);
    EXPECT_TRUE(chosen().starts_with("bcast."));
}

TEST_F(Fit, bad_input_is_one_line_and_status_2) {
    const std::vector<std::vector<std::string>> cases{
        {"fit", "none.db", "-o", "p.json"},
        {"fit", "net.db"},
        {"fit", "net.db", "-o", "nowhere/p.json"},
        {"fit", "net.db", "-o", "p.json", "--hold-out", "12parsecs"},
        {"fit", "net.db", "-o", "p.json", "--max-ranks", "1"},
        {"fit", "net.db", "-o", "p.json", "--seed", "-3"},
    };
    for (const auto& arguments : cases) {
        const auto run = run_alltold(arguments, folder_.directory());
        EXPECT_EQ(run.exit_status, 2) << run.errors;
        EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "p.json"));
}

TEST_F(Fit, help_shows_an_example_first) {
    const auto run = run_alltold({"fit", "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_EQ(run.output.find("Example: alltold fit net.db -o profile.json"), 0U);
}

} // namespace
} // namespace alltold
