// SPDX-License-Identifier: BSD-3-Clause
// Looks through the schedules of all ranks for messages that wait for messages.
#include "preload/at_once.hpp"

#include <vector>

namespace alltold::preload {
namespace {

constexpr int most_ranks = 128;

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

} // namespace

Result<bool> posts_at_once(CommunicatorState& mine, const Shape& shape) {
    if (shape.collective == Collective::alltoallv || mine.caller().size > most_ranks)
        return false;
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

} // namespace alltold::preload
