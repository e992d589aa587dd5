// SPDX-License-Identifier: BSD-3-Clause
// By device, inode and size, which never decreases while a store is open.
#include "store/store_files.hpp"

#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace alltold {

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
