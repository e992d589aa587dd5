// SPDX-License-Identifier: BSD-3-Clause
// Announces each repetition to the second rank.
#include "campaign/probes/shared/paired.hpp"

#include "campaign/engine/tags.hpp"
#include "campaign/engine/warm_up.hpp"

namespace alltold::campaign {
namespace {

/// First to second and back.
struct Go {
    int more = 0; ///< 0 ends the measurement
};

Result<Samples> repeat_as_first(Context& context, const Paired& parts) {
    const auto& traffic = context.ranks.traffic();
    const auto& clock = context.ranks.clock().local();
    const int second = context.point().second_rank;
    const double until_s = clock.now_s() + context.measurement.limit_s;
    Samples mine;
    WarmUp warm_up;
    int taken = 0;
    for (;;) {
        // Take one repetition after the warm-up even if the time is up.
        Go go{taken < context.measurement.repetitions && (taken < 1 || clock.now_s() < until_s)};
        if (auto sent = traffic.send(mpi::bytes_of(go), second, tag_go); !sent)
            return sent.error();
        if (!go.more)
            return mine;
        if (auto ready = traffic.receive(mpi::bytes_of(go), second, tag_go); !ready)
            return ready.error();
        const double started_s = clock.now_s();
        const auto value = parts.first();
        if (!value)
            return value.error();
        const bool warming = warm_up.holds(clock.now_s() - started_s, clock.now_s() > until_s);
        (warming ? mine.warm_up : mine.values).push_back(*value);
        taken += warming ? 0 : 1;
    }
}

Status repeat_as_second(Context& context, const Paired& parts) {
    const auto& traffic = context.ranks.traffic();
    const int first = context.point().first_rank;
    for (;;) {
        Go go;
        if (auto received = traffic.receive(mpi::bytes_of(go), first, tag_go); !received)
            return received;
        if (!go.more)
            return Done{};
        if (auto sent = traffic.send(mpi::bytes_of(go), first, tag_go); !sent)
            return sent;
        if (auto done = parts.second(); !done)
            return done;
    }
}

} // namespace

Status repeat_paired(Context& context, const Paired& parts) {
    Samples mine;
    if (context.rank() == context.point().first_rank) {
        auto repeated = repeat_as_first(context, parts);
        if (!repeated)
            return repeated.error();
        mine = std::move(*repeated);
    } else if (context.rank() == context.point().second_rank) {
        if (auto done = repeat_as_second(context, parts); !done)
            return done;
    }
    return report(context, context.point().first_rank, mine);
}

} // namespace alltold::campaign
