// SPDX-License-Identifier: BSD-3-Clause
// Both ends of the round trips.
#include "campaign/probes/shared/least_trip.hpp"

#include <algorithm>
#include <vector>

#include "campaign/engine/clock.hpp"

namespace alltold::campaign {

Result<double> least_trip_s(const mpi::ManagedCommunicator& over, int with, int tag,
                            const RoundTrips& trips) {
    std::vector<std::byte> there(trips.there_bytes);
    std::byte back{};
    double least_s = 0;
    const double started_s = Clock::true_now_s();
    for (int trip = 1;; ++trip) {
        const double sent_s = Clock::true_now_s();
        const bool last =
            trip == trips.most || (trip >= trips.least && sent_s - started_s > trips.enough_s);
        there.front() = std::byte{last};
        if (auto sent = over.send(there, with, tag); !sent)
            return sent.error();
        if (auto got = over.receive(mpi::bytes_of(back), with, tag); !got)
            return got.error();
        const double trip_s = Clock::true_now_s() - sent_s;
        least_s = trip == 1 ? trip_s : std::min(least_s, trip_s);
        if (last)
            return least_s;
    }
}

Status answer_trips(const mpi::ManagedCommunicator& over, int with, int tag,
                    const RoundTrips& trips) {
    std::vector<std::byte> there(trips.there_bytes);
    for (bool last = false; !last;) {
        if (auto got = over.receive(there, with, tag); !got)
            return got;
        last = there.front() != std::byte{};
        if (auto sent = over.send(std::span(there).first(1), with, tag); !sent)
            return sent;
    }
    return Done{};
}

} // namespace alltold::campaign
