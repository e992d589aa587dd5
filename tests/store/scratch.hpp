// SPDX-License-Identifier: BSD-3-Clause
// A network to measure in a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "../scratch.hpp"
#include "store/campaign.hpp"

namespace alltold::test {

inline void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline Provenance four_hosts() {
    return {{"h0", "h1", "h2", "h3"},
            Clusters({2, 2}),
            "Open MPI v4.1.4",
            "Linux 6.1 x86_64",
            "offset by shortest round trip, 2 us"};
}

inline Point alltoall_point(std::uint64_t size_bytes) {
    return {"alltoall", "mpi", Clusters({2, 2}), size_bytes, -1, -1};
}

} // namespace alltold::test
