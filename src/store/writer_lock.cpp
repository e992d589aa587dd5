// SPDX-License-Identifier: BSD-3-Clause
// The lock is an advisory one on a file beside the campaign, removed when given up.
#include "store/writer_lock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace alltold {
namespace {

namespace fs = std::filesystem;

/// At most this much is read of a lock file, which holds its holder's process number.
constexpr std::size_t most_bytes = 32;

std::string contents(int descriptor) {
    std::array<char, most_bytes> text;
    const auto length = ::pread(descriptor, text.data(), text.size(), 0);
    return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

/// Why the file behind `descriptor` is not one that an earlier holder made; empty: it may be.
std::string objection(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return "is not a regular file";
    if (status.st_nlink > 1)
        return "has another name too (a hard link)";
    const auto text = contents(descriptor);
    if (text.size() == most_bytes || text.find_first_not_of("0123456789") != text.npos)
        return "holds something else than a process number";
    return "";
}

Error foreign(const fs::path& path, const fs::path& lock_path, std::string_view why) {
    return bad_input(fmt::format("{}: {}, but locks {}; move it away, or use another file",
                                 lock_path.string(), why, path.string()));
}

/// Whether `path` still names the file behind `descriptor`: its last holder may have removed it.
bool still_named(int descriptor, const fs::path& path) {
    struct stat ours {
    }, named{};
    return ::fstat(descriptor, &ours) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

Error cannot_open(const fs::path& path, const fs::path& lock_path, int code) {
    struct stat status {};
    if (::lstat(lock_path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
        return foreign(path, lock_path,
                       S_ISLNK(status.st_mode) ? "is a symbolic link" : "is not a regular file");
    const auto directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (code == ENOENT || code == ENOTDIR)
        return bad_input(
            fmt::format("{}: directory {} does not exist", path.string(), directory.string()));
    return environment(fmt::format("{}: cannot write into the directory {}: {}", path.string(),
                                   directory.string(), std::strerror(code)));
}

/// Locks the open file; false where its last holder has removed it meanwhile.
Result<bool> lock_open(int descriptor, const fs::path& path, const fs::path& lock_path) {
    if (const auto why = objection(descriptor); !why.empty())
        return foreign(path, lock_path, why);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return still_named(descriptor, lock_path);
    if (const int code = errno; code != EWOULDBLOCK)
        return environment(fmt::format("{}: its file system cannot lock files ({}); use a file on "
                                       "another, such as a local disk",
                                       path.string(), std::strerror(code)));
    const auto holder = contents(descriptor);
    return environment(fmt::format(
        "{}: another process{} is writing to it; wait for it to end, or use another file",
        path.string(), holder.empty() ? "" : fmt::format(" (process {})", holder)));
}

} // namespace

Result<WriterLock> WriterLock::take(const fs::path& path) {
    const fs::path lock_path = path.string() + "-lock";
    while (true) {
        const int descriptor =
            ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0)
            return cannot_open(path, lock_path, errno);
        const auto locked = lock_open(descriptor, path, lock_path);
        if (!locked || !*locked) {
            ::close(descriptor);
            if (!locked)
                return locked.error();
            continue;
        }
        // The number only serves the message above, so a full disk is no reason to fail here.
        const auto number = std::to_string(::getpid());
        if (::ftruncate(descriptor, 0) != 0 ||
            ::pwrite(descriptor, number.data(), number.size(), 0) < 0)
            errno = 0;
        return WriterLock(lock_path, descriptor);
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
    if (still_named(descriptor_, path_))
        ::unlink(path_.c_str()); // while still held, so that no one else's is removed
    ::close(std::exchange(descriptor_, -1));
}

namespace fs = std::filesystem;

StoreFiles::StoreFiles(const fs::path& store)
    : files_{look(store), look(store.string() + "-wal")} {}

StoreFiles::File StoreFiles::look(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return {.path = path};
    return {path, status.st_dev, status.st_ino, status.st_size};
}

Status StoreFiles::check() {
    for (auto& file : files_) {
        const auto before = std::exchange(file, look(file.path));
        if (before.number != 0 && (file.device != before.device || file.number != before.number ||
                                   file.size_bytes < before.size_bytes))
            return environment(fmt::format("{}: was removed, replaced or cut while it was written; "
                                           "what it held is lost, so run the same command again",
                                           file.path.string()));
    }
    return Done{};
}

} // namespace alltold
