// SPDX-License-Identifier: BSD-3-Clause
// A validation as a table and as JSON, and which model predicts which algorithms best.
#pragma once

#include "report/validation.hpp"

namespace alltold {

/// Which points get a row. All count in the lines below the table.
enum class Rows { all, held_out };

/// The library's collectives: one row per point (measured, predicted, bound, error), then one line
/// each for held-out and fitted points. Empty if there are none.
std::string validation_table(const Validation& validation, Rows rows = Rows::all);
/// The same for alltold's algorithms, with a line for each collective.
std::string ours_table(const Validation& validation, Rows rows = Rows::all);
/// One "note: ..." per line.
std::string notes_of(const Validation& validation);

/// Number of points, median and worst error, and how many intervals contain the measurement.
nlohmann::ordered_json summary_to_json(const ErrorSummary& summary);

/// "held out: 11 of 12 inside the interval; error median 4.1 %, worst 11.8 % (n = 12, m = 64 KiB)",
/// without a newline; `what` is the part before the colon.
std::string summary_line(const ErrorSummary& summary, const std::string& what);
/// The same in the width of a page, with a newline.
std::string summary_text(const ErrorSummary& summary, const std::string& what);

/// {"points": [...], "held_out": {...}, "fitted": {...}, "ours": [...], "ours_errors": {"bcast":
/// {...}}, "notes": [...]}; times in seconds; an unknown end of an interval is null.
nlohmann::ordered_json validation_to_json(const Validation& validation);

/// A heading, then a table for calls on one cluster and one for those on several, as far as there
/// are some: a row per algorithm, a column per model; ends with a newline.
std::string algorithm_errors_table(const std::vector<AlgorithmErrors>& errors);

} // namespace alltold
