// SPDX-License-Identifier: BSD-3-Clause
// Intervals and estimates as text.
#pragma once

#include <functional>

#include "core/statistics.hpp"
#include "predict/choice/choice.hpp"

namespace alltold {

/// "1.2 .. 1.4 ms", "900 us .. 1.1 ms", "below 2 ms", or "-" where there is no interval.
std::string format_interval(const Estimate& time_s);

/// Whether a prediction says nothing: the ends of its interval are more than ten times apart.
bool says_nothing(const Estimate& time_s);

/// A predicted time, or "not known" if it says nothing.
std::string format_predicted(const Estimate& time_s);

/// The line that a table of predictions has below where it has a time that is not known.
inline constexpr const char* not_known_legend =
    "not known: the ends of the interval are more than 10 times apart\n";

/// "1.3 ms (1.2 .. 1.4 ms)", "1.3 ms (1.2 ms or more)" without an upper end, or without the
/// parentheses if the estimate is exact. `format` prints one end as number, blank, unit.
std::string format_estimate(const Estimate& estimate,
                            const std::function<std::string(double)>& format);

/// A measured time as a multiple of its lower bound: "1.04", not below "1.00"; "-" without a bound
/// and where the time contradicts it.
std::string format_over_bound(double time_s, double bound_s);
/// "1.2 ms"; "1.2 ms ?" where it is doubtful; "-" where it is not known.
std::string format_bound(double bound_s, bool doubtful);

/// "12 hosts", on several clusters "12 hosts (6+6)", with several ranks per host "24 ranks on 8
/// hosts (8x3)".
std::string hosts_text(const Clusters& clusters);

/// Name and version, "Open MPI v4.1.4", of what MPI_Get_library_version says.
std::string mpi_library_text(std::string_view version);

/// Names what a time rests on: "links, simulated", each of the two once.
std::string basis_text(const std::string& model, const std::string& method);

/// A choice in a table whose rows name the collective: "paced, 5600 B, window 3/2", "mpi".
std::string short_text(const Choice& choice);
/// The windows within and between clusters in a table: "4/6", "4" without the second, "-".
std::string windows_text(int window, int inter_cluster_window);

} // namespace alltold
