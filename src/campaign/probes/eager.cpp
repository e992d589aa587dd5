// SPDX-License-Identifier: BSD-3-Clause
// The largest message that is sent before its receive is posted.
#include "campaign/probe.hpp"

#include "campaign/plan.hpp"
#include "campaign/probes/shared/limit_search.hpp"
#include "campaign/probes/shared/pair.hpp"

namespace alltold::campaign {
namespace {

constexpr std::uint64_t largest_bytes = 4 << 20;
/// A send that is not complete this long after its message was seen waits for the receive.
constexpr double quick_s = 2e-3;
/// The limit where it has to be certain, besides twice the time the message itself took.
constexpr double thorough_s = 50e-3;
/// While none waits, no message above the second is tried that is expected to take longer than the
/// first.
constexpr double longest_message_s = 0.25;
constexpr std::uint64_t always_tried_bytes = 64 * 1024;

Result<std::vector<Point>> plan_eager(const Clusters& world, const Request&) {
    for (const auto& pair : choose_pairs(world))
        if (world.cluster_of(pair.first) == world.cluster_of(pair.second))
            return std::vector{pair_point("eager", world, pair, largest_bytes)};
    return std::vector<Point>();
}

/// The first rank's side.
class Sender {
  public:
    Sender(Context& context, PairEnd& end)
        : traffic_(context.ranks.traffic()), to_(context.point().second_rank), end_(end),
          message_(context.point().size_bytes) {}

    /// Whether a send of so many bytes completes without its receive; false where it would take too
    /// long to find out.
    Result<bool> completes(std::uint64_t size_bytes, bool thorough) {
        if (size_bytes > most_bytes_)
            return false;
        for (int tries = 0; tries < 2; ++tries) { // one message may take long by chance
            const double asked_s = end_.clock().now_s();
            ALLTOLD_TRY(complete, ask(size_bytes, thorough));
            one_waits_ = one_waits_ || !*complete;
            if (one_waits_ || size_bytes < always_tried_bytes ||
                2 * (end_.clock().now_s() - asked_s) <= longest_message_s)
                return complete;
        }
        most_bytes_ = size_bytes;
        return true;
    }

    /// The largest message that does not take too long, as far as is known.
    std::uint64_t most_bytes() const { return most_bytes_; }

  private:
    static constexpr double longest_nap_s = 100e-6;

    Result<bool> ask(std::uint64_t size_bytes, bool thorough) {
        ALLTOLD_TRY_DONE(end_.announce(static_cast<int>(size_bytes)));
        mpi::Requests sending, word;
        ALLTOLD_TRY_DONE(
            sending.send(traffic_, std::span(message_).first(size_bytes), to_, tag_pingpong));
        ALLTOLD_TRY_DONE(word.receive(traffic_, {}, to_, tag_ack));
        ALLTOLD_TRY(complete,
                    watch(sending, word, thorough ? thorough_s + 2 * transfer_s_ : quick_s));
        const double started_s = end_.clock().now_s();
        ALLTOLD_TRY_DONE(traffic_.send({}, to_, tag_go));
        ALLTOLD_TRY_DONE(sending.wait_napping(longest_nap_s));
        ALLTOLD_TRY_DONE(word.wait_napping(longest_nap_s));
        ALLTOLD_TRY_DONE(end_.receive_ack());
        transfer_s_ = end_.clock().now_s() - started_s;
        return complete;
    }

    /// Until the send is complete, or `patience_s` after the other rank has seen the message.
    Result<bool> watch(mpi::Requests& sending, mpi::Requests& word, double patience_s) const {
        std::optional<double> until_s;
        for (;;) {
            const auto complete = sending.test();
            if (!complete || *complete)
                return complete;
            if (until_s && end_.clock().now_s() > *until_s)
                return false;
            if (until_s)
                continue;
            ALLTOLD_TRY(seen, word.test());
            if (*seen)
                until_s = end_.clock().now_s() + patience_s;
        }
    }

    const mpi::ManagedCommunicator& traffic_;
    int to_;
    PairEnd& end_;
    std::vector<std::byte> message_;
    double transfer_s_ = 0;  ///< of the last message, from the permission to receive it
    bool one_waits_ = false; ///< a message was seen to wait for its receive: the limit is near
    std::uint64_t most_bytes_ = largest_bytes;
};

/// The second rank's side: stays inside MPI, but receives only once told to.
Status receive_late(const Context& context, PairEnd& end, std::span<std::byte> message) {
    const auto& traffic = context.ranks.traffic();
    const int from = context.point().first_rank;
    for (int seen = 0; seen == 0;)
        ALLTOLD_TRY_DONE(
            ALLTOLD_PMPI(Iprobe, from, tag_pingpong, traffic.handle(), &seen, MPI_STATUS_IGNORE));
    ALLTOLD_TRY_DONE(end.send_ack());
    ALLTOLD_TRY_DONE(traffic.receive({}, from, tag_go));
    ALLTOLD_TRY_DONE(traffic.receive(message, from, tag_pingpong));
    return end.send_ack();
}

Result<Samples> take(Context& context, PairEnd& end) {
    Sender sender(context, end);
    // The first message opens the connection.
    ALLTOLD_TRY_DONE(sender.completes(1, false));
    const double until_s = end.clock().now_s() + context.measurement.limit_s;
    Samples samples;
    std::optional<std::uint64_t> last;
    do {
        const auto found = largest_that_holds(
            [&](std::uint64_t size_bytes, bool thorough) {
                return sender.completes(size_bytes, thorough);
            },
            context.point().size_bytes, last);
        if (!found)
            return found.error();
        // Later searches only confirm the first, or find it wrong.
        const auto bytes = *found < sender.most_bytes() ? *found : context.point().size_bytes;
        (last ? samples.values : samples.warm_up).push_back(static_cast<double>(bytes));
        last = *found;
    } while (static_cast<int>(samples.values.size()) < context.measurement.repetitions &&
             (samples.values.empty() || end.clock().now_s() < until_s));
    return samples;
}

Status measure_eager(Context& context) {
    std::vector<std::byte> message;
    if (context.rank() == context.point().second_rank)
        message.resize(context.point().size_bytes);
    return measure_pair(
        context, [&](PairEnd& end) { return take(context, end); },
        [&](PairEnd& end, int size_bytes) {
            return receive_late(context, end,
                                std::span(message).first(static_cast<std::size_t>(size_bytes)));
        });
}

} // namespace

std::vector<Probe> eager_probes() {
    return {
        // The library's eager limit between two hosts of a cluster: the largest message whose send
        // completes while the receiver polls inside MPI and has not posted the receive. A longer
        // one is announced, and sent only when the receive is posted (rendezvous). Since the
        // receiver polls, full socket buffers do not end the search. Limits are found to the byte
        // up to 64 KiB and to a 64th above. Messages up to 4 MiB are tried, or to what the network
        // carries in about a quarter of a second; where none of them waits, the sample is the size
        // of the point.
        {.name = "eager",
         .kind = "p2p",
         .help = "bytes of the largest message that does not wait for its receive",
         .plan = plan_eager,
         .measure = measure_eager,
         // The first search; later ones take two messages.
         .cost_s = [](const Point&, double) { return 0.1; },
         .units = {{"eager", "B"}}},
    };
}

} // namespace alltold::campaign
