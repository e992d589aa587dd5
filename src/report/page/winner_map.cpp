// SPDX-License-Identifier: BSD-3-Clause
// The rules' choice over n and m, and what it gains.
#include "predict/choice/rank.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/parameters/resolve.hpp"
#include "report/page/figures.hpp"
#include "topology/places.hpp"

namespace alltold {
namespace {

constexpr std::array<std::uint64_t, 7> map_sizes_bytes{256,   1024,   4096,   16384,
                                                       65536, 262144, 1048576};
/// A cell that would simulate for seconds is not worth it.
constexpr int most_ranks_of_a_map = 64;

/// About powers of two and their halves, with the most there are.
std::vector<int> map_ranks(const Clusters& hosts) {
    const int most = std::min(hosts.ranks(), most_ranks_of_a_map);
    std::vector<int> ranks;
    for (const int n : {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64})
        if (n >= std::max(2, hosts.count()) && n < most)
            ranks.push_back(n);
    if (most >= 2)
        ranks.push_back(most);
    return ranks;
}

/// Those of the papers, and what else was measured.
std::vector<Collective> map_collectives(const Validation& validation) {
    std::vector<Collective> collectives(papers_collectives.begin(), papers_collectives.end());
    for (const auto* points : {&validation.points, &validation.ours})
        for (const auto& point : *points)
            if (std::ranges::find(collectives, point.collective) == collectives.end())
                collectives.push_back(point.collective);
    return collectives;
}

/// One cell: what runs, and the predicted times of it and of the library.
nlohmann::ordered_json cell(const Network& network, Collective collective, const Clusters& clusters,
                            std::uint64_t size_bytes, const ChoiceTable& rules,
                            SimulationCache& simulations) {
    const auto known = library_known(network, collective, clusters, size_bytes);
    const auto library =
        known ? predict_library(network, collective, clusters, size_bytes, &simulations)
              : Result<CallTime>(refused("not known"));
    const auto choice = resolve({collective, clusters, size_bytes}, &network,
                                {.rules = &rules, .simulations = &simulations});
    nlohmann::ordered_json row{std::string(name_of(collective)), clusters.ranks(), clusters.text(),
                               size_bytes, choice ? text_of(*choice) : "not known"};
    const bool ours = choice && choice->algorithm;
    const auto chosen =
        ours ? evaluate(network, collective, clusters, size_bytes, *choice, &simulations)
             : Result<CallTime>(refused("the library's"));
    const bool both = library && (chosen || !ours);
    const auto time_of = [](bool known_time, auto&& time_s) {
        return known_time ? number_or_null(time_s()) : nlohmann::ordered_json();
    };
    const auto chosen_s = [&] { return chosen->time_s.value; };
    const auto library_s = [&] { return library->time_s.value; };
    row.push_back(ours ? time_of(static_cast<bool>(chosen), chosen_s)
                       : time_of(static_cast<bool>(library), library_s));
    row.push_back(time_of(static_cast<bool>(library), library_s));
    row.push_back(time_of(both, [&] { return ours ? library_s() / chosen_s() : 1; }));
    return row;
}

} // namespace

std::vector<Clusters> winner_map_calls(const Clusters& hosts) {
    std::vector<Clusters> calls;
    for (const int n : map_ranks(hosts))
        calls.push_back(spread(hosts, n));
    return calls;
}

Figure winner_map(const PageInput& input) {
    Figure figure{.id = "winners",
                  .chart = "winner_map",
                  .title = "What to run",
                  .text = "What the rules choose for each size and number of hosts. The colour is "
                          "the predicted gain over the MPI library's own choice: 2 is twice as "
                          "fast, 1 means that the library's own is kept. Grey is not known: no "
                          "call of the library was measured near enough.",
                  .columns = {{"collective", "call"},
                              {"ranks", "n"},
                              {"clusters", "hosts"},
                              {"size_bytes", "m", "B"},
                              {"choice", "run"},
                              {"predicted_s", "predicted", "s"},
                              {"library_s", "library, predicted", "s"},
                              {"gain", "gain", "ratio"}},
                  .filters = {"collective"}};
    const auto& hosts = input.fitted.provenance.clusters;
    const auto& network = input.fitted.network;
    const auto rules = rules_of(input.fitted);
    if (!rules || rules->empty() || hosts.ranks() < 2) {
        figure.missing = "The profile has no rules.";
        return figure;
    }
    const std::vector<std::vector<Rule>> sources{*rules};
    SimulationCache simulations;
    constexpr std::array<std::uint64_t, 1> no_size{0};
    for (const auto collective : map_collectives(input.validation))
        for (const auto& clusters : winner_map_calls(hosts)) {
            const ChoiceTable table(sources, collective, clusters);
            for (const auto size_bytes : traits_of(collective).has_data
                                             ? std::span<const std::uint64_t>(map_sizes_bytes)
                                             : std::span<const std::uint64_t>(no_size))
                figure.rows.push_back(
                    cell(network, collective, clusters, size_bytes, table, simulations));
        }
    return figure;
}

} // namespace alltold
