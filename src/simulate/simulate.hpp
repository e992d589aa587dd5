// SPDX-License-Identifier: BSD-3-Clause
// The simulator: the time of any schedule under a network model.
#pragma once

#include "network/cluster/cluster_model.hpp"
#include "network/plogp/plogp.hpp"
#include "simulate/event_graph.hpp"
#include "simulate/times.hpp"

namespace alltold::simulate {

// All ranks start at 0 unless the options say when. Fails, naming a rank and its operation, when
// operations wait for each other for ever. Time and memory grow with the operations (times the
// logarithm of the messages in flight at once).

/// Under pLogP, with contention only at the two ends of a message (see PLogPNetwork).
Result<Times> run(const EventGraph& graph, const PLogP& model, const Options& options = {});

/// Under TW99's cluster model, with what a switch buffer of B_L would lose (see ClusterNetwork);
/// copies take M_mtm.
Result<Times> run(const EventGraph& graph, const ClusterModel& model, const Options& options = {});

/// On links with rates, latencies and queues (see SwitchedNetwork). Without a backbone and with one
/// rank per host `clusters` is not used; else it must hold graph.ranks() ranks, and with several
/// ranks per host the links' memory must be known: the error says so.
Result<Times> run(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters,
                  const Options& options = {});

/// Whether some connection between clusters carries more than an idle one sends at once, in bytes
/// or in packets. Else connections take as long whether they are idle or were just used.
bool may_fill_windows(const EventGraph& graph, const LinkNetwork& links, const Clusters& clusters);

} // namespace alltold::simulate
