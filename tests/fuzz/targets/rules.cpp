// SPDX-License-Identifier: BSD-3-Clause
// Rules from text: what is read is written the same way.
#include "../fuzz.hpp"
#include "predict/rules/rule.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    if (const auto rules = parse_rules(fuzz::text_of(data, size), "fuzz")) {
        const auto again = parse_rules(text_of(*rules), "again");
        fuzz::expect(again && *again == *rules, "rules read back are the same");
    }
    return 0;
}
