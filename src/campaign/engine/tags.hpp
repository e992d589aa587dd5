// SPDX-License-Identifier: BSD-3-Clause
// The tags of all messages on the control communicator; no two are equal.
#pragma once

namespace alltold::campaign {

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
