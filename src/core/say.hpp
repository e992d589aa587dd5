// SPDX-License-Identifier: BSD-3-Clause
// What a person is told beside the output.
#pragma once

#include <cstdio>
#include <string_view>

namespace alltold {

/// Writes it to standard error at once. Where that cannot be written there is nobody to tell, and
/// the work goes on.
inline void say(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

} // namespace alltold
