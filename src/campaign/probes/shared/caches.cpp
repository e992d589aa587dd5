// SPDX-License-Identifier: BSD-3-Clause
// Asking the system, else the memory itself.
#include "campaign/probes/shared/caches.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "campaign/engine/clock.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

std::size_t from_sysconf(int name) {
    const long bytes = sysconf(name);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

/// "32K" of one entry of /sys, 0 for an instruction cache or none.
std::size_t from_sys(int index) {
    const auto folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    std::string type;
    std::string text;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> text;
    if (type.empty() || type == "Instruction" || text.empty())
        return 0;
    const std::size_t unit = text.back() == 'M' ? ki * ki : text.back() == 'K' ? ki : 1;
    return unit * std::strtoull(text.c_str(), nullptr, 10);
}

/// Seconds a byte takes when this many bytes are copied over and over.
double copy_s_per_byte(std::vector<char>& to, const std::vector<char>& from, std::size_t bytes) {
    double quickest_s = 1;
    for (int i = 0; i < 5; ++i) {
        const std::size_t rounds = std::max<std::size_t>(1, 4 * ki * ki / bytes);
        const double started_s = Clock::true_now_s();
        for (std::size_t round = 0; round < rounds; ++round) {
            std::memcpy(to.data(), from.data(), bytes);
            asm volatile("" : : "r"(to.data()) : "memory");
        }
        quickest_s = std::min(quickest_s, (Clock::true_now_s() - started_s) /
                                              static_cast<double>(rounds * bytes));
    }
    return quickest_s;
}

/// Copies touch two buffers, so a cache is twice as large as what is copied in it.
Caches from_sweep() {
    constexpr std::size_t most = 32 * ki * ki;
    std::vector<char> from(most, 'f');
    std::vector<char> to(most, 't');
    const double near_s = copy_s_per_byte(to, from, 4 * ki);
    Caches found{8 * ki, 8 * ki};
    double last_s = near_s;
    for (std::size_t bytes = 8 * ki; bytes <= most; bytes *= 2) {
        const double here_s = copy_s_per_byte(to, from, bytes);
        if (here_s <= 1.25 * near_s)
            found.nearest_bytes = 2 * bytes;
        if (here_s > 1.5 * last_s)
            found.last_bytes = bytes;
        last_s = here_s;
    }
    found.last_bytes = std::max(found.last_bytes, found.nearest_bytes);
    return found;
}

} // namespace

Caches find_caches() {
    Caches found{from_sysconf(_SC_LEVEL1_DCACHE_SIZE), 0};
    for (const int level : {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE})
        found.last_bytes = std::max(found.last_bytes, from_sysconf(level));
    for (int index = 0; index < 5; ++index)
        if (const auto bytes = from_sys(index); bytes > 0) {
            found.last_bytes = std::max(found.last_bytes, bytes);
            if (found.nearest_bytes == 0 || bytes < found.nearest_bytes)
                found.nearest_bytes = bytes;
        }
    return found.nearest_bytes > 0 ? found : from_sweep();
}

} // namespace alltold::campaign
