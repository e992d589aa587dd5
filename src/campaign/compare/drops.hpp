// SPDX-License-Identifier: BSD-3-Clause
// Packets dropped by the queues of the lab that this process runs in.
#pragma once

#include <cstdint>
#include <optional>

namespace alltold::campaign {

/// Packets dropped, by kind of queue.
struct Drops {
    std::uint64_t ports = 0;    ///< at switch ports towards hosts
    std::uint64_t backbone = 0; ///< on the ways up and down the backbone
    Drops operator-(const Drops& before) const {
        return {ports - before.ports, backbone - before.backbone};
    }
};

/// Since the lab was built; nothing outside a lab. Local; takes some milliseconds.
std::optional<Drops> dropped_so_far();

} // namespace alltold::campaign
