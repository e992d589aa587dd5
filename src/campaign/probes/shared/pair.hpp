// SPDX-License-Identifier: BSD-3-Clause
// Rounds, repetitions and bursts of messages between two ranks, shared by all probes of a pair.
#pragma once

#include "campaign/engine/samples.hpp"
#include "runtime/mpi/requests.hpp"

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
    Status send_ack();
    Status receive_ack();

    /// First rank: announces a round of `length` (above 0) and waits until the second is ready.
    Status announce(int length);
    /// Sends as well, but an answer will come that receive_ack takes after the round.
    Status announce_only(int length);
    /// First rank: announces that no round follows.
    Status end();
    /// First rank: sends 4 MiB to the second, or less if that takes 0.25 s, once per session. The
    /// kernel grows a connection's buffers while data flows and never shrinks them, and the time of
    /// a send call depends on their size.
    Status grow_buffers();
    /// Second rank: runs `round` for each announcement until the first rank calls end.
    Status follow(const std::function<Status(int length)>& round);

  private:
    Status receive_growth();
    Ranks& ranks_;
    int other_;
    std::vector<std::byte> message_;
};

/// A measurement of a pair: the first rank of the point runs `take`, which announces rounds; the
/// second follows with `round`; the samples come to rank 0's recorder. Collective over the
/// participants.
Status measure_pair(Context& context, const std::function<Result<Samples>(PairEnd&)>& take,
                    const std::function<Status(PairEnd&, int length)>& round);

/// The parts of a point's two ranks in one repetition.
struct Paired {
    std::function<Result<double>()> first; ///< gives the sample
    std::function<Status()> second;
};

/// Repeats `parts` between the first and the second rank of the point, warm-ups first, until there
/// are enough samples or the time is up, and reports them to rank 0. Before each repetition the
/// ranks exchange a message, so that both begin within a message's time of each other. Collective
/// over the participants.
Status repeat_paired(Context& context, const Paired& parts);

/// `count` messages of `size_bytes` from one rank to another, all posted before any is waited for:
/// the handshakes of large messages in some libraries then overlap instead of adding up. Sleeps
/// while waiting and leaves the processor to working ranks.
class Burst {
  public:
    Burst(const mpi::ManagedCommunicator& over, std::size_t size_bytes, int count)
        : over_(over), size_bytes_(size_bytes), count_(count),
          bytes_(size_bytes * static_cast<std::size_t>(count)) {}
    Status send(int target);
    /// Returns when all have arrived.
    Status receive(int source);

  private:
    std::span<std::byte> message(int i) {
        return std::span(bytes_).subspan(static_cast<std::size_t>(i) * size_bytes_, size_bytes_);
    }

    const mpi::ManagedCommunicator& over_;
    std::size_t size_bytes_;
    int count_;
    std::vector<std::byte> bytes_;
};

} // namespace alltold::campaign
