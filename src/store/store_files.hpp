// SPDX-License-Identifier: BSD-3-Clause
// Notices that the files of an open store have been removed, replaced or cut.
#pragma once

#include <array>
#include <filesystem>

#include <sys/types.h>

#include "core/result.hpp"

namespace alltold {

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
