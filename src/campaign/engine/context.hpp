// SPDX-License-Identifier: BSD-3-Clause
// Everything a probe needs to take part in one measurement.
#pragma once

#include "campaign/engine/ranks.hpp"
#include "campaign/engine/start.hpp"

namespace alltold::campaign {

/// One value that a probe took.
struct Observation {
    double value = 0; ///< seconds, or what the probe's row says

    bool warm_up = false;
    int repetition = -1; ///< the store's number for it
    int wrong_rank = -1; ///< the rank that has a wrong byte, if any
    WrongByte wrong = {};
    int calls = 1; ///< of the repetition; over one in a loop, whose value is the time of each
    std::optional<Point> of = {}; ///< whose value it is, if not the point's that is measured
    /// TCP segments that the hosts retransmitted during the repetition; empty: not known.
    std::optional<std::uint64_t> retransmitted = {};
};

/// Rank 0's side of a measurement: records samples and controls how ranks start together.
struct Recorder {
    std::function<Status(Observation)> keep;
    Starts& starts;
    /// How long a call took in the last loop of a point, by its text; 0: not known.
    std::map<std::string, double>& call_s;
    bool interrupted = false; ///< to be set when a rank got a signal
    /// For a traced measurement.
    std::vector<std::vector<TracedOperation>> trace = {};
};

/// One rank's side of one measurement.
struct Context {
    Ranks& ranks;
    Watchdog& watchdog;
    const Measurement& measurement;
    Recorder* recorder = nullptr; ///< rank 0 only

    int rank() const { return ranks.rank(); }
    const Point& point() const { return measurement.point; }
    /// Rank 0 and the ranks of the point.
    const Tree& participants() const { return ranks.participants(measurement.point); }
    /// Whether they are all in rank 0's cluster; they are in the order of ranks.
    bool in_one_cluster() const {
        const auto& world = ranks.clusters();
        return world.cluster_of(0) == world.cluster_of(participants().members().back());
    }
};

/// The tags of all messages on the control communicator; no two are equal.
enum Tag : int {
    tag_clock_turn = 1,
    tag_clock_ask,
    tag_clock_answer,
    tag_clock_report,
    tag_order,    ///< down a tree: what to do next
    tag_subset,   ///< while a communicator of some ranks is made
    tag_start,    ///< down a tree: when the next repetition starts
    tag_report,   ///< up a tree: how the repetition went
    tag_stop,     ///< any rank to the root: it received a signal
    tag_go,       ///< within a pair: length of the next round
    tag_ack,      ///< within a pair: ready, or arrived
    tag_pingpong, ///< within a pair: the messages measured
    tag_times,    ///< from the reporting rank to the root
};

} // namespace alltold::campaign
