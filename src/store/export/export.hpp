// SPDX-License-Identifier: BSD-3-Clause
// Campaigns, schedules and networks for other tools: tables as CSV, schedules as GOAL, platforms
// for SimGrid.
#pragma once

#include "network/network.hpp"

namespace alltold {

inline constexpr std::string_view csv_header =
    "probe,algorithm,clusters,size_bytes,first_rank,second_rank,count,repetition,warmup,time_s,"
    "taken_unix_s,retransmitted,calls,mean_of_ranks";

/// csv_header, then one line per sample in the order of `points`; columns are those of the store.
/// `retransmitted` is empty where it is not known, `calls` and `mean_of_ranks` where a value is of
/// one call. Fields with commas or quotes are quoted (RFC 4180); numbers read back as the same
/// doubles.
std::string samples_csv(std::span<const PointSamples> points);

inline constexpr std::string_view goal_mark = "num_ranks";

/// One block per rank, its operations labelled l0, l1, ... Signals are messages of one byte, since
/// LogGOPSim has none of no bytes; copies and joins take no time.
std::string goal_text(std::span<const Schedule> schedules);

inline constexpr std::string_view simgrid_mark = "simgrid.dtd";

/// XML 4.1: hosts, "host-0" and so on, each with a full-duplex link of its own, clusters on their
/// backbone links, and the options with which SMPI uses these figures unscaled. SimGrid loses
/// no packets: queues are not in it. Fails without measured links, and where `clusters` are several
/// and there is no backbone.
Result<std::string> simgrid_platform(const Network& network, const Clusters& clusters);

/// The host of every rank, one a line, for smpirun -hostfile.
std::string simgrid_hosts(const Clusters& clusters);

} // namespace alltold
