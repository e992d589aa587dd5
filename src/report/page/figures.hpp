// SPDX-License-Identifier: BSD-3-Clause
// The figures of the page, each a pure function of the campaign and its profile, and the whole page
// as one JSON document.
#pragma once

#include "report/diff/campaign_diff.hpp"
#include "report/validation.hpp"

namespace alltold {

/// One call: the collective, its ranks and its size.
struct PageCall {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
};

/// A campaign and what follows from it. Refers to values of the caller.
struct PageInput {
    std::string campaign; ///< its file, as the user names it
    std::string profile;  ///< the profile's file, for the command to type next; empty if none
    const Profile& fitted;
    std::span<const PointSamples> measured;
    const Validation& validation;          ///< predictions of the measured calls
    const std::vector<std::string>& notes; ///< the campaign's log
    std::string before = {};               ///< an earlier campaign; empty if none
    const CampaignDiff* since = nullptr;   ///< what changed since then; null if none
    std::string command = "alltold";       ///< how the user calls this program
    std::optional<PageCall> headline = {}; ///< what the first sentence is about; empty: best_gain
    /// The network that predicted the calls of `validation`; null: that of `fitted`.
    const Network* predicting = nullptr;
    /// Lines that set up the MPI library, and after "# " why; may be empty.
    std::string settings = {};
};

/// One call: the collective, what its repetitions follow, its ranks and its size.
struct CallTimes {
    Collective collective = Collective::bcast;
    std::optional<StartMode> start_mode = {}; ///< as ValidatedPoint's
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    double bound_s = 0; ///< 0: not known
    /// It is doubtful, since measured times are below bounds; bound_s is 0.
    bool bound_wrong = false;
    const ValidatedPoint* library = nullptr; ///< null: not measured
    const ValidatedPoint* ours = nullptr;    ///< our quickest that was measured; null: none

    /// The library's median over that of ours; 0 where one is missing.
    double gain() const {
        return library && ours ? library->measured_s.value / ours->measured_s.value : 0;
    }
};

/// Every call of which some time was measured, by collective, start, number of ranks and size.
std::vector<CallTimes> call_times(const PageInput& input);

/// Time over bound, at least 1, since bounds are known to a few percent only; 0 where the bound is
/// not known.
double over_bound(const Estimate& time_s, double bound_s);

/// The call with the largest gain over the library among those from the usual start on the most
/// ranks whose medians have three repetitions or more; null if none gains 5 %.
const CallTimes* best_gain(std::span<const CallTimes> calls);

/// A column of a figure's table. Numbers are in SI units; the page shows them with the unit.
struct Column {
    std::string key;       ///< of the CSV file, with the unit: "time_s"
    std::string title;     ///< "time"
    std::string unit = {}; ///< "s", "B", "ratio", "share"; empty: text or a count
};

/// A chart, or a table alone, as the page receives it.
struct Figure {
    std::string id = {};    ///< unique on the page
    std::string chart = {}; ///< the drawing in web/src/charts.js; empty: a table alone
    std::string title = {};
    std::string text = {};            ///< what it shows, also for those who cannot see it
    std::vector<Column> columns = {}; ///< of `rows`
    /// Arrays of numbers, strings, booleans and nulls (not known), in the order of the columns.
    std::vector<nlohmann::ordered_json> rows = {};
    std::vector<std::string> filters = {}; ///< keys of columns whose value the reader selects
    std::string missing = {};              ///< without rows: why
    std::string svg = {};                  ///< a picture made already
};

nlohmann::ordered_json to_json(const Figure& figure);

/// null where JSON has no such number: infinite and unknown ones.
nlohmann::ordered_json number_or_null(double value);
/// Value, low and high.
void append(nlohmann::ordered_json& row, const Estimate& estimate);

/// Time over bound against size, for the library and the best of ours. `usual`: what calls without
/// a start mode of their own follow.
Figure over_bound_figure(std::span<const CallTimes> calls, StartMode usual);

/// TCP segments retransmitted in the calls of that figure.
Figure retransmitted_figure(const Figure& over_bound);

/// The library's all-to-all within one cluster, as SMT07's figures 1 to 4: times and models, time
/// over the uncongested one, and the errors of the models against m and against n.
std::vector<Figure> signature_figures(const PageInput& input);

/// The rules' choices over n and m, and the predicted gain over the library.
Figure winner_map(const PageInput& input);
/// The calls whose rules that shows.
std::vector<Clusters> winner_map_calls(const Clusters& hosts);

/// Every algorithm's measured and predicted times, against size and against ranks, and the errors
/// of each model.
std::vector<Figure> algorithm_figures(const PageInput& input);

/// Latencies between hosts in the order of clusters.
Figure latency_matrix(const PageInput& input);

/// g(m), o_s(m) and o_r(m).
Figure plogp_curves(const PageInput& input);

/// The messages of our best algorithm for `shown`, the verdict's call, step by step; if that is
/// null or none of ours was measured for it, of our best one on the most ranks.
Figure schedule_figure(std::span<const CallTimes> calls, const CallTimes* shown);

/// The changes since an earlier campaign.
std::vector<Figure> diff_figures(const CampaignDiff& diff);

/// Where and how it was measured; every point; what was refused; the log.
std::vector<Figure> campaign_tables(const PageInput& input);

/// The findings and the next step, in words.
struct Verdict {
    std::vector<std::string> sentences = {}; ///< the most important one first
    std::string next = {};                   ///< one command
    const CallTimes* call = nullptr;         ///< what they are about, of `calls`; null: none
};

Verdict page_verdict(const PageInput& input, std::span<const CallTimes> calls);

/// {"title", "verdict": [...], "next", "settings": [lines of the input's], "prefer": values that
/// filters start with, "sections": [{"id", "title", "figures": [...]}]}.
nlohmann::ordered_json page_data(const PageInput& input);

} // namespace alltold
