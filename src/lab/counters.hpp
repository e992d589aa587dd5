// SPDX-License-Identifier: BSD-3-Clause
// Packets, bytes and drops of each queue of the running lab.
#pragma once

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace alltold::lab {

/// Counters since the lab was created; any process inside it may call this. "ports": by host,
/// packets, bytes (including Ethernet headers) and drops of the switch port to it. "backbone": by
/// cluster, "up" and "down" with packets, bytes, payload_bytes, messages (see TcpMessages) and
/// drops. Environment error outside a lab.
Result<nlohmann::json> read_counters();

/// The counters as a text table.
std::string counters_text(const nlohmann::json& counters);

} // namespace alltold::lab
