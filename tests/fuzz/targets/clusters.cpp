// SPDX-License-Identifier: BSD-3-Clause
// Clusters from text: what is read is written the same way.
#include "topology/clusters.hpp"
#include "../fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    if (const auto clusters = Clusters::parse(fuzz::text_of(data, size))) {
        const auto again = Clusters::parse(clusters->text());
        fuzz::expect(again && *again == *clusters, "clusters read back are the same");
        fuzz::expect(clusters->cluster_of(clusters->ranks() - 1) == clusters->count() - 1,
                     "the last rank is in the last cluster");
    }
    return 0;
}
