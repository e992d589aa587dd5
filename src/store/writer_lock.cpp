// SPDX-License-Identifier: BSD-3-Clause
// The lock is an advisory one on a file beside the campaign, removed when given up.
#include "store/writer_lock.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace alltold {
namespace {

namespace fs = std::filesystem;

/// The process number the holder wrote down, or an empty text before it did.
std::string holder(int descriptor) {
    std::array<char, 32> text{};
    const auto length = ::pread(descriptor, text.data(), text.size() - 1, 0);
    return length > 0 ? " (process " + std::string(text.data()) + ")" : "";
}

/// Whether `path` still names the file behind `descriptor`: its last holder may have removed it.
bool still_named(int descriptor, const fs::path& path) {
    struct stat ours {
    }, named{};
    return ::fstat(descriptor, &ours) == 0 && ::stat(path.c_str(), &named) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

Error cannot_open(const fs::path& path, int code) {
    const auto directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (code == ENOENT || code == ENOTDIR)
        return bad_input(
            fmt::format("{}: directory {} does not exist", path.string(), directory.string()));
    return environment(fmt::format("{}: cannot write into the directory {}: {}", path.string(),
                                   directory.string(), std::strerror(code)));
}

} // namespace

Result<WriterLock> WriterLock::take(const fs::path& path) {
    const fs::path lock_path = path.string() + "-lock";
    while (true) {
        const int descriptor = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0)
            return cannot_open(path, errno);
        WriterLock lock(lock_path, -1);
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const auto who = holder(descriptor);
            ::close(descriptor);
            return environment(fmt::format("{}: another process{} is writing to it; wait for it to "
                                           "end, or use another file",
                                           path.string(), who));
        }
        if (!still_named(descriptor, lock_path)) {
            ::close(descriptor);
            continue;
        }
        // The number only serves the message above, so a full disk is no reason to fail here.
        const auto number = std::to_string(::getpid());
        if (::ftruncate(descriptor, 0) != 0 ||
            ::pwrite(descriptor, number.data(), number.size(), 0) < 0)
            errno = 0;
        lock.descriptor_ = descriptor;
        return lock;
    }
}

WriterLock::WriterLock(fs::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
    if (this != &other) {
        give_up();
        path_ = std::move(other.path_);
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

WriterLock::~WriterLock() {
    give_up();
}

void WriterLock::give_up() noexcept {
    if (descriptor_ < 0)
        return;
    ::unlink(path_.c_str()); // while still held, so that no one else's is removed
    ::close(std::exchange(descriptor_, -1));
}

} // namespace alltold
