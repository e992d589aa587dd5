// SPDX-License-Identifier: BSD-3-Clause
// log2 n rounds in which ranks 2^k apart exchange all they have (Thakur, Rabenseifner and Gropp
// 2005).
#include "schedule/algorithms/folded.hpp"
#include "schedule/algorithms/gathered.hpp"

namespace alltold::allgather_recursive_doubling {
namespace {

/// The schedule of a rank for which the next one, `active`, exchanges.
Schedule folded_rank(const Task& task, const Gathered& gathered, int active) {
    Builder builder;
    builder.receive(gathered.blocks(0, task.rank), active);
    builder.receive(gathered.blocks(active, task.ranks - active), active);
    builder.send(gathered.own(), active);
    gathered.copy_own(builder);
    return std::move(builder).finish();
}

Schedule generate(const Task& task) {
    const Gathered gathered(task);
    const Folded folded(task.ranks);
    const int place = folded.place_of(task.rank), other = task.rank - 1;
    if (task.rank != folded.active(place))
        return folded_rank(task, gathered, folded.active(place));
    const auto of_places = [&](int first, int count) {
        const int from = folded.first(first);
        return gathered.blocks(from, folded.first(first + count) - from);
    };
    Builder builder;
    const auto own = gathered.copy_own(builder);
    Step sent = no_step, received = no_step;
    if (folded.has_two(place))
        received = builder.receive(gathered.blocks(other), other);
    for (int distance = 1; distance < folded.places(); distance *= 2) {
        const int ours = place & -distance, peer = folded.active(place ^ distance);
        const auto receiving =
            builder.receive(of_places(ours ^ distance, distance), peer, {sent, received});
        const bool alone = distance == 1 && !folded.has_two(place);
        sent = alone ? builder.send(gathered.own(), peer)
                     : builder.send(of_places(ours, distance), peer, {own, sent, received});
        received = receiving;
    }
    if (folded.has_two(place)) { // the other one has its own block
        builder.send(gathered.blocks(0, other), other, {sent, received});
        builder.send(gathered.blocks(task.rank, task.ranks - task.rank), other,
                     {own, sent, received});
    }
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "allgather.recursive_doubling",
    .wins = "short blocks and a power of two of ranks: log2 n messages each, and no copies",
    .generate = generate,
};

} // namespace alltold::allgather_recursive_doubling
