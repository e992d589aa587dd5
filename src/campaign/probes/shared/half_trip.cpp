// SPDX-License-Identifier: BSD-3-Clause
// The ball goes back and forth.
#include "campaign/probes/shared/half_trip.hpp"

#include "campaign/engine/tags.hpp"

namespace alltold::campaign {

Result<double> half_trip_with(const Context& context, int other, bool first,
                              std::span<std::byte> ball, int trips) {
    const auto& traffic = context.ranks.traffic();
    const double started_s = Clock::true_now_s();
    for (int i = 0; i < 2 * trips; ++i) {
        const bool throws = (i % 2 == 0) == first;
        const auto done = throws ? traffic.send(ball, other, tag_pingpong)
                                 : traffic.receive(ball, other, tag_pingpong);
        if (!done)
            return done.error();
    }
    return (Clock::true_now_s() - started_s) / (2 * trips);
}

} // namespace alltold::campaign
