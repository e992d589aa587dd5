// SPDX-License-Identifier: BSD-3-Clause
// Finds the largest size with a property that smaller sizes have, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/result.hpp"

namespace alltold::campaign {

/// Whether `size_bytes` has the property. May return false although it has, rarely when `thorough`;
/// never returns true although it has not.
using Holds = std::function<Result<bool>(std::uint64_t size_bytes, bool thorough)>;

/// How far the answer `found_bytes` may lie below the largest size that has the property, less one:
/// 1, so to the byte, up to 64 KiB, and a 64th of what is larger.
std::uint64_t limit_resolution(std::uint64_t found_bytes);

/// The largest size from 1 to `largest_bytes` that has the property, to limit_resolution; 0 if none
/// has. Tries powers of two first, then bisects; confirms the upper bound by a thorough call. If
/// `guess_bytes` is the answer, two calls suffice. Fails as `holds` does.
Result<std::uint64_t> largest_that_holds(const Holds& holds, std::uint64_t largest_bytes,
                                         std::optional<std::uint64_t> guess_bytes = {});

} // namespace alltold::campaign
