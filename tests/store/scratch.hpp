// SPDX-License-Identifier: BSD-3-Clause
// A network to measure in a test, and files as text.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../scratch.hpp"
#include "store/campaign.hpp"

namespace alltold::test {

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

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
