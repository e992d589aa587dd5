// SPDX-License-Identifier: BSD-3-Clause
// The two usual ways of a measurement: a rank takes its samples by itself and reports them, or all
// ranks start at an agreed instant and rank 0 keeps each repetition.
#pragma once

#include <vector>

#include "campaign/engine/context.hpp"
#include "campaign/engine/repetition.hpp"

namespace alltold::campaign {

/// What one rank took by itself.
struct Samples {
    std::vector<double> warm_up;
    std::vector<double> values;
};

/// Brings the samples of world rank `reporter` to rank 0's recorder. To be called by every
/// participant once it is done; only the reporter's `mine` is read. Rank 0 waits asleep, so that it
/// takes no processor from those at work. At most 16 warm-ups beside the repetitions asked for.
/// Collective over the participants: one message.
Status report(Context& context, int reporter, const Samples& mine);

/// Repeats `steps` on the ranks of the point, each time from an agreed instant on, until enough was
/// taken or the time is up; every repetition is kept as it is taken, and taken again where a rank
/// started late, but for a verified one, of which rank 0 has to ask for another measurement. The
/// sample is last finish less that instant, or what `reading` says. A participant that is no rank
/// of the point only passes messages on. After anything but silence the collective comes some time
/// after the instant, and no start is too late. Collective over the participants; the messages of
/// lead and join_in.
Status repeat(Context& context, const Steps& steps);

} // namespace alltold::campaign
