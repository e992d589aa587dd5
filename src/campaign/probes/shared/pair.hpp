// SPDX-License-Identifier: BSD-3-Clause
// Two ranks that play rounds with each other: what all probes of a pair share.
#pragma once

#include <functional>
#include <vector>

#include "campaign/engine/samples.hpp"

namespace alltold::campaign {

/// One end of a pair, with the message of m bytes it sends and receives.
class PairEnd {
  public:
    /// This rank must be one of the point's two.
    explicit PairEnd(const Context& context);

    const Clock& clock() const { return ranks_.clock().local(); }
    Status send();
    Status receive();
    /// A message of no bytes.
    Status send_sign();
    Status receive_sign();

    /// First: tells the second that a round of `length` (above 0) follows and waits until it is
    /// ready for it.
    Status announce(int length);
    /// First: no round follows.
    Status end();
    /// First: where it has not done so in this session, sends 4 MiB to the other. The kernel grows
    /// a connection's buffers while data flows and never takes that back, and what a send call
    /// takes depends on it.
    Status widen();
    /// Second: plays `round` whenever one is announced, until the first ends it.
    Status follow(const std::function<Status(int length)>& round);

  private:
    Status be_widened();
    Ranks& ranks_;
    int other_;
    std::vector<std::byte> message_;
};

/// A measurement of a pair: the first rank of the point runs `take`, which announces rounds; the
/// second follows with `round`; the samples come to rank 0's recorder. Collective over the
/// participants.
Status measure_pair(Context& context, const std::function<Result<Samples>(PairEnd&)>& take,
                    const std::function<Status(PairEnd&, int length)>& round);

} // namespace alltold::campaign
