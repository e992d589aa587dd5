// SPDX-License-Identifier: BSD-3-Clause
// Looks through the schedules of all ranks for messages that wait for messages.
#include "preload/at_once.hpp"

#include <algorithm>
#include <vector>

namespace alltold::preload {
namespace {

constexpr int most_ranks = 128;
constexpr std::size_t most_kept = 1024;

bool waits_for_messages(const Program& program) {
    std::vector<char> late(static_cast<std::size_t>(program.size()));
    for (int i = 0; i < program.size(); ++i) { // what an operation waits for stands before it
        const bool is_message = program[i].is_message();
        if (is_message && late[static_cast<std::size_t>(i)])
            return true;
        for (const auto next : program.next(i))
            if (is_message || late[static_cast<std::size_t>(i)])
                late[static_cast<std::size_t>(next)] = 1;
    }
    return false;
}

Result<bool> looked_through(CommunicatorState& mine, Shape shape) {
    const bool rooted = traits_of(shape.collective).rooted;
    if (const auto order = mine.order(); rooted && !order.empty()) // as Call::reorder
        shape.root = static_cast<int>(std::ranges::find(order, shape.root) - order.begin());
    auto recipe = mine.recipe_for(shape);
    if (!recipe)
        return recipe.error();
    for (recipe->rank = 0; recipe->rank < recipe->ranks; ++recipe->rank) {
        const auto program = recipe->program_for(shape);
        if (!program)
            return program.error();
        if (waits_for_messages(**program))
            return false;
    }
    return true;
}

} // namespace

Result<bool> AtOnce::possible(CommunicatorState& mine, const Shape& shape) {
    if (shape.collective == Collective::alltoallv || mine.caller().size > most_ranks)
        return false;
    const auto& [unit_bytes, commutative] = shape.reduction;
    const Key key{shape.collective, shape.size_bytes, shape.root, unit_bytes, commutative};
    if (const auto known = known_.find(key); known != known_.end())
        return known->second;
    auto possible = looked_through(mine, shape);
    if (possible && known_.size() < most_kept)
        known_.emplace(key, *possible);
    return possible;
}

} // namespace alltold::preload
