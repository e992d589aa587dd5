// SPDX-License-Identifier: BSD-3-Clause
// A directory of its own for a test, gone with it, and files as text.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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

} // namespace alltold::test
