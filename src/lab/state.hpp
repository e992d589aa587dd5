// SPDX-License-Identifier: BSD-3-Clause
// Where a running lab keeps what its processes share; it exists only inside the lab's namespaces.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "core/result.hpp"
#include "lab/options.hpp"

namespace alltold::lab {

inline const std::string private_dir = "/dev/shm";   ///< a tmpfs of the lab's, one more a host
inline const std::string state_dir = "/dev/shm/lab"; ///< the same files on head and every host

/// What has passed one end of the backbone. Written by the relay alone.
struct LinkCounts {
    std::atomic<std::uint64_t> packets{0};       ///< accepted
    std::atomic<std::uint64_t> bytes{0};         ///< accepted, link headers counted
    std::atomic<std::uint64_t> payload_bytes{0}; ///< accepted TCP payload
    std::atomic<std::uint64_t> messages{0};      ///< that set out; see TcpMessages
    std::atomic<std::uint64_t> drops{0};         ///< packets that found the queue full
};

/// How late something with a deadline was. Written by one process.
struct Lateness {
    std::atomic<std::uint64_t> count{0};
    std::atomic<std::uint64_t> sum_ns{0};
    std::atomic<std::uint64_t> worst_ns{0};
    std::atomic<std::uint64_t> over_1ms{0};

    void add(double late_ns);
};

/// Lives in a file of state_dir that every process of the lab may map.
struct Shared {
    std::array<LinkCounts, most_clusters> up;
    std::array<LinkCounts, most_clusters> down;
    Lateness relay; ///< of packets leaving the backbone
    Lateness timer; ///< of a process of ordinary priority that sleeps and wakes
};

/// Maps the file, making it when `create`; it stays mapped until the process ends.
Result<Shared*> map_shared(bool create);

} // namespace alltold::lab
