// SPDX-License-Identifier: BSD-3-Clause
// The lock beside a store: whose file it may be, and file systems without locks.
#include "store/writer_lock.hpp"

#include <cerrno>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scratch.hpp"

namespace {

/// Error with which flock fails; 0: as the kernel decides.
int flock_error = 0;

} // namespace

/// In front of the C library's.
extern "C" int flock(int descriptor, int operation) noexcept {
    if (flock_error == 0)
        return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
    errno = flock_error;
    return -1;
}

namespace alltold {
namespace {

namespace fs = std::filesystem;
using test::contents;
using test::Scratch;

void expect_foreign(const Scratch& scratch, const char* why) {
    const auto lock = WriterLock::take(scratch / "net.db");
    ASSERT_FALSE(lock) << why;
    EXPECT_EQ(lock.error().status, ExitStatus::bad_input);
    EXPECT_NE(lock.error().message.find("net.db-lock: " + std::string(why)), std::string::npos)
        << lock.error().message;
}

TEST(WriterLock, follows_no_link) {
    const Scratch scratch;
    std::ofstream(scratch / "victim") << "12";
    fs::create_symlink("victim", scratch / "net.db-lock");
    expect_foreign(scratch, "is a symbolic link");
    fs::remove(scratch / "net.db-lock");
    fs::create_hard_link(scratch / "victim", scratch / "net.db-lock");
    expect_foreign(scratch, "has another name");
    EXPECT_EQ(contents(scratch / "victim"), "12");
    fs::remove(scratch / "net.db-lock");
    fs::create_symlink("no/such", scratch / "net.db-lock");
    expect_foreign(scratch, "is a symbolic link");
}

TEST(WriterLock, takes_the_place_of_no_other_file) {
    const Scratch scratch;
    const auto path = scratch / "net.db-lock";
    for (const std::string text : {"mine\n", "12a", "12345678901234567890123456789012"}) {
        std::ofstream(path) << text;
        expect_foreign(scratch, "holds something else");
        EXPECT_EQ(contents(path), text);
    }
    fs::remove(path);
    fs::create_directory(path);
    expect_foreign(scratch, "is not a regular file");
    fs::remove(path);
    ::mkfifo(path.c_str(), 0600);
    expect_foreign(scratch, "is not a regular file");
    fs::remove(path);
    std::ofstream(path) << "4711"; // a killed holder's
    EXPECT_TRUE(WriterLock::take(scratch / "net.db"));
    EXPECT_FALSE(fs::exists(path));
}

TEST(WriterLock, removes_no_other_holders_file) {
    const Scratch scratch;
    auto first = WriterLock::take(scratch / "net.db");
    ASSERT_TRUE(first);
    fs::remove(scratch / "net.db-lock");
    const auto second = WriterLock::take(scratch / "net.db");
    ASSERT_TRUE(second);
    first = Error{};
    EXPECT_TRUE(fs::exists(scratch / "net.db-lock"));
    EXPECT_FALSE(WriterLock::take(scratch / "net.db"));
}

TEST(WriterLock, says_where_a_file_system_has_no_locks) {
    const Scratch scratch;
    for (const int code : {ENOSYS, ENOLCK, EOPNOTSUPP}) {
        flock_error = code;
        const auto lock = WriterLock::take(scratch / "net.db");
        flock_error = 0;
        ASSERT_FALSE(lock);
        EXPECT_EQ(lock.error().status, ExitStatus::environment);
        EXPECT_NE(lock.error().message.find("file system cannot lock"), std::string::npos)
            << lock.error().message;
    }
}

} // namespace
} // namespace alltold
