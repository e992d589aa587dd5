// SPDX-License-Identifier: BSD-3-Clause
// Gathers floods by length.
#include "network/links/length_floods.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "network/links/port_fit.hpp"

namespace alltold {

Result<LengthFloods> fit_length_floods(const Fitting& fitting, const char* probe,
                                       const char* what) {
    const auto points = fitting.sampled(probe);
    // The largest group of hosts; floods of other groups are not comparable.
    int most = 0;
    for (const auto* samples : points)
        most = std::max(most, samples->point.n());
    std::vector<Flood> floods;
    LengthFloods queue;
    for (const auto* samples : points) {
        const Point& point = samples->point;
        if (point.n() != most)
            continue;
        queue.senders = point.clusters.count() == 1 ? point.n() - 1 : point.clusters.size(0);
        auto shares = samples->series().times_s;
        if (shares.size() >= fewest_repetitions)
            floods.push_back({static_cast<double>(point.count) * queue.senders, std::move(shares)});
    }
    if (floods.empty())
        return refused(fmt::format("{}: no floods were measured", what));
    auto fit = fit_buffer(floods, what, fitting.seed);
    if (!fit)
        return fit.error();
    queue.fit = *fit;
    queue.bytes = fit->packets.value * flood_packet_bytes;
    return queue;
}

} // namespace alltold
