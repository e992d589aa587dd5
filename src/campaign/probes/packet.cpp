// SPDX-License-Identifier: BSD-3-Clause
// The bytes that a full packet of MPI's TCP connections holds.
#include "campaign/probe.hpp"

#include "campaign/plan.hpp"
#include "campaign/probes/shared/pair.hpp"
#include "campaign/probes/shared/udp.hpp"
#include "core/units.hpp"

namespace alltold::campaign {
namespace {

/// Enough for MPI's own connection to be the busiest of the process.
constexpr std::uint64_t sent_bytes = 32 * ki;

/// One pair stands for all.
Result<std::vector<Point>> plan_packet(const Clusters& world, const Request&) {
    const auto pairs = choose_pairs(world);
    return pairs.empty() ? std::vector<Point>()
                         : std::vector{pair_point("packet", world, pairs.front(), sent_bytes)};
}

Status measure_packet(Context& context) {
    const auto& traffic = context.ranks.traffic();
    const auto& point = context.point();
    Burst burst(traffic, point.size_bytes, 1);
    return repeat_paired(context,
                         {[&]() -> Result<double> {
                              ALLTOLD_TRY_DONE(burst.send(point.second_rank));
                              ALLTOLD_TRY_DONE(traffic.receive({}, point.second_rank, tag_go));
                              return busiest_segment_bytes().value_or(0);
                          },
                          [&]() -> Status {
                              ALLTOLD_TRY_DONE(burst.receive(point.first_rank));
                              return traffic.send({}, point.first_rank, tag_go);
                          }});
}

} // namespace

std::vector<Probe> packet_probes() {
    return {
        // TCP's maximum segment size: the payload of a full packet on the connection that moved
        // most bytes of the first rank, as its kernel says. 1448 on Ethernet with its usual 1500
        // bytes, 8948 with jumbo frames of 9000, less in a tunnel. 0 where MPI uses no TCP.
        {.name = "packet",
         .kind = "links",
         .help = "bytes of payload of a full TCP packet",
         .plan = plan_packet,
         .measure = measure_packet,
         // The message and its answer; the sample is in bytes.
         .cost_s = [](const Point&, double) { return 10e-3; },
         .urgency = urgency_of_all<3>,
         .units = {{"packet", "B"}}},
    };
}

} // namespace alltold::campaign
