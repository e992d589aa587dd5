// SPDX-License-Identifier: BSD-3-Clause
// The output of other benchmarks: what is read fits into a campaign.
#include "store/import/import.hpp"
#include "../fuzz.hpp"
#include "store/campaign.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    for (const auto& format : import_formats())
        for (const auto& clusters : {Clusters({1}), Clusters({4, 4})})
            if (const auto read = format.read({fuzz::text_of(data, size), "fuzz", clusters}))
                for (const auto& [point, time_s] : read->times) {
                    fuzz::expect(time_s > 0 && time_s <= most_sample, "times are positive");
                    fuzz::expect(point.size_bytes > 0 && point.size_bytes <= most_point_bytes,
                                 "sizes fit into a campaign");
                    fuzz::expect(point.clusters.ranks() <= clusters.ranks(),
                                 "no more ranks than there are");
                }
    return 0;
}
