// SPDX-License-Identifier: BSD-3-Clause
// The table of a study's verdict: what to run on all hosts, and what it gains.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "campaign/study/choices.hpp"
#include "network/collective_probe.hpp"

namespace alltold::campaign {

/// How many lines a text has that ends with one.
std::size_t lines_of(const std::string& text);
/// An algorithm, as a choice is written, without its collective and its parameters.
std::string short_name(const std::string& algorithm);
/// Whether one of ours runs and, as far as is known, gains from either start.
bool gains(const ChosenCall& call);

/// The calls that gain, as many as make the text `most_lines` long, with what the columns are; then
/// the calls that get no row. A table has at least three rows if so many calls gain.
std::string verdict_table(std::span<const ChosenCall> choices, StartMode start_mode,
                          std::size_t most_lines);

} // namespace alltold::campaign
