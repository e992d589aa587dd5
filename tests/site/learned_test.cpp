// SPDX-License-Identifier: BSD-3-Clause
// Lines of jobs: how they are read, which replaces which, and many jobs at once.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../scratch.hpp"
#include "core/hash.hpp"
#include "site/give_back.hpp"

namespace alltold::site {
namespace {

namespace fs = std::filesystem;

LearnedShape shape_of(const std::string& winner, std::int64_t time_s, const std::string& layout) {
    LearnedShape shape;
    shape.collective = Collective::bcast;
    shape.size_bytes = 65536;
    shape.layout = layout;
    shape.library = "openmpi-4.1.4";
    shape.version = "0.1.0";
    shape.time_s = time_s;
    shape.calls = 5120;
    shape.library_s = 0.00349;
    shape.choices = {{*parse_choice(winner), 0.5, 0.03},
                     {*parse_choice("bcast.binomial"), 1.25, 0.1}};
    return shape;
}

TEST(Learned, lines_read_back) {
    const auto line = text_of(shape_of("bcast.chain_segmented segment=1400", 1764493812, "6x2+6"));
    const auto read = parse_learned(line);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(text_of(*read), line);
    EXPECT_EQ(read->choices.size(), 2U);
    EXPECT_EQ(read->layout, "6x2+6");
}

TEST(Learned, no_part_of_a_line_is_taken_for_one) {
    const auto line = text_of(shape_of("bcast.flat", 7, "12"));
    for (std::size_t length = 0; length < line.size(); ++length)
        EXPECT_FALSE(parse_learned(line.substr(0, length))) << length;
    auto changed = line;
    changed[line.find("5120")] = '6';
    EXPECT_FALSE(parse_learned(changed));
}

TEST(Learned, newer_results_replace_what_they_contradict) {
    Learned learned;
    learned.add(shape_of("bcast.flat", 1, "12"));
    learned.add(shape_of("bcast.flat", 2, "12"));
    const auto* shape = learned.find("openmpi-4.1.4", Collective::bcast, 65536, "12");
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->jobs, 2);
    learned.add(shape_of("mpi", 4, "12"));
    learned.add(shape_of("bcast.flat", 3, "12")); // of a job that ended before, and comes late
    shape = learned.find("openmpi-4.1.4", Collective::bcast, 65536, "12");
    EXPECT_TRUE(shape->choices.front().choice.is_default());
    EXPECT_EQ(shape->jobs, 1);
    EXPECT_FALSE(learned.find("openmpi-4.1.5", Collective::bcast, 65536, "12"));
}

TEST(Learned, lines_of_other_versions_of_alltold_are_kept) {
    auto line = text_of(shape_of("bcast.flat", 1, "12"));
    line.replace(line.find("bcast.flat"), 10, "bcast.next");
    Learned learned;
    learned.read(line);
    EXPECT_EQ(learned.wrong_lines(), 1) << "its hash is that of another line";
    line = line.substr(0, line.rfind(" ~ "));
    Hash hash;
    hash.add(line);
    line += fmt::format(" ~ {:016x}", hash.value());
    learned.read(line);
    EXPECT_EQ(learned.wrong_lines(), 1);
    EXPECT_EQ(learned.shapes().size(), 0U);
    EXPECT_EQ(learned.text(), line + "\n");
}

TEST(Learned, layouts_are_alike_within_the_ranges_of_trials) {
    Learned learned;
    learned.add(shape_of("bcast.flat", 1, "5x2"));
    const auto like = [&](const char* layout) {
        return learned.find_like("openmpi-4.1.4", Collective::bcast, 65536,
                                 *Clusters::parse(layout)) != nullptr;
    };
    EXPECT_TRUE(like("7x3"));
    EXPECT_FALSE(like("8x2"));
    EXPECT_FALSE(like("5x4"));
    EXPECT_FALSE(like("5"));
    EXPECT_FALSE(like("3x2+2x2"));
}

TEST(GiveBack, is_private_and_survives_what_was_cut_off) {
    const test::Scratch folder;
    const auto file = folder / "learned";
    const std::vector first{shape_of("bcast.flat", 1, "12")};
    ASSERT_TRUE(give_back(file, first));
    struct stat status = {};
    ASSERT_EQ(::stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    std::ofstream(file, std::ios::app) << text_of(shape_of("bcast.flat", 2, "11")).substr(0, 60);
    const std::vector second{shape_of("bcast.flat", 3, "10")};
    ASSERT_TRUE(give_back(file, second));
    const auto learned = read_learned(file);
    EXPECT_EQ(learned.shapes().size(), 2U);
    EXPECT_EQ(learned.wrong_lines(), 1);
}

TEST(GiveBack, says_that_a_disk_is_full_and_leaves_read_only_files_alone) {
    const std::vector shapes{shape_of("bcast.flat", 1, "12")};
    const auto full = give_back("/dev/full", shapes);
    ASSERT_FALSE(full);
    EXPECT_THAT(full.error().message, testing::HasSubstr("/dev/full: cannot keep what this job "
                                                         "learned: No space left on device"));
    const test::Scratch folder;
    const auto file = folder / "learned";
    std::ofstream(file) << "";
    fs::permissions(file, fs::perms::owner_read);
    const auto kept = give_back(file, shapes);
    ASSERT_TRUE(kept);
    EXPECT_EQ(*kept, Kept::not_writable);
    EXPECT_FALSE(give_back(folder / "gone" / "learned", shapes));
}

/// Each with shapes of its own, beside so many of a shape of all that the file is replaced by its
/// newest lines again and again.
TEST(GiveBack, loses_and_mixes_nothing_of_jobs_that_end_at_once) {
    const test::Scratch folder;
    const auto file = folder / "learned";
    constexpr int jobs = 8, times = 40, of_all = 60;
    const auto common = shape_of("bcast.flat", 0, "12x2");
    ASSERT_GT(jobs * times * of_all * text_of(common).size(), 4 * most_bytes);
    for (int job = 0; job < jobs; ++job)
        if (::fork() == 0) {
            bool kept = true;
            for (int time = 0; time < times; ++time) {
                std::vector shapes(of_all, common);
                shapes.push_back(shape_of("bcast.flat", 1, std::to_string(2 + job * times + time)));
                const auto given = give_back(file, shapes);
                kept = kept && given;
                if (!given)
                    std::fprintf(stderr, "%s\n", given.error().message.c_str());
            }
            ::_exit(kept ? 0 : 1);
        }
    for (int job = 0; job < jobs; ++job) {
        int status = 0;
        ::wait(&status);
        EXPECT_EQ(status, 0);
    }
    const auto learned = read_learned(file);
    EXPECT_EQ(learned.shapes().size(), static_cast<std::size_t>(jobs * times + 1));
    EXPECT_EQ(learned.wrong_lines(), 0);
    const auto* shape = learned.find("openmpi-4.1.4", Collective::bcast, 65536, "12x2");
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->jobs, jobs * times * of_all);
    EXPECT_LT(fs::file_size(file), 2 * most_bytes);
}

TEST(GiveBack, keeps_the_newest) {
    const test::Scratch folder;
    const auto file = folder / "learned";
    std::vector<LearnedShape> shapes;
    for (int i = 0; i < 4000; ++i)
        shapes.push_back(shape_of("bcast.flat", i, std::to_string(2 + i)));
    ASSERT_TRUE(give_back(file, shapes));
    const auto learned = read_learned(file);
    ASSERT_EQ(learned.shapes().size(), Learned::most_shapes);
    EXPECT_TRUE(std::ranges::all_of(learned.shapes(),
                                    [](const auto* shape) { return shape->time_s >= 3000; }));
}

} // namespace
} // namespace alltold::site
