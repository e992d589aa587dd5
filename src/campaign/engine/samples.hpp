// SPDX-License-Identifier: BSD-3-Clause
// The two usual kinds of measurement: one rank takes samples and reports them, or all ranks start
// at an agreed instant and rank 0 records each repetition; the first ones only warm up.
#pragma once

#include "campaign/engine/context.hpp"

namespace alltold::campaign {

/// One rank's part in a repetition.
struct Steps {
    std::function<Status()> run; ///< between the agreed instant and its finish
    /// This rank's own reading of the repetition just run, not negative; the largest of all counts.
    std::function<double()> reading = {};
    /// Rank 0 only: values of other points that the repetition gave as well.
    std::function<std::vector<std::pair<Point, double>>()> also = {};
    /// In place of `run`, where a repetition is a loop of so many calls.
    std::function<Status(int calls)> run_loop = {};
    /// After the finish, untimed: the first wrong byte.
    std::function<std::optional<WrongByte>()> check = {};
    /// The counter of this rank's host if this rank reads it; else null.
    const RetransmissionCounter* retransmissions = nullptr;
};

/// Once all ranks have finished and no repetition follows, each checks its buffers, and rank 0 gets
/// the first wrong byte. Not earlier: checking would take processor time from ranks still working.
/// Collective over the tree; one message up.
Result<Finish> check_all(Ranks& ranks, const Tree& tree, const Steps& steps);

/// Root of `tree`: sends its ranks the instant, runs `steps` with them, and returns the worst of
/// all. The repetition's time is its `finish_s` less the instant. Collective with follow_root.
Result<Timed> repeat_once(Ranks& ranks, const Tree& tree, double margin_s, const Steps& steps,
                          int calls = 1);
/// Root: no repetition follows for the ranks of `tree`.
Status end_repetitions(Ranks& ranks, const Tree& tree);
/// The other ranks: takes part in repetitions until the root ends them.
Status follow_root(Ranks& ranks, const Tree& tree, Watchdog& watchdog, const Steps& steps);

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
/// forwards messages. After a barrier the collective follows the instant after a while, and no
/// start is too late. Of a loop the sample is the time per call, and the warm-up a single call.
/// Collective over the participants; the messages are those of repeat_once and follow_root.
Status repeat(Context& context, const Steps& steps);

bool takes_part(const Context& context);
/// `repeat` of a participant outside the point; `by_reading`: the point's ranks take readings.
Status repeat_outside(Context& context, bool by_reading = false);

/// The first repetition, and the following ones while each is over a tenth quicker than the one
/// before, at most six: after a pause TCP starts with ten segments a round trip and doubles them,
/// so the first repetitions over a long path ramp up. They are recorded and marked.
class WarmUp {
  public:
    /// Whether the repetition that took `time_s` was a warm-up; always false after the last one. If
    /// the measurement is `out_of_time`, only the first counts as one.
    bool holds(double time_s, bool out_of_time) {
        const bool quicker = taken_ < most && time_s < 0.9 * last_s_;
        warming_ = warming_ && (taken_ == 0 || (quicker && !out_of_time));
        last_s_ = time_s;
        ++taken_;
        return warming_;
    }

  private:
    static constexpr int most = 6;
    bool warming_ = true;
    int taken_ = 0;
    double last_s_ = 0;
};

} // namespace alltold::campaign
