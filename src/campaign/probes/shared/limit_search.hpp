// SPDX-License-Identifier: BSD-3-Clause
// Finds the largest size with a property that smaller sizes have, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/result.hpp"

namespace alltold::campaign {

/// Whether `size_bytes` has the property. May miss it, rarely when `thorough`; never claims it
/// wrongly.
using Holds = std::function<Result<bool>(std::uint64_t size_bytes, bool thorough)>;

/// The largest size from 1 to `largest_bytes` that has the property, to the byte; 0 if none has.
/// Powers of two first, then bisection; what bounds the answer from above is asked again
/// thoroughly. Where `guess_bytes` is the answer, it takes two questions. Fails as `holds` does.
Result<std::uint64_t> largest_that_holds(const Holds& holds, std::uint64_t largest_bytes,
                                         std::optional<std::uint64_t> guess_bytes = {});

} // namespace alltold::campaign
