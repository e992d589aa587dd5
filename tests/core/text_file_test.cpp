// SPDX-License-Identifier: BSD-3-Clause
// What replacing a file keeps: its mode, links to it, and files that are not to be written.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

#include "../scratch.hpp"
#include "core/text_file.hpp"

namespace alltold {
namespace {

namespace fs = std::filesystem;

constexpr FileKind note{"a note", "note"};

std::string contents(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ReplaceTextFile, KeepsTheMode) {
    const test::Scratch scratch;
    const auto file = scratch / "note.txt";
    ASSERT_TRUE(replace_text_file(file, "note 1\n", note));
    for (const auto mode : {0600, 0640, 0755}) {
        fs::permissions(file, fs::perms(mode));
        ASSERT_TRUE(replace_text_file(file, "note 2\n", note));
        EXPECT_EQ(fs::status(file).permissions(), fs::perms(mode));
    }
}

TEST(ReplaceTextFile, WritesBehindSymbolicLinks) {
    const test::Scratch scratch;
    fs::create_directory(scratch / "far");
    fs::create_symlink("far/near.txt", scratch / "link");
    fs::create_symlink(scratch / "note.txt", scratch / "far/near.txt");
    for (const auto* text : {"note 1\n", "note 2\n"}) { // at first there is no such file
        ASSERT_TRUE(replace_text_file(scratch / "link", text, note));
        EXPECT_TRUE(fs::is_symlink(scratch / "link"));
        EXPECT_TRUE(fs::is_symlink(scratch / "far/near.txt"));
        EXPECT_FALSE(fs::is_symlink(scratch / "note.txt"));
        EXPECT_EQ(contents(scratch / "note.txt"), text);
    }
    std::ofstream(scratch / "note.txt") << "mine";
    EXPECT_FALSE(may_replace(scratch / "link", note));
    fs::create_symlink("circle", scratch / "circle");
    EXPECT_FALSE(replace_text_file(scratch / "circle", "note 3\n", note));
}

TEST(ReplaceTextFile, LeavesAFileThatIsReadOnlyForRootToo) {
    const test::Scratch scratch;
    const auto file = scratch / "note.txt";
    ASSERT_TRUE(replace_text_file(file, "note 1\n", note));
    fs::permissions(file, fs::perms(0444));
    const auto may = may_replace(file, note);
    ASSERT_FALSE(may);
    EXPECT_NE(may.error().message.find("is read-only"), std::string::npos) << may.error().message;
    EXPECT_FALSE(replace_text_file(file, "note 2\n", note));
    EXPECT_EQ(contents(file), "note 1\n");
    EXPECT_FALSE(check_writable(file));
}

TEST(ReplaceTextFile, FollowsNoLinkOfAnotherUserWhereAllMayWrite) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can make another user's link";
    const test::Scratch scratch;
    std::ofstream(scratch / "victim") << "note";
    fs::create_directory(scratch / "shared");
    const auto link = scratch / "shared/out";
    fs::create_symlink(scratch / "victim", link);
    ASSERT_EQ(::lchown(link.c_str(), 12345, 12345), 0);
    EXPECT_TRUE(may_replace(link, note)); // only the owner writes here
    fs::permissions(scratch / "shared", fs::perms(01777));
    const auto replaced = replace_text_file(link, "note 2\n", note);
    ASSERT_FALSE(replaced);
    EXPECT_EQ(replaced.error().message, link.string() + ": cannot write it: Permission denied");
    EXPECT_EQ(contents(scratch / "victim"), "note");
    ASSERT_EQ(::lchown(link.c_str(), ::geteuid(), ::getegid()), 0);
    EXPECT_TRUE(replace_text_file(link, "note 2\n", note));
}

TEST(ReadTextFile, HasALimit) {
    const test::Scratch scratch;
    const auto file = (scratch / "large").string();
    std::ofstream(file) << "text";
    fs::resize_file(file, (1 << 20) + 1);
    EXPECT_EQ(read_text_file(file, "a text", 1 << 20).error().message,
              file + ": is larger than 1 MiB; expected a text");
    EXPECT_EQ(read_text_file(file, "a text", 2 << 20).error().message,
              file + ": is not a text; expected a text"); // the rest is zeros
}

TEST(ReadTextFile, says_that_a_file_cannot_be_read) {
    const auto text = read_text_file("/proc/self/mem", "a text"); // nothing is mapped at its start
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().status, ExitStatus::environment);
    EXPECT_EQ(text.error().message, "/proc/self/mem: cannot read it: Input/output error");
}

} // namespace
} // namespace alltold
