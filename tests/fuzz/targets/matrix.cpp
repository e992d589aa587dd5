// SPDX-License-Identifier: BSD-3-Clause
// Matrices of an all-to-all-v; the first byte is the number of ranks.
#include <algorithm>

#include "../fuzz.hpp"
#include "schedule/matrix.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    if (size == 0)
        return 0;
    const int ranks = data[0] % 8 + 1;
    std::uint64_t size_bytes = 0;
    const auto matrix = parse_matrix(fuzz::text_of(data + 1, size - 1), "fuzz", ranks, size_bytes);
    if (!matrix)
        return 0;
    const auto call = matrix->specification(ranks, size_bytes);
    std::uint64_t largest = 0;
    for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to)
            largest = std::max(largest, call.size_bytes(from, to));
    fuzz::expect(largest == size_bytes, "the largest block is m");
    return 0;
}
