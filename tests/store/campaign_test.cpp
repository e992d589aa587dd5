// SPDX-License-Identifier: BSD-3-Clause
// What goes into a campaign comes out, in order, over sessions and while another process writes.
#include "store/campaign.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "scratch.hpp"

namespace alltold {
namespace {

using test::alltoall_point;
using test::four_hosts;
using test::Scratch;

TEST(Campaign, has_views_for_other_programs) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    const Point point{"bcast", "mpi", Clusters({2}), 64};
    {
        auto resumed = Campaign::resume(path, four_hosts(), 1);
        ASSERT_TRUE(resumed) << resumed.error().message;
        auto& campaign = *resumed;
        for (const double time_s : {9., 1., 4., 2., 3.})
            ASSERT_TRUE(campaign.add(point, time_s, time_s == 9));
        const Point unknown{"bcast", "mpi", Clusters({2}), 65};
        ASSERT_TRUE(campaign.keep(std::vector<StoredPrediction>{{point, {5, 4, 6}, true, "a"},
                                                                {unknown, {1, 1, 1}, true, "a"}}));
        ASSERT_TRUE(
            campaign.keep(std::vector<StoredPrediction>{{point, {2, 2.5, 3}, true, "links"}}));
    }
    SQLite::Database database(path, SQLite::OPEN_READONLY);
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM samples WHERE size_bytes = 64").getInt(),
              5);
    EXPECT_EQ(database.execAndGet("SELECT median_s FROM calls").getDouble(), 2.5)
        << "without the warm-up";
    EXPECT_EQ(database.execAndGet("SELECT repetitions FROM calls").getInt(), 4);
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM predictions").getInt(), 1);
    EXPECT_EQ(database.execAndGet("SELECT inside FROM predictions").getInt(), 1);
    EXPECT_EQ(database.execAndGet("SELECT predicted_s FROM predictions").getDouble(), 2)
        << "the last";
}

TEST(Campaign, keeps_the_units_of_its_samples) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    const Point hops{"hops", "mpi", Clusters({2}), 0, 0, 1},
        eager{"eager", "mpi", Clusters({2}), 0, 0, 1};
    {
        auto campaign = Campaign::resume(path, four_hosts(), 1);
        ASSERT_TRUE(campaign) << campaign.error().message;
        ASSERT_TRUE(campaign->measured_in("hops", "switches"));
        for (const auto& point : {hops, eager, alltoall_point(64)})
            ASSERT_TRUE(campaign->add(point, 2, false));
    }
    const auto units = [&] {
        std::vector<std::string> all;
        const auto campaign = Campaign::read(path);
        const auto points = campaign->points();
        for (const auto& samples : *points)
            all.push_back(samples.unit);
        return all;
    };
    EXPECT_EQ(units(), (std::vector<std::string>{"switches", "B", "s"}));
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec("UPDATE unit SET name = char(27) || '[2J'");
    EXPECT_FALSE(Campaign::read(path)->points()) << "a unit that cannot be shown";
    database.exec("DROP TABLE unit"); // an older campaign
    EXPECT_EQ(units(), (std::vector<std::string>{"s", "B", "s"}));
}

TEST(Campaign, keeps_how_many_segments_were_retransmitted) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    {
        auto campaign = Campaign::resume(path, four_hosts(), 1);
        ASSERT_TRUE(campaign) << campaign.error().message;
        ASSERT_TRUE(campaign->add(alltoall_point(64), 1, true, 340));
        ASSERT_TRUE(campaign->add(alltoall_point(64), 2, false));
        ASSERT_TRUE(campaign->add(alltoall_point(64), 3, false, 0));
        ASSERT_TRUE(campaign->add(alltoall_point(65), 3, false, 5));
    }
    using Counts = std::vector<std::optional<std::uint64_t>>;
    const auto counts = [&] {
        Counts all;
        const auto points = Campaign::read(path)->points();
        EXPECT_TRUE(points);
        for (const auto& point : *points)
            for (const auto& sample : point.samples)
                all.push_back(sample.retransmitted);
        return all;
    };
    EXPECT_EQ(counts(), (Counts{340, std::nullopt, 0, 5}));
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    EXPECT_EQ(database.execAndGet("SELECT sum(retransmitted) FROM samples").getInt(), 345);
    for (const auto* wrong : {"-1", "'many'", "1.5"}) {
        database.exec(std::string("UPDATE retransmission SET segments = ") + wrong);
        const auto points = Campaign::read(path)->points();
        ASSERT_FALSE(points) << wrong;
        EXPECT_NE(points.error().message.find("segments"), std::string::npos);
    }
    database.exec("DROP VIEW samples"); // an older campaign
    database.exec("DROP TABLE retransmission");
    EXPECT_EQ(counts(), (Counts{std::nullopt, std::nullopt, std::nullopt, std::nullopt}));
    ASSERT_TRUE(Campaign::resume(path, four_hosts(), 1)->add(alltoall_point(65), 3, false, 6));
    EXPECT_EQ(counts().back(), 6U);
}

TEST(Campaign, gives_back_every_sample_in_order_over_sessions) {
    const Scratch scratch;
    const Point pair{"pingpong", "mpi", Clusters({2}), 64, 0, 3};
    for (int session = 0; session < 3; ++session) {
        auto campaign = Campaign::resume(scratch / "net.db", four_hosts(), 7);
        ASSERT_TRUE(campaign) << campaign.error().message;
        for (int i = 0; i < 2; ++i) {
            const auto big = campaign->add(alltoall_point(65536), 0.1 * session + i, i == 0);
            ASSERT_TRUE(big);
            EXPECT_EQ(*big, 2 * session + i);
        }
        ASSERT_TRUE(campaign->add(pair, 1e-4 / 3, false));
        ASSERT_TRUE(campaign->note("session ended"));
    }
    const auto campaign = Campaign::read(scratch / "net.db");
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto points = campaign->points();
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 2U);
    const auto& [point, samples, unit] = points->front();
    EXPECT_EQ(point, alltoall_point(65536));
    ASSERT_EQ(samples.size(), 6U);
    for (int i = 0; i < 6; ++i) {
        const auto& sample = samples[static_cast<std::size_t>(i)];
        EXPECT_EQ(sample.repetition, i);
        EXPECT_EQ(sample.value, 0.1 * (i / 2) + i % 2);
        EXPECT_EQ(sample.warmup, i % 2 == 0);
        EXPECT_GT(sample.taken_unix_s, 1.6e9);
    }
    EXPECT_EQ(points->back().point, pair);
    EXPECT_EQ(points->back().samples.front().value, 1e-4 / 3);
    const auto series = points->front().series();
    EXPECT_EQ(series.n, 4);
    EXPECT_EQ(series.size_bytes, 65536);
    EXPECT_EQ(series.times_s, (std::vector<double>{1.0, 0.1 + 1, 0.2 + 1}));
    EXPECT_EQ(campaign->notes()->size(), 3U);
}

TEST(Campaign, says_how_clusters_were_learned_last) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    auto here = four_hosts();
    for (const auto* from : {"given by --clusters", "found from latency"}) {
        here.clusters_from = from;
        ASSERT_TRUE(Campaign::resume(path, here, 7));
        EXPECT_EQ(Campaign::read(path)->provenance()->clusters_from, from);
    }
}

TEST(Campaign, keeps_to_one_start_mode) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    auto here = four_hosts();
    here.start_mode = StartMode::barrier;
    ASSERT_TRUE(Campaign::resume(path, here, 7));
    EXPECT_EQ(Campaign::read(path)->provenance()->start_mode, StartMode::barrier);
    here.start_mode = StartMode::silence;
    const auto other = Campaign::resume(path, here, 7);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find(
                  "collectives of the campaign ran after a barrier (--start barrier), "
                  "of what is to be added after a silence (--start silence)"),
              std::string::npos)
        << other.error().message;
}

TEST(Campaign, tells_points_apart_by_their_count) {
    const Scratch scratch;
    Point flood = alltoall_point(1024);
    {
        auto campaign = Campaign::resume(scratch / "net.db", four_hosts(), 7);
        ASSERT_TRUE(campaign);
        for (flood.count = 0; flood.count < 3; ++flood.count)
            ASSERT_EQ(*campaign->add(flood, 0.5, false), 0);
        --flood.count;
    }
    auto again = Campaign::resume(scratch / "net.db", four_hosts(), 7);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again->add(flood, 0.5, false), 1);
    const auto points = *again->points();
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points.back().point, flood);
    EXPECT_EQ(points.back().samples.size(), 2U);
}

TEST(Campaign, gives_back_the_provenance) {
    const Scratch scratch;
    { ASSERT_TRUE(Campaign::resume(scratch / "net.db", four_hosts(), 1)); }
    const auto campaign = Campaign::read(scratch / "net.db");
    ASSERT_TRUE(campaign);
    const auto there = campaign->provenance();
    ASSERT_TRUE(there);
    EXPECT_EQ(there->hosts, four_hosts().hosts);
    EXPECT_EQ(there->clusters, four_hosts().clusters);
    EXPECT_EQ(there->mpi_library, four_hosts().mpi_library);
    EXPECT_EQ(there->kernel, four_hosts().kernel);
    EXPECT_EQ(there->clock_method, four_hosts().clock_method);
}

TEST(Campaign, is_read_while_it_is_written_and_leaves_one_file) {
    const Scratch scratch;
    {
        auto writer = Campaign::resume(scratch / "net.db", four_hosts(), 1);
        ASSERT_TRUE(writer);
        for (int i = 1; i <= 3; ++i) {
            ASSERT_TRUE(writer->add(alltoall_point(1024), 0.5, false));
            const auto reader = Campaign::read(scratch / "net.db");
            ASSERT_TRUE(reader) << reader.error().message;
            EXPECT_EQ(reader->points()->front().samples.size(), static_cast<std::size_t>(i));
        }
    }
    const auto files = std::filesystem::directory_iterator(scratch.directory());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Campaign, refuses_a_second_writer_and_names_the_first) {
    const Scratch scratch;
    auto first = Campaign::resume(scratch / "net.db", four_hosts(), 1);
    ASSERT_TRUE(first);
    const auto second = Campaign::resume(scratch / "net.db", four_hosts(), 1);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().status, ExitStatus::environment);
    EXPECT_NE(second.error().message.find("net.db: another process (process " +
                                          std::to_string(::getpid()) + ")"),
              std::string::npos)
        << second.error().message;
    first = Campaign::read(scratch / "net.db"); // lets go of the lock
    EXPECT_TRUE(Campaign::resume(scratch / "net.db", four_hosts(), 1));
}

struct OtherNetwork {
    const char* name;
    void (*change)(Provenance&);
    const char* expected;
};

class OtherNetworks : public testing::TestWithParam<OtherNetwork> {};

TEST_P(OtherNetworks, are_refused_naming_what_differs) {
    const Scratch scratch;
    { ASSERT_TRUE(Campaign::resume(scratch / "net.db", four_hosts(), 1)); }
    auto here = four_hosts();
    GetParam().change(here);
    const auto refused = Campaign::resume(scratch / "net.db", here, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, ExitStatus::bad_input);
    EXPECT_NE(refused.error().message.find(GetParam().expected), std::string::npos)
        << refused.error().message;
    EXPECT_TRUE(Campaign::resume(scratch / "net.db", four_hosts(), 1)); // untouched
}

INSTANTIATE_TEST_SUITE_P(
    Campaign, OtherNetworks,
    testing::Values(
        OtherNetwork{"host", [](Provenance& s) { s.hosts[2] = "x"; },
                     "rank 2 of the campaign is on host 'h2', of what is to be added on 'x'"},
        OtherNetwork{"ranks", [](Provenance& s) { s.hosts.pop_back(); },
                     "the campaign has 4 ranks, what is to be added 3"},
        OtherNetwork{"clusters",
                     [](Provenance& s) {
                         s.clusters = Clusters({1, 3});
                     },
                     "the campaign has clusters 2+2, what is to be added 1+3"},
        OtherNetwork{"library", [](Provenance& s) { s.mpi_library = "MPICH 4.0"; },
                     "measured with 'Open MPI v4.1.4', what is to be added with 'MPICH 4.0'"}),
    [](const auto& row) { return std::string(row.param.name); });

} // namespace
} // namespace alltold
