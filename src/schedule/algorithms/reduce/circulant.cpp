// SPDX-License-Identifier: BSD-3-Clause
// The round-optimal pipeline: the circulant broadcast backwards, k segments in k - 1 + ceil(log2 n)
// rounds (Traeff 2024).
#include <bit>

#include "schedule/algorithms/circulant.hpp"
#include "schedule/algorithms/ring.hpp"

namespace alltold::reduce_circulant {
namespace {

/// A send of one round waits for what was received this many runs through all skips before. A
/// broadcast is paced by its root; here all ranks could send most segments at once, and would meet
/// at ports and fill them with segments that are needed last.
constexpr std::size_t runs_ahead = 2;

/// The value of one segment combined so far.
struct Partial {
    Region region;
    Step ready = no_step;
};

Schedule generate(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    const auto segments_of = [&](Buffer buffer) {
        return Segments({buffer, 0, task.size_bytes}, task.parameters.segment_bytes,
                        task.reduction.unit_bytes);
    };
    const auto own = segments_of(Buffer::send), result = segments_of(Buffer::receive);
    const auto rounds = circulant_rounds(place, task.ranks, own.count());
    Builder builder(3 * rounds.size() + 1);
    if (task.ranks == 1)
        builder.copy({Buffer::send, 0, task.size_bytes}, {Buffer::receive, 0, task.size_bytes});

    std::vector<Partial> partials;
    std::vector<int> to_come; // of each segment
    for (std::int64_t k = 0; k < own.count(); ++k)
        partials.push_back({own.at(k)}), to_come.push_back(0);
    for (const auto& round : rounds)
        if (round.to > 0)
            ++to_come[static_cast<std::size_t>(round.sent)];
    const auto ahead = runs_ahead * std::bit_width(static_cast<unsigned>(task.ranks) - 1U);
    std::vector<Step> received; // up to each round
    for (auto round = rounds.rbegin(); round != rounds.rend(); ++round) {
        const auto number = received.size();
        received.push_back(number > 0 ? received.back() : no_step);
        if (round->from >= 0 && place != 0) {
            const auto& partial = partials[static_cast<std::size_t>(round->received)];
            builder.send(partial.region, ring.rank_at(round->from),
                         {partial.ready, number < ahead ? no_step : received[number - ahead]});
        }
        if (round->to <= 0) // the root needs nothing back in the broadcast
            continue;
        auto& [region, ready] = partials[static_cast<std::size_t>(round->sent)];
        const bool last = --to_come[static_cast<std::size_t>(round->sent)] == 0;
        const auto into =
            place == 0 && last ? result.at(round->sent) : builder.scratch(region.size_bytes);
        received.back() = builder.receive(into, ring.rank_at(round->to));
        ready = builder.combine(region, into, {received.back(), ready});
        region = into;
    }
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "reduce.circulant",
    .wins = "many ranks and latency short beside the time of a segment: a pipeline of the fewest "
            "rounds",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .segments_diverge = true,
};

} // namespace alltold::reduce_circulant
