// SPDX-License-Identifier: BSD-3-Clause
// The output of other benchmarks: what is read fits into a campaign.
#include "store/import/import.hpp"
#include "../fuzz.hpp"
#include "core/limits.hpp"
#include "store/campaign.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    const auto lines = lines_of(fuzz::text_of(data, size));
    const auto columns =
        CsvColumns::parse("collective=op,bytes=size,time_us=avg,ranks=n,algorithm=alg");
    for (const auto& format : import_formats())
        for (const auto& clusters : {std::optional<Clusters>(), std::optional(Clusters({1})),
                                     std::optional(Clusters({4, 4}))})
            for (const auto& its : {CsvColumns(), *columns})
                if (const auto read = format.read({lines, "fuzz", clusters, its}))
                    for (const auto& [point, sample] : read->times) {
                        fuzz::expect(sample.value >= 0 && sample.value <= most_sample,
                                     "times are no less than 0");
                        fuzz::expect(point.size_bytes <= most_point_bytes,
                                     "sizes fit into a campaign");
                        fuzz::expect(read->world->ranks() <= most_ranks,
                                     "no more ranks than a network has");
                        fuzz::expect(point.clusters.ranks() <= read->world->ranks(),
                                     "no more ranks than there are");
                    }
    return 0;
}
