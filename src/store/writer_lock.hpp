// SPDX-License-Identifier: BSD-3-Clause
// Lets one process at a time write a file; the error of a second one names the first. Notices that
// the files of an open store have been removed, replaced or cut.
#pragma once

#include <array>
#include <filesystem>

#include <sys/types.h>

#include "core/result.hpp"

namespace alltold {

/// Holds a lock on `PATH-lock` beside the file for its lifetime; the kernel releases it after a
/// kill. The lock is not on the file itself, since closing any descriptor of it would drop SQLite's
/// locks.
class WriterLock {
  public:
    /// Fails (status `environment`) when another process holds it, naming that process, when the
    /// directory cannot be written and when its file system has no locks; with `bad_input` when the
    /// directory is missing and when `PATH-lock` is a link or anything else that is not ours.
    static Result<WriterLock> take(const std::filesystem::path& path);

    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

  private:
    WriterLock(std::filesystem::path path, int descriptor);
    void give_up() noexcept;

    std::filesystem::path path_;
    int descriptor_ = -1;
};

/// The database and its write-ahead log as they were at the last look. SQLite itself notices
/// nothing, and goes on writing to a file that has no name any more.
class StoreFiles {
  public:
    explicit StoreFiles(const std::filesystem::path& store);
    /// Fails where one has been removed, replaced or cut since the last look.
    Status check();

  private:
    struct File {
        std::filesystem::path path;
        dev_t device = 0;
        ino_t number = 0; ///< 0: there was none
        off_t size_bytes = 0;
    };
    static File look(const std::filesystem::path& path);

    std::array<File, 2> files_;
};

} // namespace alltold
