// SPDX-License-Identifier: BSD-3-Clause
// Bounds beside what was measured: which of them are doubtful, and what else the times say.
#pragma once

#include "network/network.hpp"
#include "predict/call_time.hpp"

namespace alltold {

/// The measured calls that take less than their bounds; empty if none does. A bound that is mostly
/// latency says that the latency is too long, any other that the rate is too low. `loop`: times are
/// periods of loops.
std::optional<Plausibility::Beaten> beaten_bounds(const Network& network, bool loop);
/// Exchanges of long blocks that take more than four times their bounds, as they do where several
/// ranks share a port.
std::optional<Plausibility::Slow> slow_exchanges(const Network& network);
/// Calls some of whose repetitions take about 200 ms longer than others, or which take far longer
/// than a smaller one lets expect.
std::optional<Plausibility::TimedOut> timed_out_calls(std::span<const PointSamples> points);

/// The reasons, of which there may be more.
inline constexpr const char* why_bounds_are_beaten =
    "a host may have several rails, one connection may not fill its port, several ranks may share "
    "a host";
/// "bounds (marked ?) are doubtful: gather of 1 MiB on 512 was measured in 31.9 ms, below ...".
std::string text_of(const Plausibility::Beaten& beaten);
std::string text_of(const Plausibility::Slow& slow);
std::string text_of(const Plausibility::TimedOut& timed_out);

/// Sets the call's bound, how much of it is doubtful, and the caveats that the network's
/// plausibility has for such a call.
void set_bound(CallTime& call, const Specification& specification, const Clusters& clusters,
               const Network& network);

} // namespace alltold
