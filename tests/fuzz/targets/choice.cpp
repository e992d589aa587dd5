// SPDX-License-Identifier: BSD-3-Clause
// Algorithm choices from text: what is read is written the same way.
#include "predict/choice/choice.hpp"
#include "../fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    if (const auto choice = parse_choice(fuzz::text_of(data, size))) {
        const auto again = parse_choice(text_of(*choice));
        fuzz::expect(again && *again == *choice, "a choice read back is the same");
    }
    return 0;
}
