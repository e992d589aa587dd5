// SPDX-License-Identifier: BSD-3-Clause
// What has passed and what was dropped at each queue of the running lab.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace alltold::lab {

/// Counters since the lab was built, from any process inside it. "ports": by host, packets, bytes
/// (Ethernet headers counted) and drops of the switch port towards it. "backbone": by cluster, "up"
/// and "down" with packets, bytes, payload_bytes, messages (see TcpMessages) and drops.
/// Environment error outside a lab.
Result<nlohmann::json> read_counters();

/// The same as a table people read.
std::string counters_text(const nlohmann::json& counters);

} // namespace alltold::lab
