// SPDX-License-Identifier: BSD-3-Clause
// bench_measured: predicts the calls of other people's campaigns from those on fewer ranks, or of
// other sizes, and chooses among the algorithms that were measured there
// (docs/results/measured.md). bench/measured.sh imports the campaigns and starts it.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/statistics.hpp"
#include "core/units.hpp"
#include "predict/choice/rank.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/library/library_ranking.hpp"
#include "report/text_table.hpp"
#include "store/campaign.hpp"
#include "store/fit_campaign.hpp"
#include "store/json_text.hpp"

namespace alltold {
namespace {

/// One measured call of a campaign.
struct Call {
    Collective collective = Collective::bcast;
    std::string algorithm;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    double time_s = 0; ///< median

    int ranks() const { return clusters.ranks(); }
};

/// A call that was held out.
struct Held {
    std::string campaign;
    Call call;
    Estimate predicted_s;
    int known_ranks = 0;                    ///< how many numbers of ranks were known
    std::optional<double> smaller_s = {};   ///< the time on the next smaller number of ranks
    std::optional<double> power_law_s = {}; ///< through the next two

    double error() const { return std::abs(predicted_s.value / call.time_s - 1); }
    bool inside() const {
        return predicted_s.low <= call.time_s && call.time_s <= predicted_s.high;
    }
};

/// A choice among the algorithms that were measured at a call.
struct Chosen {
    std::string campaign;
    Call call; ///< of the library's own
    std::string choice;
    double chosen_s = 0, fastest_s = 0,
           best_s = 0; ///< the choice, the one predicted fastest, the best

    double loss() const { return chosen_s / best_s - 1; }
    bool slower() const { return chosen_s > 1.03 * call.time_s; }
};

struct Results {
    std::vector<Held> across_ranks, across_sizes;
    std::vector<Chosen> choices;
};

std::vector<Call> calls_of(const std::vector<PointSamples>& points) {
    std::vector<Call> calls;
    for (const auto& samples : points) {
        const auto probe = CollectiveProbe::parse(samples.point.probe);
        const auto times_s = samples.values();
        if (!probe || probe->start_mode || probe->within || times_s.empty())
            continue;
        if (const double time_s = median(times_s); time_s >= Growth::least_call_s)
            calls.push_back({probe->collective, samples.point.algorithm, samples.point.clusters,
                             samples.point.size_bytes, time_s});
    }
    return calls;
}

Network fitted(const std::vector<PointSamples>& points, const Provenance& provenance,
               const std::function<bool(const Point&)>& kept) {
    std::vector<PointSamples> some;
    std::ranges::copy_if(points, std::back_inserter(some),
                         [&](const PointSamples& samples) { return kept(samples.point); });
    return fit_points(some, provenance, {.name = "measured", .source = "measured"}).network;
}

/// The times of the call's algorithm at its size on fewer ranks, fewest first.
std::map<int, double> on_fewer(const std::vector<Call>& calls, const Call& call) {
    std::map<int, double> times_s;
    for (const auto& other : calls)
        if (other.collective == call.collective && other.algorithm == call.algorithm &&
            other.size_bytes == call.size_bytes && other.ranks() < call.ranks())
            times_s[other.ranks()] = other.time_s;
    return times_s;
}

void predict_next(Results& results, const std::string& campaign, const std::vector<Call>& calls,
                  Collective collective, int ranks, const Network& network) {
    SimulationCache cache;
    std::map<std::uint64_t, std::vector<const Call*>> by_size;
    for (const auto& call : calls) {
        if (call.collective != collective || call.ranks() != ranks)
            continue;
        const auto time = evaluate(network, collective, call.clusters, call.size_bytes,
                                   measured_choice(call.algorithm), &cache);
        if (!time)
            continue;
        Held held{campaign, call, time->time_s};
        std::set<int> known;
        for (const auto& other : calls)
            if (other.collective == collective && other.algorithm == call.algorithm &&
                other.ranks() < ranks)
                known.insert(other.ranks());
        held.known_ranks = static_cast<int>(known.size());
        if (const auto fewer = on_fewer(calls, call); !fewer.empty()) {
            const auto last = std::prev(fewer.end());
            held.smaller_s = last->second;
            if (fewer.size() > 1) {
                const auto before = std::prev(last);
                const double exponent = std::log(last->second / before->second) /
                                        std::log(static_cast<double>(last->first) / before->first);
                held.power_law_s =
                    last->second * std::pow(static_cast<double>(ranks) / last->first, exponent);
            }
        }
        results.across_ranks.push_back(std::move(held));
        by_size[call.size_bytes].push_back(&call);
    }
    for (const auto& [size_bytes, there] : by_size) {
        const auto own = std::ranges::find(there, "mpi", &Call::algorithm);
        if (own == there.end() || there.size() < 2)
            continue;
        const auto& clusters = (*own)->clusters;
        const Decider decider(network, StartMode::barrier, collective, clusters, cache,
                              {.library = MpiLibrary::other});
        const auto decided = decider.at(std::span(&clusters, 1), size_bytes);
        const auto ranking =
            rank_library(network, MpiLibrary::other, collective, clusters, size_bytes, &cache);
        if (!decided.knows_library() || !ranking)
            continue;
        const auto time_of = [&](const Choice& choice) -> std::optional<double> {
            const auto found = std::ranges::find(there, text_of(choice), &Call::algorithm);
            return found == there.end() ? std::nullopt : std::optional((*found)->time_s);
        };
        Chosen chosen{campaign, **own, text_of(decided.choice())};
        // The best of those that are measured at this call; others cannot be judged.
        const auto chosen_s = time_of(decided.choice());
        if (!chosen_s)
            continue;
        chosen.chosen_s = *chosen_s;
        for (const auto& candidate : ranking->candidates)
            if (const auto time_s = time_of(candidate.choice); time_s && chosen.fastest_s == 0)
                chosen.fastest_s = *time_s;
        chosen.best_s = std::ranges::min(there, {}, &Call::time_s)->time_s;
        results.choices.push_back(std::move(chosen));
    }
}

void predict_sizes(Results& results, const std::string& campaign, const std::vector<Call>& calls,
                   Collective collective, int ranks, const std::vector<PointSamples>& points,
                   const Provenance& provenance) {
    std::set<std::uint64_t> sizes;
    for (const auto& call : calls)
        if (call.collective == collective && call.ranks() == ranks)
            sizes.insert(call.size_bytes);
    const std::vector<std::uint64_t> ordered(sizes.begin(), sizes.end());
    std::set<std::uint64_t> held_out; // every other one, but no end
    for (std::size_t i = 1; i + 1 < ordered.size(); i += 2)
        held_out.insert(ordered[i]);
    if (held_out.empty())
        return;
    const auto network = fitted(points, provenance, [&](const Point& point) {
        return point.n() != ranks || !held_out.contains(point.size_bytes);
    });
    SimulationCache cache;
    for (const auto& call : calls)
        if (call.collective == collective && call.ranks() == ranks &&
            held_out.contains(call.size_bytes))
            if (const auto time = evaluate(network, collective, call.clusters, call.size_bytes,
                                           measured_choice(call.algorithm), &cache))
                results.across_sizes.push_back({campaign, call, time->time_s});
}

Status add(Results& results, const std::string& file, const std::string& name) {
    const auto campaign = Campaign::read(file);
    if (!campaign)
        return campaign.error();
    const auto points = campaign->points();
    if (!points)
        return points.error();
    const auto provenance = campaign->provenance();
    if (!provenance)
        return provenance.error();
    const auto calls = calls_of(*points);
    std::map<Collective, std::set<int>> ranks;
    for (const auto& call : calls)
        ranks[call.collective].insert(call.ranks());
    for (const auto& [collective, numbers] : ranks)
        for (const int n : numbers) {
            if (n > *numbers.begin())
                predict_next(results, name, calls, collective, n,
                             fitted(*points, *provenance,
                                    [&](const Point& point) { return point.n() < n; }));
            predict_sizes(results, name, calls, collective, n, *points, *provenance);
        }
    return Done{};
}

double median_of(const std::vector<Held>& all, const std::function<double(const Held&)>& value) {
    std::vector<double> values;
    for (const auto& one : all)
        values.push_back(value(one));
    return values.empty() ? NAN : median(values);
}

std::string held_row_text(double share) {
    return std::isnan(share) ? "-" : format_percent(share, 1);
}

std::string held_table(const std::vector<Held>& held) {
    TextTable table;
    table.column("", TextTable::Align::left);
    for (const char* name : {"calls", "inside", "median error", "of calls at sizes of both",
                             "next smaller n", "power law"})
        table.column(name);
    const auto row = [&](const std::string& name, const std::function<bool(const Held&)>& wanted) {
        std::vector<Held> all, comparable;
        for (const auto& one : held)
            if (wanted(one)) {
                all.push_back(one);
                if (one.smaller_s && one.power_law_s)
                    comparable.push_back(one);
            }
        if (all.empty())
            return;
        const auto inside = std::ranges::count_if(all, &Held::inside);
        table.row({name, std::to_string(all.size()),
                   format_percent(static_cast<double>(inside) / static_cast<double>(all.size()), 1),
                   held_row_text(median_of(all, &Held::error)),
                   held_row_text(median_of(comparable, &Held::error)),
                   held_row_text(median_of(comparable,
                                           [](const Held& one) {
                                               return std::abs(*one.smaller_s / one.call.time_s -
                                                               1);
                                           })),
                   held_row_text(median_of(comparable, [](const Held& one) {
                       return std::abs(*one.power_law_s / one.call.time_s - 1);
                   }))});
    };
    for (const auto collective : uniform_collectives)
        row(std::string(name_of(collective)),
            [&](const Held& one) { return one.call.collective == collective; });
    std::set<std::string> campaigns;
    for (const auto& one : held)
        campaigns.insert(one.campaign);
    for (const auto& campaign : campaigns)
        row(campaign, [&](const Held& one) { return one.campaign == campaign; });
    row("all", [](const Held&) { return true; });
    return table.text();
}

std::string choices_table(const std::vector<Chosen>& choices) {
    TextTable table;
    table.column("", TextTable::Align::left);
    for (const char* name : {"calls", "mean loss", "worst", "slower than the default",
                             "predicted fastest", "worst", "default", "worst"})
        table.column(name);
    const auto row = [&](const std::string& name,
                         const std::function<bool(const Chosen&)>& wanted) {
        double count = 0, slower = 0;
        std::vector<std::pair<double, double>> sums(3); // and worst
        for (const auto& one : choices)
            if (wanted(one)) {
                ++count;
                slower += one.slower();
                const double losses[] = {one.loss(), one.fastest_s / one.best_s - 1,
                                         one.call.time_s / one.best_s - 1};
                for (std::size_t i = 0; i < sums.size(); ++i)
                    sums[i] = {sums[i].first + losses[i], std::max(sums[i].second, losses[i])};
            }
        if (count == 0)
            return;
        std::vector<std::string> cells{name, fmt::format("{:.0f}", count)};
        for (std::size_t i = 0; i < sums.size(); ++i) {
            cells.push_back(format_percent(sums[i].first / count, 1));
            cells.push_back(format_percent(sums[i].second));
            if (i == 0)
                cells.push_back(format_percent(slower / count, 1));
        }
        table.row(cells);
    };
    for (const auto collective : uniform_collectives)
        row(std::string(name_of(collective)),
            [&](const Chosen& one) { return one.call.collective == collective; });
    row("all", [](const Chosen&) { return true; });
    return table.text();
}

nlohmann::ordered_json json_of(const std::vector<Held>& held) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& one : held)
        rows.push_back({{"campaign", one.campaign},
                        {"collective", name_of(one.call.collective)},
                        {"algorithm", one.call.algorithm},
                        {"n", one.call.ranks()},
                        {"size_bytes", one.call.size_bytes},
                        {"known_numbers_of_ranks", one.known_ranks},
                        {"measured_s", one.call.time_s},
                        {"predicted_s", one.predicted_s.value},
                        {"low_s", one.predicted_s.low},
                        {"high_s", one.predicted_s.high}});
    return rows;
}

nlohmann::ordered_json json_of(const std::vector<Chosen>& choices) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& one : choices)
        rows.push_back({{"campaign", one.campaign},
                        {"collective", name_of(one.call.collective)},
                        {"n", one.call.ranks()},
                        {"size_bytes", one.call.size_bytes},
                        {"choice", one.choice},
                        {"chosen_s", one.chosen_s},
                        {"predicted_fastest_s", one.fastest_s},
                        {"best_s", one.best_s},
                        {"default_s", one.call.time_s}});
    return rows;
}

} // namespace
} // namespace alltold

int main(int argc, char** argv) {
    using namespace alltold;
    CLI::App app{"Predicts measured calls of campaigns from those on fewer ranks, or of other "
                 "sizes, and chooses among their algorithms."};
    app.footer("Example:\n  bench_measured fugaku.db lumi.db");
    std::vector<std::string> campaigns;
    bool json = false;
    app.add_option("CAMPAIGN", campaigns, "campaigns as alltold import writes them")->required();
    app.add_flag("--json", json, "print JSON, with every call");
    CLI11_PARSE(app, argc, argv);
    Results results;
    for (const auto& file : campaigns) {
        const auto from = file.find_last_of('/') + 1;
        if (const auto added = add(results, file, file.substr(from, file.rfind('.') - from));
            !added) {
            fmt::print(stderr, "bench_measured: {}: {}\n", file, added.error().message);
            return static_cast<int>(added.error().status);
        }
    }
    if (json)
        fmt::print("{}", json_text({{"across_ranks", json_of(results.across_ranks)},
                                    {"across_sizes", json_of(results.across_sizes)},
                                    {"choices", json_of(results.choices)}}));
    else
        fmt::print("calls on the next number of ranks, from those on fewer\n\n{}\n"
                   "every other size of a number of ranks, from the others\n\n{}\n"
                   "choice at the next number of ranks among the algorithms measured there\n\n{}",
                   held_table(results.across_ranks), held_table(results.across_sizes),
                   choices_table(results.choices));
    return 0;
}
