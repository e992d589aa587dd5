// SPDX-License-Identifier: BSD-3-Clause
// Tables of what was measured, where, when and how, and of what was refused.
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/page/figures.hpp"

namespace alltold {
namespace {

std::string date_text(double unix_s) {
    return unix_s > 0 ? fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                                    fmt::gmtime(static_cast<std::time_t>(unix_s)))
                      : "not known";
}

Figure where_and_when(const PageInput& input) {
    const auto& where = input.fitted.provenance;
    double first_s = 0, last_s = 0;
    std::size_t samples = 0;
    for (const auto& point : input.measured)
        for (const auto& sample : point.samples) {
            first_s = samples == 0 ? sample.taken_unix_s : std::min(first_s, sample.taken_unix_s);
            last_s = std::max(last_s, sample.taken_unix_s);
            ++samples;
        }
    Figure figure{.id = "where",
                  .chart = "",
                  .title = "Where, when and how",
                  .text = "The network and the settings under which everything was measured.",
                  .columns = {{"what", "what"}, {"value", "value"}}};
    figure.rows = {{"campaign", input.campaign},
                   {"samples", fmt::format("{} of {} points", samples, input.measured.size())},
                   {"first sample", date_text(first_s)},
                   {"last sample", date_text(last_s)},
                   {"hosts", fmt::format("{}", fmt::join(where.hosts, " "))},
                   {"clusters", where.clusters.text()},
                   {"clusters from", where.clusters_from},
                   {"MPI library", where.mpi_library},
                   {"system", where.kernel},
                   {"clocks", where.clock_method},
                   {"collectives are timed", std::string(in_words(where.start_mode))}};
    return figure;
}

Figure points_table(const PageInput& input) {
    Figure figure{.id = "points",
                  .chart = "",
                  .title = "Everything that was measured",
                  .text = "One row per point: the median of its repetitions without warm-ups, and "
                          "the 95 % interval of the median.",
                  .columns = {{"probe", "probe"},
                              {"algorithm", "algorithm"},
                              {"clusters", "hosts"},
                              {"size_bytes", "m", "B"},
                              {"first_rank", "first rank"},
                              {"second_rank", "second rank"},
                              {"count", "count"},
                              {"repetitions", "repetitions"},
                              {"median", "median"},
                              {"low", "low"},
                              {"high", "high"},
                              {"unit", "unit"}},
                  .missing = "Nothing was measured."};
    const auto rank_or_null = [](int rank) {
        return rank < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(rank);
    };
    for (const auto& samples : input.measured) {
        const auto& point = samples.point;
        const auto times_s = samples.series().times_s;
        nlohmann::ordered_json row{point.probe,
                                   point.algorithm,
                                   point.clusters.text(),
                                   point.size_bytes,
                                   rank_or_null(point.first_rank),
                                   rank_or_null(point.second_rank),
                                   point.count,
                                   times_s.size()};
        if (times_s.empty())
            row.insert(row.end(), {nullptr, nullptr, nullptr});
        else
            append(row, median_interval(times_s));
        row.push_back(samples.unit);
        figure.rows.push_back(std::move(row));
    }
    return figure;
}

Figure refusals(const PageInput& input) {
    Figure figure{.id = "refused",
                  .chart = "",
                  .title = "What was refused, and notes",
                  .text = "What the measurements could not support, so that no number is given; "
                          "then what to know of numbers that are.",
                  .columns = {{"kind", "kind"}, {"what", "what"}, {"why", "why"}},
                  .missing = "Nothing was refused."};
    for (const auto& refusal : input.fitted.refused)
        figure.rows.push_back({"refused", refusal.what, refusal.reason});
    for (const auto& note : input.fitted.notes)
        figure.rows.push_back({"note", note.what, note.text});
    for (const auto& note : input.validation.notes)
        figure.rows.push_back({"note", "prediction", note});
    return figure;
}

Figure log_table(const PageInput& input) {
    Figure figure{.id = "log",
                  .chart = "",
                  .title = "The campaign's log",
                  .text = "What was skipped or repeated, and why each point stopped.",
                  .columns = {{"entry", "entry"}},
                  .missing = "The log is empty."};
    for (const auto& note : input.notes)
        figure.rows.push_back(nlohmann::ordered_json::array({note}));
    return figure;
}

} // namespace

std::vector<Figure> campaign_tables(const PageInput& input) {
    return {where_and_when(input), points_table(input), refusals(input), log_table(input)};
}

} // namespace alltold
