// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/compare/report.hpp"

#include <numeric>

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::campaign {
namespace {

/// Packets dropped in a repetition.
struct MeanDrops {
    double ports = 0, backbone = 0;
};

std::optional<MeanDrops> mean_drops(const Entry& entry) {
    if (entry.drops.empty())
        return std::nullopt;
    MeanDrops mean;
    for (const auto& drops : entry.drops) {
        mean.ports += static_cast<double>(drops.ports);
        mean.backbone += static_cast<double>(drops.backbone);
    }
    const auto count = static_cast<double>(entry.drops.size());
    return MeanDrops{mean.ports / count, mean.backbone / count};
}

std::optional<double> mean(const std::vector<double>& values) {
    if (values.empty())
        return std::nullopt;
    return std::accumulate(values.begin(), values.end(), 0.) / static_cast<double>(values.size());
}

/// One line of the table.
struct Row {
    const Entry* entry = nullptr;
    std::string name;
    Estimate time_s;
    std::optional<double> bound_s;
    std::optional<double> over_bound;
    std::optional<double> over_mpi;
    std::optional<MeanDrops> drops;
    std::optional<double> retransmitted; ///< mean number of TCP segments in a repetition
};

/// Then there are no bounds: they are for hosts that have a link each.
bool shares_hosts(const ComparisonReport& all) {
    return !names_are_hosts(all.outcome.hosts, all.request.clusters);
}

bool loops(const ComparisonReport& all) {
    return all.request.start_mode == StartMode::loop;
}

std::optional<double> mpi_time_s(const ComparisonReport& all, std::uint64_t size_bytes) {
    if (all.request.candidates.front().name() != "mpi")
        return std::nullopt;
    const auto& times_s = all.outcome.entry(0, size_bytes).times_s;
    return times_s.empty() ? std::nullopt : std::optional(median(times_s));
}

/// Sizes in the order asked for, best first within each; entries never timed are left out.
std::vector<Row> rows_of(const ComparisonReport& all) {
    std::vector<Row> rows;
    for (const auto size_bytes : all.request.sizes_bytes) {
        const auto first = rows.size();
        const auto mpi_s = mpi_time_s(all, size_bytes);
        std::optional<double> bound;
        if (!shares_hosts(all))
            bound =
                bound_s(all.request.specification(size_bytes), all.request.clusters, all.physics,
                        loops(all) ? std::optional(all.request.between.work_s) : std::nullopt);
        for (const auto& entry : all.outcome.entries) {
            if (entry.size_bytes != size_bytes || entry.times_s.empty())
                continue;
            const auto& candidate =
                all.request.candidates[static_cast<std::size_t>(entry.candidate)];
            const auto chosen = text_of(entry.choice);
            Row row{&entry,
                    candidate.rules ? "auto: " + chosen : chosen,
                    median_interval(entry.times_s),
                    bound,
                    {},
                    {},
                    mean_drops(entry),
                    mean(entry.retransmitted)};
            if (bound && *bound > 0)
                row.over_bound = row.time_s.value / *bound;
            if (mpi_s && *mpi_s > 0)
                row.over_mpi = row.time_s.value / *mpi_s;
            rows.push_back(std::move(row));
        }
        std::stable_sort(
            rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
            [](const Row& a, const Row& b) { return a.time_s.value < b.time_s.value; });
    }
    return rows;
}

/// Then the network loses packets, and messages use TCP.
bool any_retransmitted(const ComparisonOutcome& outcome) {
    return std::ranges::any_of(outcome.entries,
                               [](const Entry& one) { return mean(one.retransmitted) > 0.; });
}

std::string ratio_text(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

/// "12.3", or "12.3+4.5" with the drops on the backbone, if there is one.
std::string drops_text(const std::optional<MeanDrops>& drops, bool several) {
    if (!drops)
        return "-";
    return several ? fmt::format("{:.1f} + {:.1f}", drops->ports, drops->backbone)
                   : fmt::format("{:.1f}", drops->ports);
}

std::string heading(const ComparisonReport& all) {
    const auto& request = all.request;
    auto text =
        fmt::format("{} on {} ranks", name_of(request.collective), request.clusters.ranks());
    if (request.clusters.count() > 1 || !request.clusters.one_rank_per_host())
        text += fmt::format(" ({})", request.clusters.text());
    if (request.matrix)
        text += fmt::format(", {}", request.matrix->name);
    if (traits_of(request.collective).rooted)
        text += fmt::format(" with root {}", request.root);
    if (loops(all)) {
        const auto between = request.between.text();
        text += between.empty() ? ", in a loop" : ", in a loop with " + between;
    }
    return text + fmt::format(", {}\n{} repetitions in {}, every byte of each correct; order "
                              "shuffled with seed {}\n",
                              mpi_library_text(mpi::Session::library()), all.outcome.checked,
                              format_time(all.outcome.elapsed_s), request.seed);
}

/// "16 calls" or "4 to 128 calls", as many as the timed repetitions had.
std::string calls_text(const ComparisonOutcome& outcome) {
    std::vector<int> calls;
    for (const auto& entry : outcome.entries)
        calls.insert(calls.end(), entry.calls.begin(), entry.calls.end());
    if (calls.empty())
        return "calls";
    const auto [least, most] = std::ranges::minmax(calls);
    return least == most ? fmt::format("{} calls", least)
                         : fmt::format("{} to {} calls", least, most);
}

/// The slowest port's; 0: not known.
double goodput_bytes_per_s(const ComparisonReport& all) {
    return all.physics.goodput_bytes_per_s.lowest(all.request.clusters.count());
}

/// The caveats of the figures.
std::string notes(const ComparisonReport& all) {
    std::string text;
    const auto add = [&](const std::string& note) { text += wrapped(note, 2); };
    const auto& outcome = all.outcome;
    if (shares_hosts(all))
        add("no bounds: several ranks share a host, but count as hosts of their own");
    else if (goodput_bytes_per_s(all) > 0)
        add(fmt::format(
            "bounds{}: {} of payload in each direction{} ({})",
            !loops(all) ? ""
            : all.request.between.work_s > 0
                ? " of the time per call, latencies left out and the work at least"
                : " of the time per call, latencies left out",
            format_rate(8 * goodput_bytes_per_s(all)),
            all.physics.backbone || all.request.clusters.count() == 1 ? "" : ", backbone unknown",
            all.physics.source));
    else
        add(fmt::format("no bounds: {}", all.physics.source));
    if (std::ranges::any_of(outcome.entries, [](const Entry& one) { return !one.drops.empty(); }))
        add(fmt::format("drops: mean number of packets lost at switch ports per repetition{}",
                        all.request.clusters.count() > 1 ? ", + on the backbone" : ""));
    if (any_retransmitted(outcome))
        add("retransmitted: mean number of TCP segments that the hosts sent again per repetition");
    if (all.request.start_mode == StartMode::barrier)
        add("each repetition follows MPI_Barrier; its time is that of the slowest rank");
    if (loops(all))
        add(fmt::format(
            "each repetition is a loop of {}; its time is that of the slowest rank, per call{}",
            calls_text(outcome), all.request.between.work_s > 0 ? ", work included" : ""));
    add(fmt::format("clusters {}: {}", all.request.clusters.text(), all.request.clusters_from));
    add(fmt::format("clocks: {}", outcome.clocks.text()));
    if (outcome.late > 0)
        add(fmt::format("{} repetitions were repeated because a rank started late", outcome.late));
    if (const auto gone = std::ranges::count_if(outcome.entries, &Entry::dropped_out))
        add(fmt::format("{} dropped: even their fastest repetition took more than {} times as long "
                        "as the fastest algorithm",
                        gone, all.request.keep_within));
    for (const auto& other : all.left_out)
        add(fmt::format("left out: {}", other.why));
    if (outcome.interrupted)
        add("stopped by a signal");
    else if (outcome.out_of_time)
        add(fmt::format("stopped at the end of the budget of {}",
                        format_time(all.request.budget_s)));
    return text;
}

nlohmann::ordered_json json_or_null(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json json_of_row(const Row& row, const Choice& choice) {
    nlohmann::ordered_json json{{"algorithm", algorithm_name(choice)},
                                {"segment_bytes", choice.parameters.segment_bytes},
                                {"window", choice.parameters.window},
                                {"inter_cluster_window", choice.parameters.inter_cluster_window},
                                {"size_bytes", row.entry->size_bytes},
                                {"time_s", to_json(row.time_s)}};
    json["bound_s"] = json_or_null(row.bound_s);
    json["time_over_bound"] = json_or_null(row.over_bound);
    json["time_over_mpi"] = json_or_null(row.over_mpi);
    json["verified"] = true; // the first wrong byte ends a run without results
    json["warmup_s"] = row.entry->warmup_s;
    json["times_s"] = row.entry->times_s;
    json["calls"] = row.entry->calls;
    json["dropped_out"] = row.entry->dropped_out;
    if (row.drops) {
        json["port_drops"] = row.drops->ports;
        json["backbone_drops"] = row.drops->backbone;
    }
    json["retransmitted"] = json_or_null(row.retransmitted);
    return json;
}

} // namespace

std::string text_of(const ComparisonReport& all) {
    TextTable table;
    table.column("size");
    table.column("algorithm", TextTable::Align::left);
    table.columns({"time", "95 % interval", "reps", "x bound", "x mpi"});
    const auto rows = rows_of(all);
    const bool counted = std::ranges::any_of(rows, [](const Row& row) { return !!row.drops; });
    if (counted)
        table.column("drops");
    const bool retransmits = any_retransmitted(all.outcome);
    if (retransmits)
        table.column("retransmitted");
    for (const auto& row : rows) {
        std::vector cells{format_size(row.entry->size_bytes),
                          row.name,
                          format_time(row.time_s.value),
                          format_interval(row.time_s),
                          fmt::format("{}", row.entry->times_s.size()),
                          format_over_bound(row.time_s.value, row.bound_s.value_or(0)),
                          ratio_text(row.over_mpi)};
        if (counted)
            cells.push_back(drops_text(row.drops, all.request.clusters.count() > 1));
        if (retransmits)
            cells.push_back(row.retransmitted ? fmt::format("{:.1f}", *row.retransmitted) : "-");
        table.row(std::move(cells));
    }
    return fmt::format("{}\n{}\n{}", heading(all), table.text(), notes(all));
}

nlohmann::ordered_json json_of(const ComparisonReport& all) {
    const auto& request = all.request;
    auto results = nlohmann::ordered_json::array();
    for (const auto& row : rows_of(all)) {
        const auto& candidate = request.candidates[static_cast<std::size_t>(row.entry->candidate)];
        results.push_back(json_of_row(row, row.entry->choice));
        results.back()["auto"] = candidate.rules != nullptr;
    }
    auto left_out = nlohmann::ordered_json::array();
    for (const auto& other : all.left_out)
        left_out.push_back({{"algorithm", other.name}, {"why", other.why}});
    for (const auto& entry : all.outcome.entries)
        if (entry.dropped_out && entry.times_s.empty())
            left_out.push_back(
                {{"algorithm",
                  request.candidates[static_cast<std::size_t>(entry.candidate)].name()},
                 {"why", fmt::format("its warm-up at {} took {}", format_size(entry.size_bytes),
                                     format_time(entry.warmup_s))}});
    return {{"collective", name_of(request.collective)},
            {"ranks", request.clusters.ranks()},
            {"clusters", request.clusters.text()},
            {"clusters_from", request.clusters_from},
            {"root", request.root},
            {"matrix", request.matrix ? nlohmann::ordered_json(request.matrix->name)
                                      : nlohmann::ordered_json()},
            {"mpi", mpi::Session::library()},
            {"hosts", all.outcome.hosts},
            {"start", name_of(request.start_mode)},
            {"work_s", request.between.work_s},
            {"work_exponential", request.between.exponential},
            {"sync", request.between.sync},
            {"seed", request.seed},
            {"clocks", all.outcome.clocks.text()},
            {"goodput_bytes_per_s",
             json_or_null(goodput_bytes_per_s(all) > 0 ? std::optional(goodput_bytes_per_s(all))
                                                       : std::nullopt)},
            {"goodput_source", all.physics.source},
            {"elapsed_s", all.outcome.elapsed_s},
            {"repetitions_checked", all.outcome.checked},
            {"late_repetitions", all.outcome.late},
            {"out_of_time", all.outcome.out_of_time},
            {"interrupted", all.outcome.interrupted},
            {"results", results},
            {"left_out", left_out}};
}

} // namespace alltold::campaign
