// SPDX-License-Identifier: BSD-3-Clause
#include "simulate/times.hpp"


namespace alltold::simulate {
namespace {

template <typename Field>
auto sum_over(const Times& times, Field QueueLoad::*field) {
    Field sum = 0;
    for (const auto* queues : {&times.ports, &times.uplinks, &times.downlinks})
        for (const auto& queue : *queues)
            sum += queue.*field;
    return sum;
}

} // namespace

double Times::dropped_bytes() const {
    return sum_over(*this, &QueueLoad::dropped_bytes);
}

std::int64_t Times::messages_hit() const {
    return sum_over(*this, &QueueLoad::messages_hit);
}

} // namespace alltold::simulate
