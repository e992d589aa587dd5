// SPDX-License-Identifier: BSD-3-Clause
// The round-optimal pipeline: k segments in k - 1 + ceil(log2 n) rounds (Traeff 2022).
#include "schedule/algorithms/circulant.hpp"
#include "schedule/algorithms/ring.hpp"

namespace alltold::bcast_circulant {
namespace {

Schedule generate(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    const Segments segments({Buffer::receive, 0, task.size_bytes}, task.parameters.segment_bytes);
    const auto rounds = circulant_rounds(place, task.ranks, segments.count());
    Builder builder(2 * rounds.size());
    std::vector<Step> here(static_cast<std::size_t>(segments.count()), no_step);
    add_rounds(
        builder, rounds, place, segments, here, [&](int other) { return ring.rank_at(other); },
        [](std::int64_t, Step) {});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "bcast.circulant",
    .wins = "many ranks and latency short beside the time of a segment: a pipeline of the fewest "
            "rounds",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .segments_diverge = true,
};

} // namespace alltold::bcast_circulant
