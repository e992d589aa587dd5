// SPDX-License-Identifier: BSD-3-Clause
// The library's own times and the rules of a profile: fitted, kept, read back, refused.
#include <algorithm>

#include <gtest/gtest.h>

#include "predict/choice/rank.hpp"
#include "store/fit_campaign.hpp"
#include "store/json_text.hpp"
#include "store/profile.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

PointSamples samples(const char* probe, const char* algorithm, const char* clusters,
                     std::uint64_t size_bytes, const std::vector<double>& times_s) {
    PointSamples made{{probe, algorithm, *Clusters::parse(clusters), size_bytes, -1, -1}, {}};
    int repetition = 0;
    made.samples.push_back({repetition++, 100, true, 0}); // a warm-up, to be left out
    for (const double time_s : times_s)
        made.samples.push_back({repetition++, time_s, false, 0});
    return made;
}

TEST(LibraryTimes, are_the_medians_of_what_the_library_took) {
    FitRequest request;
    request.held_out = [](const Point& point) { return point.size_bytes == 4096; };
    const std::vector<PointSamples> points{
        samples("bcast", "mpi", "12", 1024, {3, 1, 2, 5, 4, 6, 7}),
        samples("bcast", "bcast.binomial", "12", 1024, {1, 1, 1}),
        samples("gather", "mpi", "6+6", 64, {2, 1, 3}),
        samples("gather", "mpi.linear_sync segment=1KiB", "6+6", 64, {1, 1, 1}),
        samples("gather", "mpi", "6+6", 1, {2, 1}),
        samples("alltoall", "mpi", "12", 4096, {1, 1, 1}),
        samples("pingpong", "mpi", "2", 1, {1, 1, 1})};
    Provenance here;
    here.clusters = Clusters({6, 6});
    const auto library = fit_points(points, here, request).network.library;
    ASSERT_EQ(library.size(), 3U);
    EXPECT_EQ(library[1].algorithm, "mpi");
    EXPECT_EQ(library[2].algorithm, "mpi.linear_sync segment=1KiB");
    EXPECT_EQ(library[0].collective, Collective::bcast);
    EXPECT_EQ(library[0].size_bytes, 1024U);
    EXPECT_EQ(library[0].time_s.value, 4);
    EXPECT_EQ(library[0].time_s.low, 1);
    EXPECT_EQ(library[0].time_s.high, 7);
    EXPECT_EQ(library[1].clusters.text(), "6+6");
    EXPECT_EQ(library[1].time_s.low, 1); // three values: all of them
    EXPECT_EQ(library[1].time_s.high, 3);
}

/// On 4 and 16 ranks, slower than ours.
void add_library_times(Network& network, Collective collective) {
    for (const int n : {4, 16})
        for (const std::uint64_t size_bytes : {1024, 1 << 20})
            network.library.push_back({collective,
                                       Clusters({n}),
                                       traits_of(collective).has_data ? size_bytes : 0,
                                       {25, 12.5, 50}});
}

TEST(ProfileRules, and_library_times_read_back) {
    auto profile = *load_profile("@gigabit-ethernet-2007");
    for (const auto collective : papers_collectives)
        add_library_times(profile.network, collective);
    profile.network.library.push_back(
        {Collective::scatter, Clusters({6, 6}), 4096, {0.25, 0.125, 0.5}, "mpi.linear_nb"});
    make_rules(profile);
    EXPECT_GE(profile.rules.size(), 4U);
    const auto text = json_text(profile_to_json(profile));
    const auto read = profile_from_json(text, "net.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->rules, profile.rules);
    EXPECT_EQ(json_text(profile_to_json(*read)), text);
    ASSERT_EQ(read->network.library.size(), 17U);
    EXPECT_EQ(read->network.library.back().time_s.high, 0.5);
    EXPECT_EQ(read->network.library.back().algorithm, "mpi.linear_nb");
    EXPECT_EQ(text_of(*rules_of(*read)).substr(0, 6), "bcast:");
}

TEST(LibraryTimes, are_of_any_collective_of_one_block_size) {
    const std::vector<PointSamples> points{samples("allreduce", "mpi", "12", 1024, {3, 1, 2}),
                                           samples("barrier", "mpi", "12", 0, {5, 4, 6}),
                                           samples("alltoallv", "mpi", "12", 64, {1, 1, 1})};
    Provenance here;
    here.clusters = Clusters({12});
    auto profile = fit_points(points, here, {});
    const auto& library = profile.network.library;
    ASSERT_EQ(library.size(), 2U);
    const auto time = evaluate(profile.network, Collective::barrier, Clusters({12}), 0, {});
    ASSERT_TRUE(time) << "a barrier has no size";
    EXPECT_EQ(time->time_s.value, 5);
    EXPECT_FALSE(evaluate(profile.network, Collective::allreduce, Clusters({12}), 0, {}))
        << "one call shows no growth";
    const auto read = profile_from_json(json_text(profile_to_json(profile)), "net.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->network.library.size(), 2U);
}

TEST(ProfileRules, are_of_no_collective_of_which_nothing_was_timed) {
    auto profile = *load_profile("@gigabit-ethernet-2007");
    const auto has = [&](const std::string& calls) {
        return std::ranges::any_of(
            profile.rules, [&](const std::string& rule) { return rule.starts_with(calls); });
    };
    make_rules(profile);
    EXPECT_FALSE(has("bcast:")) << "what the library runs is not known";
    add_library_times(profile.network, Collective::bcast);
    make_rules(profile);
    EXPECT_TRUE(has("bcast:"));
    EXPECT_FALSE(has("allgather:"));
    EXPECT_FALSE(has("barrier:"));
    add_library_times(profile.network, Collective::barrier);
    make_rules(profile);
    EXPECT_TRUE(has("barrier:any:"));
    EXPECT_FALSE(has("allgather:"));
}

TEST(ProfileRules, wrong_fields_are_named) {
    auto profile = *load_profile("@gigabit-ethernet-2007");
    profile.network.library.push_back(
        {Collective::scatter, Clusters({12}), 4096, {0.25, 0.125, 0.5}});
    profile.rules = {"bcast:any = mpi"};
    const auto good = json_text(profile_to_json(profile));
    const auto error = [&](const std::string& from, const std::string& to) {
        auto text = good;
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        const auto read = profile_from_json(text.replace(at, from.size(), to), "net.json");
        EXPECT_FALSE(read);
        return read ? "" : read.error().message;
    };
    EXPECT_EQ(error("\"collective\": \"scatter\"", "\"collective\": \"alltoallv\"")
                  .find("net.json: /library/0/collective: unknown collective 'alltoallv'; use "),
              0U);
    EXPECT_EQ(error("bcast:any = mpi", "bcast:any = mpy")
                  .find("net.json: /rules: rules:1:13: unknown algorithm 'mpy' of bcast; "),
              0U);
}

} // namespace
} // namespace alltold
