// SPDX-License-Identifier: BSD-3-Clause
// The first page of a study: at most 40 lines of 100 columns, with a table of calls.
#pragma once

#include <ctime>

#include "campaign/study/study.hpp"

namespace alltold::campaign {

/// "alltold study: 12 hosts (6+6), Open MPI v4.1.4, 2026-11-22 07:36", local time.
std::string study_heading(const Provenance& here, std::time_t now);

/// Doubts about the measurements.
std::vector<std::string> study_warnings(const Provenance& here,
                                        const std::vector<std::string>& unknown);
/// Says that `late` repetitions began late and were repeated, if these are more than one in seven.
std::optional<std::string> late_warning(int late, double worst_late_s, std::size_t repetitions);
/// The path as it is printed: relative to the current folder if that is shorter.
std::string shown(const std::filesystem::path& path);

/// The network in a few lines, how good the predictions were and whether as precise as asked, what
/// to run on all hosts and what it gains, the options' advice, and what to type next.
std::string study_verdict(const std::string& heading, const Profile& profile,
                          const Validation& validation, const PreciseTargets& precise,
                          std::span<const ChosenCall> choices,
                          const std::vector<std::string>& warnings, const StudyOptions& options);

/// How many lines a text has that ends with one.
std::size_t lines_of(const std::string& text);
/// An algorithm, as a choice is written, without its collective and its parameters.
std::string short_name(const std::string& algorithm);
/// Whether one of ours runs and, as far as is known, gains from either start.
bool gains(const ChosenCall& call);

/// One note for each of the first `most` choices of the rules that are slower than the library's
/// own, which tables show instead, and how many more there are.
std::string losses_text(std::span<const ChosenCall> choices, std::size_t most);

/// The calls that gain, as many as make the text `most_lines` long, with what the columns are; then
/// the calls that get no row. A table has at least three rows if so many calls gain. Without
/// `most_lines` all calls, and the algorithms with their parameters.
std::string verdict_table(std::span<const ChosenCall> choices, StartMode start_mode,
                          std::optional<std::size_t> most_lines = {});

} // namespace alltold::campaign
