// SPDX-License-Identifier: BSD-3-Clause
// Host files, and the clusters of hosts by them.
#include <array>

#include "../fuzz.hpp"
#include "topology/host_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace alltold;
    const auto file = HostFile::parse(fuzz::text_of(data, size), "fuzz");
    if (!file)
        return 0;
    const std::array<std::string, 3> hosts{"n1", "n2.site", ""};
    if (const auto clusters = file->clusters_of(hosts))
        fuzz::expect(clusters->size() == hosts.size() &&
                         (!file->silent() || *clusters == std::vector{0, 0, 0}),
                     "every host has a cluster");
    return 0;
}
