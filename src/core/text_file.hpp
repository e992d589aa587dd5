// SPDX-License-Identifier: BSD-3-Clause
// Reads and replaces whole text files.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/result.hpp"

namespace alltold {

/// The most of a file of rules, hosts, settings or a lab's truth: 100,000 hosts in 40 bytes each.
inline constexpr std::uintmax_t most_small_file_bytes = 4 << 20;
/// The most of a profile, which all ranks of a program read: that of 12 hosts has up to 300 KB, and
/// a host has 20 bytes in it.
inline constexpr std::uintmax_t most_profile_bytes = 8 << 20;
/// The most of what other programs and long runs wrote, and of a matrix.
inline constexpr std::uintmax_t most_data_bytes = 256 << 20;

/// The whole file. Fails, naming it, when it is missing, no regular file, larger than `most_bytes`,
/// not a text or unreadable; `wanted` says what would be right: "a profile made by 'alltold fit'".
Result<std::string> read_text_file(const std::filesystem::path& path, std::string_view wanted,
                                   std::uintmax_t most_bytes = most_small_file_bytes);

/// A kind of file: its name, and text that each such file has within its first kilobyte.
struct FileKind {
    std::string_view name; ///< "a profile"
    std::string_view mark;
};

/// Whether the file may be written: fails when its name is too long, when its directory is missing
/// or cannot be written, when `path` is not a regular file, when it is read-only (for root too),
/// and when it is of another kind and not empty. Symbolic links stand for the file behind them.
Status may_replace(const std::filesystem::path& path, const FileKind& kind);

/// Fails for a file that is there and read-only, for root too: only its permissions count.
Status check_writable(const std::filesystem::path& path);

/// Replaces the file through a temporary one beside it, so that a full disk or a kill leaves the
/// old one whole. It keeps its mode, and symbolic links to it stay. Fails as may_replace does, and
/// when the directory cannot be written or is full.
Status replace_text_file(const std::filesystem::path& path, std::string_view text,
                         const FileKind& kind);

} // namespace alltold
