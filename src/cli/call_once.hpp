// SPDX-License-Identifier: BSD-3-Clause
// What `alltold call-once` prints for `alltold export --check`.
#pragma once

namespace alltold::cli {

/// Rank 0 prints this and the number of ranks.
inline constexpr const char* ranks_line = "alltold: ranks";
/// Every rank that has the file in memory prints this.
inline constexpr const char* mapped_line = "alltold: the file is mapped";

} // namespace alltold::cli
