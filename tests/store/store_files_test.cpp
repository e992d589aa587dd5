// SPDX-License-Identifier: BSD-3-Clause
// A store whose files are taken away while it is written, and one that may not be written at all.
#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "scratch.hpp"
#include "store/campaign.hpp"
#include "store/writer_lock.hpp"

namespace alltold {
namespace {

namespace fs = std::filesystem;
using test::alltoall_point;
using test::contents;
using test::four_hosts;
using test::Scratch;

class TakenAway : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(writer_ && writer_->add(alltoall_point(64), 1, false)); }

    void expect_failure(const char* file) {
        const auto added = writer_->add(alltoall_point(64), 1, false);
        ASSERT_FALSE(added);
        EXPECT_EQ(added.error().status, ExitStatus::environment);
        EXPECT_NE(added.error().message.find(std::string(file) + ": was removed"),
                  std::string::npos)
            << added.error().message;
    }

    const Scratch scratch_;
    const fs::path path_ = scratch_ / "net.db";
    Result<Campaign> writer_ = Campaign::resume(path_, four_hosts(), 1);
};

TEST_F(TakenAway, removed) {
    fs::remove(path_);
    expect_failure("net.db");
}

TEST_F(TakenAway, replaced) {
    fs::rename(path_, scratch_ / "other");
    fs::copy_file(scratch_ / "other", path_);
    expect_failure("net.db");
}

TEST_F(TakenAway, cut) {
    fs::resize_file(path_, fs::file_size(path_) - 1);
    expect_failure("net.db");
}

TEST_F(TakenAway, log_removed) {
    fs::remove(path_.string() + "-wal");
    expect_failure("net.db-wal");
}

TEST_F(TakenAway, the_next_store_keeps_its_log) {
    for (const auto* end : {"", "-wal", "-shm", "-lock"})
        fs::remove(path_.string() + end);
    auto next = Campaign::resume(path_, four_hosts(), 1);
    ASSERT_TRUE(next) << next.error().message;
    ASSERT_TRUE(next->add(alltoall_point(65), 1, false));
    writer_ = Error{};
    ASSERT_TRUE(next->add(alltoall_point(65), 1, false));
    next = Error{};
    const auto points = Campaign::read(path_)->points();
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 1U);
    EXPECT_EQ(points->front().samples.size(), 2U);
}

TEST(MayResume, says_what_resume_would_and_changes_nothing) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    EXPECT_TRUE(Campaign::may_resume(path, four_hosts()));
    EXPECT_TRUE(fs::is_empty(scratch.directory()));
    ASSERT_TRUE(Campaign::resume(path, four_hosts(), 1));
    const auto before = contents(path);
    EXPECT_TRUE(Campaign::may_resume(path, four_hosts()));
    auto others = four_hosts();
    others.start_mode = StartMode::barrier;
    const auto of_others = Campaign::may_resume(path, others);
    ASSERT_FALSE(of_others);
    EXPECT_NE(of_others.error().message.find("--start"), std::string::npos);
    const auto held = WriterLock::take(path);
    EXPECT_FALSE(Campaign::may_resume(path, four_hosts()));
    EXPECT_EQ(contents(path), before);
}

} // namespace
} // namespace alltold
