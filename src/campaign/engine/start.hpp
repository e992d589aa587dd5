// SPDX-License-Identifier: BSD-3-Clause
// Starting at an agreed instant: the margin the root leaves, and what a repetition reports.
#pragma once

#include <map>

#include "campaign/run/pattern.hpp"

namespace alltold::campaign {

/// Timers of this process fire within a microsecond instead of fifty, and its time slices are the
/// shortest there are (0.1 ms, Linux 6.12 and later): on a machine with more ranks than processors
/// a rank then waits microseconds for its turn, not milliseconds. Needs no privilege; where the
/// kernel does not know the request nothing changes. Threads started later inherit it.
void wake_promptly();

/// Sent down the tree before every repetition.
struct Start {
    double instant_s = 0; ///< time of rank 0
    bool stop = false;    ///< no repetition; the measurement is over
    int calls = 1;        ///< of the repetition, if it is a loop
};

/// Sent up the tree after every repetition; the worst values of all ranks below.
struct Finish {
    double finish_s = 0;      ///< last finish, time of rank 0
    double late_by_s = 0;     ///< how long after the instant the last rank started
    double slack_s = 0;       ///< from the last rank's notification to the instant
    double reading = 0;       ///< largest reading, where ranks take their own
    bool interrupted = false; ///< a rank got a signal
    int wrong_rank = -1;      ///< the lowest that has a wrong byte
    WrongByte wrong;
    /// TCP segments that the hosts retransmitted meanwhile, the sum of those that count them.
    std::uint64_t retransmitted = 0;
    bool counted = true; ///< every host that should count did

    void merge(const Finish& other);
};

/// One repetition by all ranks.
struct Timed {
    double instant_s = 0;
    Finish worst;
    double time_s() const { return worst.finish_s - instant_s; }
};

/// How far ahead the root sets the instant: far enough that every rank has been notified and waits,
/// and that the notifications have left the network. Adapts to the slack of the last rank.
class Margin {
  public:
    /// Starts at twice the longest known round trip and the time to wake the ranks, and is never
    /// below `least_round_trip_s` and that time.
    Margin(double round_trip_s, double least_round_trip_s);
    double now_s() const { return margin_s_; }
    /// Takes the slack of the last repetition: grows the margin if the slack was too small and
    /// shrinks it if it exceeded three times the need. A rank that was notified in time
    /// and still started late did not get its processor; no margin helps against that.
    void learn(double slack_s);

  private:
    double least_s_;
    double margin_s_;
};

/// A repetition tolerates lateness of this share of its time.
constexpr double negligible_share = 0.02;
/// A loop, whose filling may count as much: its ranks, at work, also delay each other's start.
constexpr double negligible_share_of_loop = 1. / 16;

/// The lateness that a repetition of `time_s` tolerates: `share` of it, or what clocks that agree
/// to `likely_s` cannot resolve.
double negligible_lateness_s(double time_s, double likely_s, double share = negligible_share);

/// How late a rank may start before the repetition is invalid: 0.1 ms at first. Ranks that share
/// processors may never start that promptly: every third late start in a row doubles the tolerance,
/// and eight good starts in a row halve it again. One for each group of ranks.
class StartTolerance {
  public:
    double tolerance_s() const { return tolerance_s_; }
    /// Whether the repetition was invalid: late by more than the tolerance and by more than
    /// `negligible_s`.
    bool judge(double late_by_s, double negligible_s);

  private:
    double tolerance_s_ = 100e-6;
    int late_in_a_row_ = 0;
    int good_in_a_row_ = 0;
};

/// Decides whether repetitions started in time. Rank 0 only.
class Starts {
  public:
    /// `round_trip_s` is the longest known, `likely_s` how well clocks agree.
    Starts(double round_trip_s, double likely_s)
        : margin_(round_trip_s, round_trip_s), margin_of_one_cluster_(round_trip_s, 0),
          likely_s_(likely_s) {}
    /// After a new comparison of clocks.
    void compared(double likely_s) { likely_s_ = likely_s; }
    /// How far ahead to set an instant, for participants in one cluster or in several.
    Margin& margin(bool one_cluster) { return one_cluster ? margin_of_one_cluster_ : margin_; }
    /// Whether the repetition is invalid, since one of the ranks of `clusters` started late;
    /// `share` as in negligible_lateness_s.
    bool was_late(const std::string& clusters, const Timed& timed, double share = negligible_share);

    /// Invalid repetitions and the latest of their starts since the last call.
    struct Late {
        int count = 0;
        double worst_s = 0;
    };
    Late take_late();
    /// The largest lateness that was accepted.
    double worst_tolerance_s() const { return worst_tolerance_s_; }

  private:
    Margin margin_;
    Margin margin_of_one_cluster_; ///< far less where clusters are distant
    double likely_s_;
    std::map<std::string, StartTolerance> tolerance_; ///< by the text of clusters
    Late late_;
    double worst_tolerance_s_ = 0;
};

} // namespace alltold::campaign
