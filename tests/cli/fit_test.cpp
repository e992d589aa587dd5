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
#include "store/profile_json.hpp"
#include "store/profile_rules.hpp"

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

TEST_F(Fit, keeps_the_winners_of_benchmarks_and_only_those) {
    const auto chosen = [&](std::uint64_t size_bytes) {
        const auto run = run_alltold({"fit", "net.db", "-o", "p.json"}, folder_.directory());
        EXPECT_EQ(run.exit_status, 0) << run.errors;
        const auto profile = load_profile((folder_ / "p.json").string());
        const std::vector<std::vector<Rule>> sources{*rules_of(*profile)};
        return text_of(ChoiceTable(sources, Collective::bcast, {12, 1}).at(size_bytes));
    };
    const auto add_bcast = [&](const char* algorithm, std::uint64_t size_bytes, double time_s) {
        auto campaign = this->campaign();
        Random random(2);
        add(*campaign, {"bcast", algorithm, Clusters({12}), size_bytes, -1, -1}, time_s, random);
    };
    const auto by_models = chosen(300);
    EXPECT_NE(by_models, "bcast.chain");
    add_bcast("bcast.chain", 300, 1e-4);
    EXPECT_EQ(chosen(300), by_models) << "nothing was timed against it";
    add_bcast("mpi", 300, 2e-4);
    EXPECT_EQ(chosen(300), "bcast.chain");
    add_bcast("mpi", 65536, 1e-3);
    EXPECT_EQ(chosen(300), "bcast.chain");
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

/// Whether the rule's algorithm was measured to be quicker than the library's own in a call that
/// the rule covers: such a win keeps its rule.
bool was_won(const Network& network, const Rule& rule) {
    const auto quickest_s = [&](const Clusters& clusters, std::uint64_t size_bytes,
                                const Algorithm* algorithm) {
        double least_s = INFINITY;
        for (const auto& correction : network.corrections)
            if (correction.of().probe.collective == rule.collective)
                for (const auto& call : correction.calls())
                    if (call.algorithm == algorithm && call.clusters == clusters &&
                        call.size_bytes == size_bytes)
                        least_s = std::min(least_s, call.measured_s);
        return least_s;
    };
    for (const auto& correction : network.corrections)
        for (const auto& call : correction.calls())
            if (rule.choice.algorithm && correction.of().probe.collective == rule.collective &&
                rule.covers(rule.collective, call.size_bytes, call.clusters) &&
                quickest_s(call.clusters, call.size_bytes, rule.choice.algorithm) <
                    quickest_s(call.clusters, call.size_bytes, nullptr))
                return true;
    return false;
}

TEST(FitOfAStudy, makes_no_rules_that_are_slivers_beside_the_librarys_own) {
    const auto profile = load_profile(GOLDEN_PROFILE);
    ASSERT_TRUE(profile) << profile.error().message << "; ctest -R golden.profile makes it";
    const auto rules = rules_of(*profile);
    ASSERT_TRUE(rules && rules->size() > 100);
    int slivers = 0, at_window = 0;
    for (std::size_t i = 1; i + 1 < rules->size(); ++i) {
        const auto &before = (*rules)[i - 1], &rule = (*rules)[i], &after = (*rules)[i + 1];
        const auto& [least, most] = rule.size_bytes;
        if (least == 0 || most == Span::endless ||
            static_cast<double>(most) + 1 >= 1.25 * static_cast<double>(least) ||
            was_won(profile->network, rule))
            continue;
        EXPECT_FALSE(before.choice.is_default() || after.choice.is_default()) << text_of(rule);
        // Some are left where no neighbour is safe, and the library's own always is: where on idle
        // connections a whole message still fits the initial window and segments do not, or else.
        const double window_bytes = profile->network.links->initial_window_bytes;
        const bool ends_window = static_cast<double>(least) <= window_bytes &&
                                 static_cast<double>(most) >= window_bytes - mpi_header_bytes;
        ++(ends_window ? at_window : slivers);
    }
    EXPECT_LE(at_window, 5);
    EXPECT_LE(slivers, 3);
}

TEST_F(Fit, help_shows_an_example_first) {
    const auto run = run_alltold({"fit", "--help"});
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_EQ(run.output.find("Example: alltold fit net.db -o profile.json"), 0U);
}

} // namespace
} // namespace alltold
