// SPDX-License-Identifier: BSD-3-Clause
// The page's data: what each chart shows of a campaign that is known.

#include <algorithm>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "made_up_campaign.hpp"
#include "report/next_command.hpp"
#include "report/page/figures.hpp"

namespace alltold {
namespace {

const test::MadeUpCampaign& campaign() {
    static const test::MadeUpCampaign made_up;
    return made_up;
}

/// Where `key` is in the rows of `figure`.
std::size_t column(const Figure& figure, const std::string& key) {
    const auto found = std::ranges::find(figure.columns, key, &Column::key);
    EXPECT_NE(found, figure.columns.end()) << key;
    return static_cast<std::size_t>(found - figure.columns.begin());
}

TEST(PageData, EveryFigureOfAFullCampaignHasRowsAsWideAsItsColumns) {
    const auto data = page_data(campaign().input());
    std::vector<std::string> ids;
    for (const auto& section : data["sections"])
        for (const auto& figure : section["figures"]) {
            ids.push_back(figure["id"]);
            EXPECT_FALSE(figure["rows"].empty() && figure["id"] != "refused") << figure["id"];
            for (const auto& row : figure["rows"])
                ASSERT_EQ(row.size(), figure["columns"].size()) << figure["id"];
            for (const auto& filter : figure["filters"])
                EXPECT_TRUE(std::ranges::any_of(figure["columns"], [&](const auto& one) {
                    return one["key"] == filter;
                })) << filter;
        }
    EXPECT_EQ(ids.size(), 17U);
    std::ranges::sort(ids);
    EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

TEST(PageData, ShowsWhatChangedSinceAnEarlierCampaign) {
    auto slower = std::vector<PointSamples>(campaign().input().measured.begin(),
                                            campaign().input().measured.end());
    for (auto& point : slower)
        for (auto& sample : point.samples)
            sample.value *= 2;
    const auto diff = compare_campaigns(campaign().input().measured, slower, 0.1);
    ASSERT_FALSE(diff.points.empty());
    auto input = campaign().input();
    input.before = "before.db";
    input.since = &diff;
    const auto data = page_data(input);
    EXPECT_EQ(data["sections"][0]["title"], "Since before.db");
    const auto& figure = data["sections"][0]["figures"][0];
    EXPECT_EQ(figure["rows"].size(), diff.points.size());
    EXPECT_NEAR(figure["rows"][0].back().get<double>(), 1, 1e-9) << "twice as long";
    EXPECT_EQ(page_data(campaign().input())["sections"][0]["id"], "bound") << "without one";
}

TEST(PageData, TheVerdictIsTheLargestMeasuredGainOnAllHosts) {
    const auto input = campaign().input();
    const auto verdict = page_verdict(input, call_times(input));
    // 20 ms + 20 m beta with the library, 10 ms + 4 m beta with ours.
    EXPECT_NE(verdict.sentences.front().find("MPI_Bcast of 256 KiB on 7 hosts (4+3) takes "),
              std::string::npos)
        << verdict.sentences.front();
    EXPECT_NE(verdict.sentences.front().find("bcast.binomial takes "), std::string::npos);
    EXPECT_NE(verdict.sentences.front().find("4.9 times as fast"), std::string::npos)
        << verdict.sentences.front();
    EXPECT_EQ(verdict.next, "alltold rank profile.json bcast --clusters 4+3 -m 256KiB --why");
}

TEST(PageData, TheVerdictIsAboutTheCallThatItsStudyNames) {
    auto input = campaign().input();
    input.command = "./alltold";
    input.headline = {Collective::alltoall, Clusters({4, 3}), 65536};
    const auto named = page_verdict(input, call_times(input));
    EXPECT_NE(named.sentences.front().find("MPI_Alltoall of 64 KiB"), std::string::npos);
    EXPECT_EQ(named.next, "./alltold rank profile.json alltoall --clusters 4+3 -m 64KiB --why");
    input.headline = {Collective::gather, Clusters({4, 3}), 65536}; // of which we measured none
    EXPECT_NE(page_verdict(input, call_times(input)).sentences.front().find("MPI_Bcast"),
              std::string::npos);
}

TEST(NextCommand, NamesOneClusterByItsRanks) {
    EXPECT_EQ(rank_command("alltold", "net.json", Collective::bcast, Clusters({12}), 1048576),
              "alltold rank net.json bcast -n 12 -m 1MiB --why");
}

TEST(PageData, ABoundThatATimeContradictsIsNotShown) {
    auto profile = campaign().profile();
    LinkNetwork links;
    links.port = {1e5, 1e-4, 0}; // 50 times too slow
    profile.network.links = links;
    const auto known = campaign().input();
    const PageInput input{"net.db", "", profile, known.measured, known.validation, known.notes};
    const auto calls = call_times(input);
    ASSERT_FALSE(calls.empty());
    int wrong = 0;
    for (const auto& call : calls) {
        wrong += call.bound_wrong;
        EXPECT_FALSE(call.bound_wrong && call.bound_s > 0);
    }
    EXPECT_GT(wrong, 0);
    EXPECT_NE(over_bound_figure(calls, StartMode::silence).text.find("calls are left out"),
              std::string::npos);
}

TEST(PageData, WithoutAGainTheVerdictSaysSo) {
    std::vector<PointSamples> library;
    for (const auto& samples : campaign().points())
        if (samples.point.algorithm == "mpi")
            library.push_back(samples);
    const auto validation = validate(library, campaign().profile(), nullptr);
    const std::vector<std::string> notes;
    const PageInput input{"net.db", "", campaign().profile(), library, validation, notes};
    const auto calls = call_times(input);
    const auto verdict = page_verdict(input, calls);
    EXPECT_NE(verdict.sentences.front().find("No algorithm"), std::string::npos);
    EXPECT_EQ(verdict.next, "alltold fit net.db -o profile.json");
    EXPECT_TRUE(schedule_figure(calls, verdict.call).rows.empty());
    EXPECT_NE(schedule_figure(calls, verdict.call).missing, "");
}

TEST(PageData, TheScheduleIsOfTheVerdictsCall) {
    auto input = campaign().input();
    input.headline = {Collective::alltoall, Clusters({4, 3}), 65536};
    const auto calls = call_times(input);
    const auto shown = schedule_figure(calls, page_verdict(input, calls).call);
    EXPECT_NE(shown.text.find("alltoall.pairwise"), std::string::npos) << shown.text;
    EXPECT_GE(shown.rows.size(), 7U * 6);
    EXPECT_FALSE(schedule_figure(calls, nullptr).rows.empty()) << "our best on the most ranks";
}

TEST(PageData, TimesFromTwoStartsAreNotCompared) {
    const auto input = campaign().input();
    const auto calls = call_times(input);
    int after_a_barrier = 0;
    for (const auto& call : calls)
        for (const auto* point : {call.library, call.ours})
            if (point) {
                EXPECT_EQ(point->start_mode, call.start_mode);
                after_a_barrier += call.start_mode.has_value();
            }
    EXPECT_GT(after_a_barrier, 0);
    for (const auto& figure :
         {over_bound_figure(calls, StartMode::silence), algorithm_figures(input).front()}) {
        const auto start = column(figure, "start");
        const auto from = [&](StartMode start_mode) {
            return std::ranges::count_if(figure.rows, [&](const auto& row) {
                return row[start].template get<std::string>() == name_of(start_mode);
            });
        };
        EXPECT_GT(from(StartMode::silence), from(StartMode::barrier)) << figure.id;
        EXPECT_GT(from(StartMode::barrier), 0) << figure.id;
    }
    EXPECT_EQ(page_data(input)["prefer"]["start"], "silence");
}

TEST(PageData, TheMatrixHasEveryPairAndKnowsWhatWasNotMeasured) {
    const auto figure = latency_matrix(campaign().input());
    ASSERT_EQ(figure.rows.size(), 7U * 6);
    const auto time = column(figure, "time_s");
    int known = 0;
    for (const auto& row : figure.rows)
        known += !row[time].is_null();
    EXPECT_EQ(known, 2 * 4);
    for (const auto& row : figure.rows)
        if (row[0] == 4 && row[2] == 0) {
            EXPECT_NEAR(row[time].get<double>(), 5e-3 + 1024 * 45e-9, 2e-4);
            EXPECT_EQ(row[column(figure, "same_cluster")], false);
        }
}

TEST(PageData, TheMatrixIsFullWhereAllPairsWereMeasured) {
    auto input = campaign().input();
    std::vector<PointSamples> measured(input.measured.begin(), input.measured.end());
    const auto& world = input.fitted.provenance.clusters;
    for (int from = 0; from < world.ranks(); ++from)
        for (int to = from + 1; to < world.ranks(); ++to)
            measured.push_back({{"latency", "mpi", world, 1, from, to}, {{0, 7e-3, false}}});
    input.measured = measured;
    const auto figure = latency_matrix(input);
    const auto time = column(figure, "time_s");
    ASSERT_EQ(figure.rows.size(), 7U * 6);
    for (const auto& row : figure.rows)
        EXPECT_EQ(row[time], 7e-3);
}

TEST(PageData, TheMapIsGreyWhereTheLibraryIsNotKnown) {
    const auto figure = winner_map(campaign().input());
    const auto gain = column(figure, "gain"), library = column(figure, "library_s");
    int known = 0, grey = 0;
    for (const auto& row : figure.rows) {
        EXPECT_EQ(row[gain].is_null(), row[library].is_null());
        (row[gain].is_null() ? grey : known) += 1;
    }
    EXPECT_GT(known, 0);
    EXPECT_GT(grey, 0);
}

TEST(PageData, ModelsAreBesideEveryMeasuredExchangeInOneCluster) {
    const auto figures = signature_figures(campaign().input());
    const auto& times = figures.front();
    const auto series = column(times, "series");
    const auto count = [&](std::string_view name) {
        return std::ranges::count_if(times.rows, [&](const auto& row) {
            return row[series].template get<std::string>().starts_with(name);
        });
    };
    EXPECT_EQ(count("measured"), 15);
    EXPECT_EQ(count("lower bound"), 15);
    EXPECT_EQ(count("SMT07 equation 5"), 15);
}

TEST(PageData, ModelsOfAnAlgorithmAreBesideEachOther) {
    const auto figure = algorithm_figures(campaign().input()).back();
    ASSERT_FALSE(figure.rows.empty());
    const auto algorithm = column(figure, "algorithm"), where = column(figure, "where"),
               model = column(figure, "model"), error = column(figure, "median_error");
    std::map<std::pair<std::string, std::string>, std::vector<double>> errors;
    for (const auto& row : figure.rows) {
        EXPECT_NE(row[model], "");
        errors[{row[algorithm], row[where]}].push_back(row[error]);
    }
    for (const auto& [of, rows] : errors) {
        EXPECT_GE(rows.size(), 2U) << of.first;
        EXPECT_TRUE(std::ranges::is_sorted(rows)) << of.first << ": the best comes first";
    }
}

TEST(PageData, MarksAreHollowWhereTheModelThatPredictedWasNotFitted) {
    std::vector<PointSamples> early; // 4 hosts are held out
    for (const auto& samples : campaign().points())
        if (samples.point.probe != "alltoall" || samples.point.clusters != Clusters({4}))
            early.push_back(samples);
    const auto predicting =
        fit_points(early, campaign().profile().provenance, {"early", "early.db"});
    ASSERT_TRUE(predicting.network.alltoall && campaign().profile().network.alltoall);
    const auto reference_n = predicting.network.alltoall->reference_n;
    ASSERT_LT(reference_n, campaign().profile().network.alltoall->reference_n);
    const auto validation = validate(campaign().points(), predicting, nullptr);
    const auto known = campaign().input();
    PageInput input{"net.db", "", campaign().profile(), known.measured, validation, known.notes};
    input.predicting = &predicting.network;
    const auto figures = signature_figures(input);
    const auto& times = figures.front();
    const auto series = column(times, "series"), held_out = column(times, "held_out");
    const auto final_figures = signature_figures(known);
    const auto& final_page = final_figures.front();
    int fitted = 0, others = 0;
    for (std::size_t i = 0; i < times.rows.size(); ++i) {
        const auto& row = times.rows[i];
        const auto& name = row[series].get_ref<const std::string&>();
        if (name == "lower bound") {
            EXPECT_EQ(row[held_out], true) << "fitted to ping-pongs";
        } else if (name == "SMT07 equation 5") {
            EXPECT_EQ(row[held_out], row[column(times, "ranks")] != reference_n);
            (row[held_out].get<bool>() ? others : fitted) += 1;
        }
        if (row[column(times, "ranks")] == 4) {
            EXPECT_EQ(row[held_out], true) << name;
        }
    }
    EXPECT_EQ(fitted, 5);
    EXPECT_EQ(others, 10);
    EXPECT_NE(times.rows, final_page.rows) << "other models";
}

TEST(PageData, ShowsWhatTheHostsRetransmitted) {
    const auto known = campaign().input();
    auto points = campaign().points();
    const auto with_counts = [&](std::optional<std::uint64_t> of_library) {
        for (auto& samples : points)
            for (auto& sample : samples.samples)
                sample.retransmitted = samples.point.algorithm == "mpi" ? of_library : 0;
        points.front().samples.front().retransmitted = 900; // a warm-up
        const auto validation = validate(points, campaign().profile(), nullptr);
        const PageInput input{"net.db", "", campaign().profile(), points, validation, known.notes};
        const auto calls = call_times(input);
        return std::pair(page_verdict(input, calls).sentences.front(),
                         retransmitted_figure(over_bound_figure(calls, StartMode::silence)));
    };
    const auto [sentence, figure] = with_counts(340);
    EXPECT_NE(sentence.find(", with 340 TCP segments retransmitted. "), std::string::npos)
        << sentence;
    ASSERT_FALSE(figure.rows.empty());
    const auto who = column(figure, "series"), count = column(figure, "retransmitted");
    for (const auto& row : figure.rows)
        EXPECT_EQ(row[count], row[who] == "MPI library" ? 340 : 0);
    EXPECT_NE(with_counts(0).second.missing.find("no packet was lost"), std::string::npos);
    EXPECT_TRUE(with_counts(0).second.rows.empty());
    for (const auto& row : with_counts(std::nullopt).second.rows)
        EXPECT_NE(row[who], "MPI library") << "not counted";
}

TEST(PageData, SaysWhatTheModelLosesAndWhatToSet) {
    auto validation = campaign().input().validation;
    for (auto& point : validation.points)
        if (point.collective == Collective::bcast && point.size_bytes == 262144)
            point.predicted.modelled.overflow_bytes = 30 * 1448;
    const auto known = campaign().input();
    PageInput input{"net.db", "", campaign().profile(), known.measured, validation, known.notes};
    input.settings = "export A=1\n# why\n";
    const auto calls = call_times(input);
    const auto verdict = page_verdict(input, calls);
    EXPECT_NE(verdict.sentences.front().find(
                  "because switch buffers drop about 30 packets (by the model). bcast.binomial"),
              std::string::npos)
        << verdict.sentences.front();
    EXPECT_EQ(page_verdict(known, call_times(known)).sentences.front().find("because"),
              std::string::npos);
    const auto figure = over_bound_figure(calls, StartMode::silence);
    const auto overflow = column(figure, "overflow_bytes");
    EXPECT_EQ(std::ranges::count_if(figure.rows,
                                    [&](const auto& row) { return row[overflow] == 30. * 1448; }),
              1);
    EXPECT_EQ(page_data(input)["settings"], nlohmann::ordered_json({"export A=1", "# why"}));
    EXPECT_TRUE(page_data(known)["settings"].empty());
}

} // namespace
} // namespace alltold
