// SPDX-License-Identifier: BSD-3-Clause
// getenv and gethostname.
#include "core/environment.hpp"

#include <array>
#include <cstdlib>

#include <unistd.h>

namespace alltold {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

} // namespace alltold
