// SPDX-License-Identifier: BSD-3-Clause
// A directory of its own for a test, gone with it.
#pragma once

#include <cstdlib>
#include <filesystem>
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

} // namespace alltold::test
