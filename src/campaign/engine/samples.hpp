// SPDX-License-Identifier: BSD-3-Clause
// The two usual kinds of measurement: one rank takes samples and reports them, or all ranks start
// at an agreed instant and rank 0 records each repetition.
#pragma once

#include <vector>

#include "campaign/engine/context.hpp"
#include "campaign/engine/repetition.hpp"

namespace alltold::campaign {

/// The samples of one rank.
struct Samples {
    std::vector<double> warm_up;
    std::vector<double> values;
};

/// Sends the samples of world rank `reporter` to rank 0's recorder. Every participant calls it when
/// done; only the reporter's `mine` is read. Rank 0 sleeps while it waits and takes no processor
/// from the working ranks. At most 16 warm-ups in addition to the requested repetitions. Collective
/// over the participants: one message.
Status report(Context& context, int reporter, const Samples& mine);

/// Repeats `steps` on the ranks of the point, each time from an agreed instant, until there are
/// enough samples or the time is up. Records every repetition at once and repeats it if a rank
/// started late; for a verified repetition, rank 0 must ask for another measurement instead. The
/// sample is the last finish less the instant, or `reading`. A participant outside the point only
/// forwards messages. In start modes other than silence the collective follows the instant after a
/// while, and no start is too late. Collective over the participants; the messages are those of
/// repeat_once and follow_root.
Status repeat(Context& context, const Steps& steps);

/// Whether this rank is one of the point's.
bool takes_part(const Context& context);
/// `repeat` of a participant outside the point; `by_reading`: the point's ranks take readings.
Status repeat_outside(Context& context, bool by_reading = false);

} // namespace alltold::campaign
