// SPDX-License-Identifier: BSD-3-Clause
// Other benchmarks' text: round trips to the printed precision, and malformed lines by number.
#include "store/import/import.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.hpp"

namespace alltold {
namespace {

Result<ImportedTimes> read(const char* format, const std::string& text,
                           const std::optional<Clusters>& clusters = Clusters({4, 4})) {
    const auto found = std::ranges::find(import_formats(), format, &ImportFormat::name);
    const auto lines = lines_of(text);
    return found->read({lines, "out.txt", clusters});
}

std::string error_of(const char* format, const std::string& text) {
    const auto times = read(format, text);
    return times ? "read" : times.error().message;
}

TEST(Import, osu_round_trips_to_the_printed_precision) {
    Random random(1);
    std::string text = "mpirun says hello\n\n# OSU MPI All-to-All Personalized Exchange Latency "
                       "Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n";
    std::vector<double> printed_us;
    for (int i = 0; i <= 20; ++i) {
        const double time_us = 1 + 1e6 * random.uniform();
        text += fmt::format("{:<10}{:18.2f}\n", 1U << i, time_us);
        printed_us.push_back(time_us);
    }
    const auto times = read("osu", text);
    ASSERT_TRUE(times);
    ASSERT_EQ(times->times.size(), printed_us.size());
    for (std::size_t i = 0; i < printed_us.size(); ++i) {
        const auto& [point, sample] = times->times[i];
        EXPECT_EQ(point.probe, "alltoall");
        EXPECT_EQ(point.clusters.text(), "4+4");
        EXPECT_EQ(point.size_bytes, 1U << i);
        EXPECT_NEAR(sample.value * 1e6, printed_us[i], 0.00501);
    }
}

TEST(Import, imb_has_a_number_of_repetitions) {
    const std::string head = "# Benchmarking Alltoall\n# #processes = 4\n"
                             "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n";
    EXPECT_EQ(error_of("imb", head + "8 1000 1.0 2.0 1.5\n"), "read");
    EXPECT_EQ(error_of("imb", head + "8 many 1.0 2.0 1.5\n"),
              "out.txt:4: expected a number of repetitions as word 2, in '8 many 1.0 2.0 1.5'");
}

TEST(Import, osu_takes_the_slowest_rank_where_the_text_has_it) {
    const auto times = read("osu", "# OSU MPI Broadcast Latency Test v7.4\n"
                                   "# Size       Avg Latency(us)   Min Latency(us)   "
                                   "Max Latency(us)  Iterations\n"
                                   "1024   12.50   9.00   15.25   1000\n"
                                   "# OSU MPI Latency Test v5.6\n"
                                   "# Size          Latency (us)\n"
                                   "0   0.50\n8   1.25\n");
    ASSERT_TRUE(times);
    ASSERT_EQ(times->times.size(), 2U); // nothing is measured of empty messages
    EXPECT_NEAR(times->times[0].sample.value, 15.25e-6, 1e-12);
    EXPECT_EQ(times->times[0].point.probe, "bcast");
    EXPECT_EQ(times->times[1].point.probe, "pingpong");
    EXPECT_EQ(times->times[1].point.clusters.text(), "2");
    EXPECT_EQ(times->times[1].point.second_rank, 1);
}

TEST(Import, osu_skips_benchmarks_whose_rows_are_words) {
    const auto times = read("osu", "# OSU MPI Init Test v7.4\nnprocs: 8, min: 120 ms\n"
                                   "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n"
                                   "8   1.25\n");
    ASSERT_TRUE(times) << times.error().message;
    EXPECT_EQ(times->times.size(), 1U);
    EXPECT_EQ(times->skipped.size(), 1U);
}

TEST(Import, imb_round_trips_to_the_printed_precision) {
    Random random(2);
    std::string text = "#----\n# Benchmarking Alltoall \n# #processes = 6 \n#----\n"
                       "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                       "            0         1000         0.10         0.10         0.10\n";
    std::vector<double> printed_us;
    for (int i = 0; i <= 20; ++i) {
        const double time_us = 1 + 1e6 * random.uniform();
        text += fmt::format("{:13}{:13}{:13.2f}{:13.2f}{:13.2f}\n", 1U << i, 1000, time_us / 2,
                            time_us, time_us / 1.5);
        printed_us.push_back(time_us);
    }
    text += "      4194304   out-of-mem.; needed X=   1.0 GB\n\n# Benchmarking Allgatherv\n"
            "# #processes = 8\n #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
            "  8  1000  1.00  2.00 1.50\n# All processes entering MPI_Finalize\n";
    const auto times = read("imb", text);
    ASSERT_TRUE(times) << times.error().message;
    ASSERT_EQ(times->times.size(), printed_us.size());
    for (std::size_t i = 0; i < printed_us.size(); ++i) {
        EXPECT_NEAR(times->times[i].sample.value * 1e6, printed_us[i], 0.00501);
        EXPECT_EQ(times->times[i].point.clusters.text(), "4+2");
    }
    EXPECT_EQ(times->skipped.size(), 2U);
}

TEST(Import, imb_reads_a_ping_pong) {
    const auto times = read("imb", "# Benchmarking PingPong\n# #processes = 2\n"
                                   " #bytes #repetitions t[usec] Mbytes/sec\n"
                                   " 1024 1000 10.50 97.5\n");
    ASSERT_TRUE(times);
    ASSERT_EQ(times->times.size(), 1U);
    EXPECT_NEAR(times->times[0].sample.value, 10.5e-6, 1e-12);
}

TEST(Import, repro_keeps_every_repetition) {
    const auto times = read("repro", "#@nrep=2\n#@clocksync=HCA3\n"
                                     "            test nrep msize runtime_sec\n"
                                     "    MPI_Alltoall    0  1024  0.0001250000\n"
                                     "    MPI_Alltoall    1  1024  0.0001500000\n"
                                     "   MPI_Scatterv    0  1024  0.0001500000\n");
    ASSERT_TRUE(times) << times.error().message;
    ASSERT_EQ(times->times.size(), 2U);
    EXPECT_EQ(times->times[0].point, times->times[1].point);
    EXPECT_DOUBLE_EQ(times->times[1].sample.value, 0.00015);
    EXPECT_EQ(times->skipped.size(), 1U);
}

/// The probe of each time that the text has.
std::vector<std::string> probes_of(const char* format, const std::string& text) {
    std::vector<std::string> probes;
    const auto times = read(format, text);
    EXPECT_TRUE(times) << times.error().message;
    if (times)
        for (const auto& one : times->times)
            probes.push_back(one.point.probe);
    return probes;
}

TEST(Import, reads_every_collective_that_the_benchmarks_share_with_alltold) {
    const std::vector<std::string> probes{"alltoall", "allgather", "allreduce", "bcast",
                                          "scatter",  "gather",    "reduce"};
    std::string osu, imb, repro = "test nrep msize runtime_sec\n";
    for (const auto* title : {"All-to-All Personalized Exchange", "Allgather", "Allreduce",
                              "Broadcast", "Scatter", "Gather", "Reduce"})
        osu += fmt::format("# OSU MPI {} Latency Test v7.4\n# Size  Avg Latency(us)\n8  1.25\n",
                           title);
    for (const auto* title :
         {"Alltoall", "Allgather", "Allreduce", "Bcast", "Scatter", "Gather", "Reduce"}) {
        imb += fmt::format("# Benchmarking {}\n# #processes = 8\n"
                           "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                           "8 1000 1.00 2.00 1.50\n",
                           title);
        repro += fmt::format("MPI_{} 0 8 0.000125\n", title);
    }
    EXPECT_EQ(probes_of("osu", osu), probes);
    EXPECT_EQ(probes_of("imb", imb), probes);
    EXPECT_EQ(probes_of("repro", repro), probes);
}

TEST(Import, names_the_malformed_line) {
    const std::string osu = "# OSU MPI Gather Latency Test v7.4\n# Size  Avg Latency(us)\n";
    EXPECT_EQ(error_of("osu", osu + "1024  12.5x\n"),
              "out.txt:3: expected microseconds as word 2, in '1024  12.5x'");
    EXPECT_EQ(error_of("osu", osu + "8 1.0\n-4  12.5\n"),
              "out.txt:4: expected a size in bytes, in '-4  12.5'");
    EXPECT_EQ(error_of("osu", osu + "16\n"), "out.txt:3: expected microseconds as word 2, in '16'");
    EXPECT_EQ(error_of("osu", "16 2.0\n"),
              "out.txt:1: a row before any '# OSU MPI ...' title, in '16 2.0'");
    const std::string imb = "# Benchmarking Bcast\n# #processes = 4\n"
                            "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n";
    EXPECT_EQ(error_of("imb", imb + "8 1000 1.00 nan 1.00\n"),
              "out.txt:4: expected microseconds as word 4, in '8 1000 1.00 nan 1.00'");
    EXPECT_EQ(error_of("imb", "# Benchmarking Bcast\n# #processes = many\n"),
              "out.txt:2: expected a number of processes, in '# #processes = many'");
    EXPECT_NE(error_of("imb", "# Benchmarking Bcast\n# #processes = 9\n"
                              "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                              "8 1000 1.00 2.00 1.00\n")
                  .find("out.txt:4: 9 ranks took part, but 4+4 has 8"),
              std::string::npos);
    EXPECT_EQ(
        read("osu", "# OSU MPI Latency Test v7.4\n# Size  Latency (us)\n8 1.25\n", Clusters({1}))
            .error()
            .message,
        "out.txt:3: 2 ranks took part, but 1 has 1, in '8 1.25'");
    EXPECT_EQ(error_of("repro", "test nrep msize runtime_sec\nMPI_Bcast 0 8\n"),
              "out.txt:2: expected 4 words, in 'MPI_Bcast 0 8'");
}

TEST(Import, refuses_what_a_campaign_cannot_hold) {
    const std::string osu = "# OSU MPI Gather Latency Test v7.4\n# Size  Avg Latency(us)\n";
    EXPECT_EQ(error_of("osu", osu + "18446744073709551615 1.0\n"),
              "out.txt:3: 18446744073709551615 bytes are too many; the most are 1099511627776, in "
              "'18446744073709551615 1.0'");
    EXPECT_EQ(error_of("osu", osu + "8 1e30\n"),
              "out.txt:3: expected microseconds as word 2, in '8 1e30'");
    EXPECT_EQ(error_of("osu", osu + "8 0\n"),
              "out.txt:3: expected microseconds as word 2, in '8 0'");
    EXPECT_NE(error_of("repro", "test nrep msize runtime_sec\nMPI_Bcast 0 1099511627777 1.0\n")
                  .find("out.txt:2: 1099511627777 bytes are too many"),
              std::string::npos);
    EXPECT_EQ(error_of("repro", "test nrep msize runtime_sec\nMPI_Bcast 0 8 1e13\n"),
              "out.txt:2: expected seconds, in 'MPI_Bcast 0 8 1e13'");
    EXPECT_NE(error_of("imb", "# Benchmarking Bcast\n# #processes = 4\n"
                              "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                              "1099511627777 1000 1.00 2.00 1.00\n")
                  .find("out.txt:4: 1099511627777 bytes are too many"),
              std::string::npos);
}

} // namespace
} // namespace alltold
