// SPDX-License-Identifier: BSD-3-Clause
// A directory of its own for a test, and a network to measure in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "store/campaign.hpp"

namespace alltold::test {

class Scratch {
  public:
    Scratch() {
        std::string name = std::filesystem::temp_directory_path() / "alltold-test-XXXXXX";
        directory_ = ::mkdtemp(name.data());
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(directory_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return directory_ / name; }
    const std::filesystem::path& directory() const { return directory_; }

  private:
    std::filesystem::path directory_;
};

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline Surroundings four_hosts() {
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
