// SPDX-License-Identifier: BSD-3-Clause
// The round-optimal pipeline: k segments in k - 1 + ceil(log2 n) rounds (Traeff 2022).
#include <vector>

#include "algorithms/circulant.hpp"
#include "algorithms/parts.hpp"
#include "algorithms/ring.hpp"

namespace alltold {
namespace {

// Rounds say who sends what to whom, but not when: a segment goes on as soon as it is here. Were
// rounds kept in step, every one of them would take a latency.
Schedule generate(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    const Ring ring(task);
    const Parts parts({Buffer::receive, 0, task.size_bytes}, task.parameters.segment_bytes);
    const auto rounds = circulant_rounds(ring.place_of(task.rank), task.ranks, parts.count());
    Builder builder(2 * rounds.size());
    std::vector<Step> here(static_cast<std::size_t>(parts.count()), no_step);
    for (const auto& round : rounds) {
        if (round.to >= 0)
            builder.send(parts.at(round.sent), ring.rank_at(round.to),
                         {here[static_cast<std::size_t>(round.sent)]});
        if (round.from >= 0)
            here[static_cast<std::size_t>(round.received)] =
                builder.receive(parts.at(round.received), ring.rank_at(round.from));
    }
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm bcast_circulant{
    .name = "bcast.circulant",
    .collective = Collective::bcast,
    .wins =
        "many ranks and latencies short beside a segment: the fewest rounds a pipeline can have",
    .generate = generate,
    .segment = Algorithm::Use::must,
};

} // namespace alltold
