// SPDX-License-Identifier: BSD-3-Clause
// Starting at an agreed instant: the margin the root leaves, and what a repetition reports.
#pragma once

#include <map>
#include <string>

#include "campaign/run/pattern.hpp"

namespace alltold::campaign {

/// Down the tree before every repetition.
struct Start {
    double instant_s = 0; ///< time of rank 0
    bool stop = false;    ///< no repetition; the measurement is over
};

/// Up the tree after every repetition, the worst of all ranks below.
struct Finish {
    double finish_s = 0;      ///< last finish, time of rank 0
    double late_by_s = 0;     ///< how long after the instant the last rank started
    double slack_s = 0;       ///< how long before the instant the last rank was told
    double reading = 0;       ///< largest reading, where ranks take their own
    bool interrupted = false; ///< a rank got a signal
    int wrong_rank = -1;      ///< the lowest that has a wrong byte
    WrongByte wrong;

    void merge(const Finish& other);
};

/// One repetition by all ranks.
struct Timed {
    double instant_s = 0;
    Finish worst;
    double time_s() const { return worst.finish_s - instant_s; }
};

/// How far ahead the root puts the instant: far enough that everyone is told, waiting and the
/// telling has left the network; learned from how late the last rank was told.
class Margin {
  public:
    /// Starts at the longest round trip known plus what it takes to wake the ranks.
    explicit Margin(double round_trip_s);
    double now_s() const { return margin_s_; }
    /// The slack of the repetition just done: grown at once when too little, shrunk slowly when
    /// more than thrice what was needed. A rank that was told in time and still started late was
    /// kept from its processor; no margin helps against that.
    void learn(double slack_s);

  private:
    double least_s_;
    double margin_s_;
};

/// A start late by less than this does a repetition of `time_s` no harm: a fiftieth of it, or what
/// clocks that agree to `likely_s` cannot tell.
double negligible_lateness_s(double time_s, double likely_s);

/// How late a rank may start before the repetition is invalid: 0.1 ms at first. Where ranks share
/// processors some cannot do that however often they try: every third late start in a row doubles
/// it, eight good ones in a row halve it again. One for each group of ranks.
class StartTolerance {
  public:
    double tolerance_s() const { return tolerance_s_; }
    /// Whether the repetition was invalid: late by more than the tolerance and by more than
    /// `negligible_s`, which is what the start need not be better than.
    bool judge(double late_by_s, double negligible_s);

  private:
    double tolerance_s_ = 100e-6;
    int late_in_a_row_ = 0;
    int good_in_a_row_ = 0;
};

/// Judges repetitions that began at an agreed instant. Lives on rank 0.
class Starts {
  public:
    /// `round_trip_s` is the longest known, `likely_s` how well clocks agree.
    Starts(double round_trip_s, double likely_s) : margin_(round_trip_s), likely_s_(likely_s) {}
    /// After a new comparison of clocks.
    void compared(double likely_s) { likely_s_ = likely_s; }
    /// How far ahead to put the next instant.
    double margin_s() const { return margin_.now_s(); }
    /// After every repetition.
    void learn(const Timed& timed) { margin_.learn(timed.worst.slack_s); }
    /// Whether the repetition is invalid, since one of the ranks of `clusters` started late.
    bool was_late(const std::string& clusters, const Timed& timed);

    /// Repetitions invalid and the latest of their starts, since the last call.
    struct Late {
        int count = 0;
        double worst_s = 0;
    };
    Late take_late();
    /// The largest lateness that was accepted.
    double worst_tolerance_s() const { return worst_tolerance_s_; }

  private:
    Margin margin_;
    double likely_s_;
    std::map<std::string, StartTolerance> tolerance_; ///< by the text of clusters
    Late late_;
    double worst_tolerance_s_ = 0;
};

} // namespace alltold::campaign
