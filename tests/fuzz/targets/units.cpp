// SPDX-License-Identifier: BSD-3-Clause
// Sizes, rates and times from text, and back.
#include <cmath>

#include "../fuzz.hpp"
#include "core/units.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    const auto text = fuzz::text_of(data, size);
    if (const auto bytes = parse_size(text)) {
        const auto again = parse_size(format_size_word(*bytes));
        fuzz::expect(again && *again == *bytes, "a size read back is the same");
        fuzz::expect(!format_size(static_cast<double>(*bytes)).empty(), "a size is shown");
    }
    if (const auto rate = parse_rate(text))
        fuzz::expect(std::isfinite(*rate) && format_rate(*rate).size() < 40, "a rate is shown");
    if (const auto time_s = parse_time(text))
        fuzz::expect(std::isfinite(*time_s) && format_time(*time_s).size() < 40, "a time is shown");
    return 0;
}
