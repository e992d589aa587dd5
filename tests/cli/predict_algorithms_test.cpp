// SPDX-License-Identifier: BSD-3-Clause
// alltold predict of our own algorithms: the formulas, the ranking, what cannot be predicted.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../scratch.hpp"
#include "program.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {
namespace {

using nlohmann::json;
using test::run_alltold;

json predicted_by(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "predict");
    arguments.emplace_back("--json");
    const auto run = run_alltold(arguments);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    return json::parse(run.output);
}

/// How many algorithms carry out `collective` with one rank per host, on one cluster or several.
std::ptrdiff_t algorithms(Collective collective, bool several_clusters) {
    return std::ranges::count_if(registry(), [&](const Algorithm* row) {
        return row->collective == collective && row->hosts != Algorithm::Use::must &&
               (several_clusters || row->clusters != Algorithm::Use::must);
    });
}

/// "@gigabit-ethernet-2007" as pLogP: L = 0, g(m) = 60 us + 8 ns m.
double gap_s(double size_bytes) {
    return 60e-6 + 8e-9 * size_bytes;
}

double time_of(const json& answer, const std::string& algorithm) {
    for (const auto& point : answer["predictions"])
        if (point["algorithm"] == algorithm)
            return point["time_s"]["value"];
    ADD_FAILURE() << algorithm << " is not there";
    return 0;
}

TEST(PredictAlgorithms, of_all_what_is_too_large_to_simulate_is_estimated) {
    const std::vector<std::string> call{
        "predict",    "@gigabit-ethernet-2007", "alltoall", "-n", "1024", "-m", "64KiB",
        "--algorithm"};
    auto one = call, all = call;
    one.emplace_back("paced");
    EXPECT_EQ(run_alltold(one).exit_status, 2) << "asked for by name it must be exact";
    all.emplace_back("all");
    const auto run = run_alltold(all);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_NE(run.output.find("alltoall.paced "), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("extrapolated from"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("alltoall.lg_small: needs several clusters"), std::string::npos)
        << run.output;
    std::istringstream lines(run.output);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 100U) << line;
}

TEST(PredictAlgorithms, of_calls_of_very_many_segments_end_in_time) {
    const test::Scratch folder;
    using Words = std::vector<std::string>;
    for (const auto& call :
         {Words{"bcast", "-n", "4", "-m", "1GiB", "--segment", "1"},
          Words{"bcast", "--clusters", "4+4", "-m", "9e6GB", "--segment", "64KiB"},
          Words{"alltoall", "--clusters", "4+4", "-m", "1e3GB"},
          Words{"allgather", "-n", "4", "-m", "1e3GB"},
          Words{"allreduce", "-n", "4", "-m", "1GiB", "--segment", "1"}}) {
        Words words{"predict", GOLDEN_PROFILE};
        words.insert(words.end(), call.begin(), call.end());
        constexpr unsigned most_s = 20;
        const auto run = run_alltold(words, folder.directory(), false, most_s);
        EXPECT_EQ(run.exit_status, 0) << call[0] << ": " << run.errors;
    }
    EXPECT_EQ(run_alltold({"rank", GOLDEN_PROFILE, "alltoall", "--clusters", "4+4", "-m", "1e3GB"},
                          folder.directory())
                  .exit_status,
              0);
}

TEST(PredictAlgorithms, are_the_papers_formulas) {
    const double g = gap_s(65536);
    const auto bcast = predicted_by(
        {"@gigabit-ethernet-2007", "bcast", "-n", "12", "-m", "64KiB", "--segment", "8KiB"});
    EXPECT_EQ(std::ssize(bcast["predictions"]), algorithms(Collective::bcast, false));
    EXPECT_NEAR(time_of(bcast, "bcast.flat"), 11 * g, 1e-12 * g);
    EXPECT_NEAR(time_of(bcast, "bcast.chain_segmented"), 18 * gap_s(8192), 1e-12 * g);
    EXPECT_NEAR(time_of(bcast, "bcast.binomial"), 4 * g, 1e-12 * g);
    const auto scatter =
        predicted_by({"@gigabit-ethernet-2007", "scatter", "-n", "8", "-m", "64KiB"});
    EXPECT_NEAR(time_of(scatter, "scatter.binomial"), 3 * 60e-6 + 7 * 8e-9 * 65536, 1e-12 * g);
    const auto exchange = predicted_by({"@gigabit-ethernet-2007", "alltoall", "--algorithm",
                                        "pairwise", "-n", "8", "-m", "64KiB"});
    EXPECT_NEAR(exchange["predictions"][0]["time_s"]["value"], 7 * g, 1e-12 * g);
    EXPECT_NEAR(exchange["predictions"][0]["bound_s"], 7 * 8e-9 * 65536 + 60e-6, 1e-12 * g);
}

TEST(PredictAlgorithms, of_an_alltoallv_take_its_matrix) {
    const std::string file = ::testing::TempDir() + "predict_matrix";
    std::ofstream(file) << "# three ranks\n0 64KiB 1KiB\n64KiB 0 1KiB\n1KiB 1KiB 0\n";
    const auto skewed = predicted_by({"@gigabit-ethernet-2007", "alltoallv", "--algorithm",
                                      "rotated", "-n", "3", "--matrix", file});
    ASSERT_EQ(skewed["predictions"].size(), 1U);
    EXPECT_NEAR(skewed["predictions"][0]["bound_s"], 8e-9 * (65536 + 1024) + 60e-6, 1e-9);
    EXPECT_NEAR(skewed["predictions"][0]["time_s"]["value"], gap_s(65536) + gap_s(1024), 1e-5);
    const auto all = predicted_by(
        {"@gigabit-ethernet-2007", "alltoallv", "-n", "3", "--matrix", file, "-m", "128KiB"});
    EXPECT_GT(all["predictions"].size(), 1U);
    EXPECT_GT(time_of(all, "alltoall.rotated"),
              1.8 * double(skewed["predictions"][0]["time_s"]["value"]));
    const auto equation =
        run_alltold({"predict", "@nancy-rennes-2007", "alltoallv", "--clusters", "2+2", "--matrix",
                     "skewed", "-m", "1MiB", "--algorithm", "lg"});
    EXPECT_EQ(equation.exit_status, 1);
    EXPECT_NE(equation.errors.find("SMT equation 7 is of blocks of one size"), std::string::npos)
        << equation.errors;
    const auto none = run_alltold({"predict", "@gigabit-ethernet-2007", "alltoallv", "-n", "3"});
    EXPECT_NE(none.errors.find("alltoallv needs --matrix"), std::string::npos) << none.errors;
}

TEST(PredictAlgorithms, of_an_alltoallv_simulate_a_bounded_number_of_messages) {
    const test::Scratch folder;
    std::ofstream(folder / "huge.matrix") << "0 1TB 1\n4096 0 7\n8 9 0\n";
    const std::vector<std::string> words{
        "predict", "@gigabit-ethernet-2007", "alltoallv", "-n", "3", "--matrix", "huge.matrix"};
    constexpr unsigned most_s = 20;
    const auto all = run_alltold(words, folder.directory(), false, most_s);
    EXPECT_EQ(all.exit_status, 0) << all.errors;
    EXPECT_NE(all.output.find("not predicted: alltoall.paced: among 3 ranks"), std::string::npos)
        << all.output;
    auto one = words;
    one.insert(one.end(), {"--algorithm", "paced"});
    const auto paced = run_alltold(one, folder.directory(), false, most_s);
    EXPECT_EQ(paced.exit_status, 2);
    EXPECT_NE(paced.errors.find("1.2e+08 messages are too many to simulate; use fewer ranks or "
                                "larger segments\n"),
              std::string::npos)
        << paced.errors;
    const auto many = predicted_by(
        {"@gigabit-ethernet-2007", "alltoallv", "-n", "60", "--matrix", "skewed", "-m", "1KiB"});
    EXPECT_GT(many["predictions"].size(), 1U) << "of more messages than estimates simulate";
}

TEST(PredictAlgorithms, come_fastest_first_with_their_parameters) {
    const auto answer = predicted_by({"@gigabit-ethernet-2007", "bcast", "-n", "12", "-m", "1MiB"});
    double before_s = 0;
    for (const auto& point : answer["predictions"]) {
        EXPECT_GE(point["time_s"]["value"], before_s);
        before_s = point["time_s"]["value"];
    }
    EXPECT_EQ(answer["predictions"][0]["algorithm"], "bcast.circulant") << "where L = 0";
    EXPECT_EQ(answer["predictions"][1]["algorithm"], "bcast.chain_segmented");
    // Least at s = sqrt(alpha m / (beta (P-2))) = 28044 bytes; whole segments move it a little.
    EXPECT_NEAR(answer["predictions"][1]["segment_bytes"], 28044, 2000);
    const auto gather = predicted_by(
        {"@fast-ethernet-1999", "gather", "--algorithm", "windowed", "-n", "16", "-m", "256KiB"});
    EXPECT_EQ(gather["predictions"][0]["window"], 3) << "TW99 equation 7";
    EXPECT_EQ(gather["predictions"][0]["model"], "cluster");
}

TEST(PredictAlgorithms, stand_beside_the_librarys_own) {
    const auto answer =
        predicted_by({"@gigabit-ethernet-2007", "alltoall", "-n", "40", "-m", "1MiB"});
    // SMT07 equation 5
    EXPECT_NEAR(time_of(answer, "mpi"), 39 * (60e-6 + 1048576 * 8e-9 * 4.3628 + 0.00493), 1e-12);
    EXPECT_NEAR(time_of(answer, "alltoall.pairwise"), 39 * gap_s(1 << 20), 1e-9);
    const auto run = run_alltold(
        {"predict", "@gigabit-ethernet-2007", "alltoall", "-n", "40,80", "-m", "64KiB"});
    EXPECT_NE(run.output.find("the MPI library's own, modelled as signature"), std::string::npos);
    EXPECT_NE(run.output.find("\nn = 80, m = 64 KiB\n"), std::string::npos) << run.output;
    const auto unknown =
        run_alltold({"predict", "@gigabit-ethernet-2007", "bcast", "-n", "40", "-m", "1KiB"});
    EXPECT_NE(unknown.output.find("not predicted: mpi: "), std::string::npos) << unknown.output;
}

TEST(PredictAlgorithms, lg_on_two_clusters_is_smt_equation_7) {
    const auto answer = predicted_by({"@nancy-rennes-2007", "alltoall", "--algorithm", "all",
                                      "--clusters", "20+40", "-m", "64KiB"});
    const double m = 65536, local_s = 39 * (60e-6 + m * 8e-9 * 2.6887 + 0.005039);
    ASSERT_EQ(answer["predictions"].size(), 2U) << "and mpi";
    EXPECT_NEAR(time_of(answer, "alltoall.lg"), local_s + 2 * (5e-3 + 8e-9 * m * 20), 1e-12);
    EXPECT_EQ(std::ssize(answer["not_predicted"]), algorithms(Collective::alltoall, true) - 1);
}

TEST(PredictAlgorithms, are_what_a_model_of_them_alone_predicts) {
    const auto lg = predicted_by(
        {"@nancy-rennes-2007", "alltoall", "--clusters", "20+40", "-m", "64KiB", "--model", "smt"});
    ASSERT_EQ(lg["predictions"].size(), 1U);
    const double m = 65536, local_s = 39 * (60e-6 + m * 8e-9 * 2.6887 + 0.005039);
    EXPECT_NEAR(time_of(lg, "alltoall.lg"), local_s + 2 * (5e-3 + 8e-9 * m * 20), 1e-12);
    const auto all = predicted_by(
        {"@gigabit-ethernet-2007", "alltoall", "-n", "8", "-m", "64KiB", "--model", "hockney"});
    EXPECT_NEAR(time_of(all, "alltoall.pairwise"), 7 * gap_s(65536), 1e-12);
    const auto unknown = run_alltold(
        {"predict", "@gigabit-ethernet-2007", "alltoall", "-n", "8", "-m", "1", "--model", "logp"});
    EXPECT_EQ(unknown.exit_status, 2);
    EXPECT_NE(unknown.errors.find("--model: unknown model 'logp' of the library's alltoall"),
              std::string::npos)
        << unknown.errors;
}

TEST(PredictAlgorithms, bounds_of_an_exchange_are_the_claims_of_the_paper) {
    const test::Scratch folder;
    std::ofstream(folder / "messages.json") << "[[0, 1000, 0], [0, 0, 2000], [500, 0, 0]]";
    const auto words = std::vector<std::string>{"predict", "@gigabit-ethernet-2007", "exchange",
                                                "--digraph", "messages.json"};
    const auto text = run_alltold(words, folder.directory());
    EXPECT_NE(text.output.find("the least without forwarding, when sends are synchronous"),
              std::string::npos)
        << text.output;
    auto with_json = words;
    with_json.emplace_back("--json");
    const auto answer = json::parse(run_alltold(with_json, folder.directory()).output);
    EXPECT_FALSE(answer.contains("bound_s")) << "forwarding may be quicker";
    EXPECT_GE(answer["claim_3_s"], answer["claim_3_any_sends_s"]);
    EXPECT_GE(answer["claim_3_any_sends_s"], answer["bandwidth_bound_s"]);
}

TEST(PredictAlgorithms, say_what_is_wrong) {
    const auto error = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "predict");
        const auto run = run_alltold(arguments);
        EXPECT_EQ(run.exit_status, 2);
        EXPECT_EQ(run.output, "");
        return run.errors;
    };
    const std::string net = "@gigabit-ethernet-2007";
    EXPECT_EQ(error({net, "bcast", "-n", "8", "-m", "1", "--algorithm", "chian"})
                  .find("alltold: --algorithm: unknown algorithm 'chian' of bcast; closest: "
                        "bcast.chain"),
              0U);
    EXPECT_EQ(error({net, "scatter", "-n", "8", "-m", "1", "--algorithm", "bcast.chain"}),
              "alltold: --algorithm: bcast.chain is not an algorithm for scatter\n");
    EXPECT_EQ(error({net, "bcast", "-n", "8", "-m", "1", "--root", "8"}),
              "alltold: --root 8: must be a rank from 0 to 7\n");
    EXPECT_EQ(error({net, "bcast", "-n", "8", "-m", "1", "--model", "cluster"}),
              "alltold: " + net + ": lacks a cluster model, which model cluster needs\n");
    EXPECT_EQ(
        error({net, "alltoall", "-n", "8", "-m", "1", "--window", "2", "--algorithm", "mpi"}),
        "alltold: --segment, --window, --inter-cluster-window and --root need an algorithm: give "
        "--algorithm NAME or --algorithm all\n");
    const auto unknown =
        run_alltold({"predict", net, "bcast", "-n", "8", "-m", "1", "--algorithm", "mpi"});
    EXPECT_EQ(unknown.exit_status, 1);
    EXPECT_EQ(unknown.errors, "alltold: " + net +
                                  ": mpi was not measured on one cluster with as many ranks per "
                                  "host, so its time is unknown\n");
    EXPECT_EQ(error({net, "bcast", "-n", "8", "-m", "1", "--algorithm", "mpi", "--model", "links"}),
              "alltold: --model: models exist for the MPI library's own alltoall, not for its "
              "bcast; leave --model out\n");
}

} // namespace
} // namespace alltold
