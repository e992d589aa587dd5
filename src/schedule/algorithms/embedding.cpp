// SPDX-License-Identifier: BSD-3-Clause
// Operations with ranks and regions moved.
#include "schedule/algorithms/embedding.hpp"

#include <vector>

namespace alltold {

Step embed(Builder& builder, const Schedule& inner, const Embedding& where, Step after) {
    const auto scratch = builder.scratch(inner.scratch_bytes());
    const auto moved = [&](const Region& region) {
        const auto& base = region.buffer == Buffer::send      ? where.send
                           : region.buffer == Buffer::receive ? where.receive
                                                              : scratch;
        return Region{base.buffer, base.offset_bytes + region.offset_bytes, region.size_bytes};
    };
    std::vector<Step> now;
    for (int step = 0; step < inner.size(); ++step) {
        auto operation = inner[step];
        operation.region = moved(operation.region);
        operation.target = moved(operation.target);
        operation.tag = -1; // counted anew in the whole
        if (operation.is_message())
            operation.peer += where.first_rank;
        std::vector<Step> earlier;
        for (const auto edge : inner.after(step))
            earlier.push_back(now[static_cast<std::size_t>(edge)]);
        if (earlier.empty())
            earlier.push_back(after);
        now.push_back(builder.append(operation, earlier));
    }
    if (now.size() <= 1)
        return now.empty() ? no_step : now.front();
    const auto all = builder.join();
    for (const auto step : now)
        builder.also_after(all, step);
    return all;
}

} // namespace alltold
