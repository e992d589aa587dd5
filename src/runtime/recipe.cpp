// SPDX-License-Identifier: BSD-3-Clause
// Programs from an algorithm and the shape of a call.
#include "runtime/recipe.hpp"

#include <fmt/format.h>

#include "schedule/algorithms/work.hpp"

namespace alltold {

Task Recipe::task_of(const Shape& shape) const {
    return {shape.collective,
            rank,
            ranks,
            shape.root,
            shape.size_bytes,
            shape.collective == Collective::alltoallv ? &shape.shares : nullptr,
            choice.parameters,
            shape.reduction};
}

Status Recipe::accepts_call(const Shape& shape) const {
    const int root = choice.algorithm->rooted() ? shape.root : -1;
    return accepts(*choice.algorithm, shape.collective, ranks, root, choice.parameters,
                   shape.reduction);
}

Result<std::shared_ptr<const Program>> Recipe::program_for(const Shape& shape) const {
    if (const auto ok = accepts_call(shape); !ok)
        return ok.error();
    // A small segment of a long message makes more operations than memory holds.
    const auto task = task_of(shape);
    if (choice.parameters.segment_bytes > 0)
        if (auto able = check_work(*choice.algorithm, task, to_run); !able)
            return able.error();
    auto program = std::make_shared<const Program>(choice.algorithm->generate(task));
    if (program->highest_tag() >= tags)
        return bad_input(fmt::format("{} messages between two ranks in one call; MPI's tags allow "
                                     "{}: use larger segments",
                                     program->highest_tag() + 1, tags));
    return routes ? std::make_shared<const Program>(routed(program->schedule(), *routes, rank))
                  : program;
}

Result<std::shared_ptr<const SizeExchangeProgram>>
Recipe::size_exchange_before(const Shape& shape) const {
    if (const auto ok = accepts_call(shape); !ok)
        return ok.error();
    auto size_exchange = size_exchange_of(*choice.algorithm, task_of(shape));
    if (routes)
        size_exchange.schedule = routed(size_exchange.schedule, *routes, rank);
    return std::make_shared<const SizeExchangeProgram>(std::move(size_exchange));
}

} // namespace alltold
