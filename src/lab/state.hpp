// SPDX-License-Identifier: BSD-3-Clause
// State shared by the processes of a running lab, and its queues' counts; it exists only inside the
// lab's namespaces.
#pragma once

#include <atomic>

#include <nlohmann/json.hpp>

#include "lab/options.hpp"

namespace alltold::lab {

inline const std::string private_dir = "/dev/shm";   ///< a tmpfs of the lab, and one per host
inline const std::string state_dir = "/dev/shm/lab"; ///< the same files on head and every host

/// Counters of a queue. Only the relay writes them.
struct QueueCounts {
    std::atomic<std::uint64_t> packets{0}; ///< accepted
    std::atomic<std::uint64_t> bytes{0};   ///< accepted, including Ethernet headers
    std::atomic<std::uint64_t> drops{0};   ///< packets dropped because the queue was full
};

/// Those of one end of the backbone.
struct LinkCounts : QueueCounts {
    std::atomic<std::uint64_t> payload_bytes{0}; ///< accepted TCP payload
    std::atomic<std::uint64_t> messages{0};      ///< sent; see TcpMessages
};

/// How late something with a deadline was. Written by one process.
struct Lateness {
    std::atomic<std::uint64_t> count{0};
    std::atomic<std::uint64_t> sum_ns{0};
    std::atomic<std::uint64_t> worst_ns{0};
    std::atomic<std::uint64_t> over_1ms{0};

    void add(double late_ns);
};

/// Stored in a file of state_dir that every process of the lab may map.
struct Shared {
    std::array<QueueCounts, most_hosts> ports; ///< of the switches, by host
    std::array<LinkCounts, most_clusters> up;
    std::array<LinkCounts, most_clusters> down;
    Lateness relay;                       ///< of packets leaving the switch ports
    std::atomic<std::uint64_t> missed{0}; ///< packets lost because the relay was too slow
    Lateness timer;                       ///< of a normal-priority process that sleeps and wakes
};

/// Maps the file, creates it if `create`; it stays mapped until the process ends.
Result<Shared*> map_shared(bool create);

/// Counters since the lab was created; any process inside it may call this. "ports": by host,
/// packets, bytes (including Ethernet headers) and drops of the switch port to it. "backbone": by
/// cluster, "up" and "down" with packets, bytes, payload_bytes, messages (see TcpMessages) and
/// drops. Environment error outside a lab.
Result<nlohmann::json> read_counters();

std::string counters_text(const nlohmann::json& counters);

} // namespace alltold::lab
