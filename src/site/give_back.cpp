// SPDX-License-Identifier: BSD-3-Clause
// O_APPEND, with a shared lock against the one that replaces the file.
#include "site/give_back.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text_file.hpp"

namespace alltold::site {
namespace {

namespace fs = std::filesystem;

constexpr FileKind learned_kind{"what jobs learned", "learned-"};
// Replacing a file takes milliseconds, on a busy disk tenths of a second.
constexpr int most_tries = 500;
constexpr std::chrono::milliseconds between_tries(2);
// Others append for less than a millisecond.
constexpr int most_tries_to_replace = 50;
// A file that cannot be replaced grows no further.
constexpr off_t most_growth = 4;

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    ~Descriptor() {
        if (number_ >= 0)
            ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    int number() const { return number_; }

  private:
    int number_;
};

Error failed(const fs::path& file, int code) {
    return environment(fmt::format("{}: cannot keep what this job learned: {}", file.string(),
                                   std::strerror(code)));
}

/// Whether the file of that name is still the open one.
bool is_still(const fs::path& file, int descriptor) {
    struct stat named = {}, open = {};
    return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 &&
           named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

/// Locked, unless its file system has no locks; errno has the error.
Descriptor open_locked(const fs::path& file) {
    for (int i = 0; i < most_tries; ++i) {
        Descriptor opened(::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
        if (opened.number() < 0)
            return opened;
        const bool taken = ::flock(opened.number(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (taken && is_still(file, opened.number()))
            return opened;
        std::this_thread::sleep_for(between_tries);
    }
    errno = EBUSY;
    return Descriptor(-1);
}

/// Where other jobs append all the time, a later one does it.
void replace_by_newest(const fs::path& file, int descriptor) {
    for (int i = 0; i < most_tries_to_replace; ++i) {
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
            if (is_still(file, descriptor)) // else another has done it
                (void)replace_text_file(file, read_learned(file).text(), learned_kind);
            return;
        }
        std::this_thread::sleep_for(between_tries);
    }
}

off_t size_of(int descriptor) {
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

} // namespace

Learned read_learned(const fs::path& file) {
    Learned learned;
    if (const auto text = read_text_file(file, learned_kind.name))
        learned.read(*text);
    return learned;
}

Result<Kept> give_back(const fs::path& file, std::span<const LearnedShape> shapes) {
    std::error_code unknown;
    if (fs::exists(file, unknown) && !check_writable(file)) // for root too
        return Kept::not_writable;
    const auto opened = open_locked(file);
    if (opened.number() < 0)
        return errno == EACCES || errno == EROFS || errno == EPERM ? Result(Kept::not_writable)
                                                                   : failed(file, errno);
    constexpr auto most = static_cast<off_t>(most_bytes);
    if (size_of(opened.number()) > most_growth * most)
        return failed(file, EFBIG);
    for (const auto& shape : shapes) {
        // A line of a job that was cut off, as by a full disk, may have no end.
        const auto line = "\n" + text_of(shape) + "\n";
        const auto written = ::write(opened.number(), line.data(), line.size());
        if (written != static_cast<ssize_t>(line.size()))
            return failed(file, written < 0 ? errno : ENOSPC);
    }
    if (size_of(opened.number()) > most)
        replace_by_newest(file, opened.number());
    return Kept::yes;
}

} // namespace alltold::site
