// SPDX-License-Identifier: BSD-3-Clause
// What the fuzz targets share: the input as text, and a check that also holds without assert.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// The entry point of libFuzzer and of driver.cpp; one per target.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace alltold::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Ends the program, as a crash does, unless `right`.
inline void expect(bool right, const char* what) {
    if (right)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

} // namespace alltold::fuzz
