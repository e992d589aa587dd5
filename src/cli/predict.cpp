// SPDX-License-Identifier: BSD-3-Clause
// alltold predict: predicts collective times from a profile.
#include <fmt/format.h>

#include "cli/input_files.hpp"
#include "cli/predict_algorithms.hpp"
#include "cli/timing_options.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "network/capacity.hpp"
#include "predict/bounds/digraph.hpp"
#include "predict/library/library_prediction.hpp"
#include "report/algorithm_report.hpp"
#include "report/text_table.hpp"
#include "schedule/algorithms/work.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

void add_row(MessageDigraph& digraph, int from, JsonCursor row) {
    auto entries = row.items();
    if (static_cast<int>(entries.size()) != digraph.n())
        row.complain(fmt::format("expected {} entries, as many as there are rows, got {}",
                                 digraph.n(), entries.size()));
    if (row.error())
        return;
    for (int to = 0; to < digraph.n(); ++to) {
        auto& entry = entries[static_cast<std::size_t>(to)];
        const double size_bytes = entry.number({"bytes", 0});
        if (entry.error())
            return;
        if (to == from && size_bytes != 0)
            entry.complain("a process sends nothing to itself; expected 0");
        else if (size_bytes > 0)
            digraph.add({from, to, size_bytes});
    }
}

/// Reads [[0, 64, ...], ...]: row i, column j holds the bytes process i sends to process j, 0 for
/// no message. Fails, naming the file and the place, unless it is square and its diagonal is 0.
Result<MessageDigraph> load_digraph(const std::filesystem::path& path) {
    ALLTOLD_TRY(text, read_text_file(path, "a JSON matrix of bytes such as [[0, 64], [64, 0]]"));
    auto root = JsonCursor::parse(*text, path.string());
    const auto rows = root.items();
    if (rows.empty())
        root.complain("expected one row per process, got none");
    if (root.error())
        return *root.error();
    MessageDigraph digraph(static_cast<int>(rows.size()));
    for (int from = 0; from < digraph.n(); ++from)
        add_row(digraph, from, rows[static_cast<std::size_t>(from)]);
    if (root.error())
        return *root.error();
    return digraph;
}

struct PredictArguments {
    std::string profile, collective, algorithm, counts, digraph, matrix, model;
    std::optional<Clusters> clusters;
    std::vector<std::uint64_t> sizes_bytes;
    AskedStart start;
    Parameters parameters;
    std::optional<int> root;
    bool json = false;
};

/// The clusters to predict for: --clusters, or one cluster for each -n.
Result<std::vector<Clusters>> clusters_to_predict(const PredictArguments& asked) {
    std::vector<std::optional<int>> counts{std::nullopt};
    if (!asked.counts.empty()) {
        ALLTOLD_TRY(parsed, parse_counts("-n", asked.counts, 1, most_ranks));
        counts.assign(parsed->begin(), parsed->end());
    }
    std::vector<Clusters> all;
    for (const auto n : counts) {
        ALLTOLD_TRY(clusters, asked_clusters(asked.clusters, n, 1));
        if (all.empty() || !asked.clusters)
            all.push_back(std::move(*clusters));
    }
    return all;
}

/// The MPI library's own collective or what is known by its measured calls alone: what these say of
/// it, or `model`.
Result<ExitStatus> predict_library_calls(const PredictArguments& asked, const Profile& profile,
                                         const std::vector<Clusters>& all_clusters,
                                         const std::vector<std::uint64_t>& sizes) {
    if (asked.parameters != Parameters() || asked.root)
        return bad_input("--segment, --window, --inter-cluster-window and --root need an "
                         "algorithm: give --algorithm NAME or --algorithm all");
    const auto& network = profile.network;
    ALLTOLD_TRY(collective, parse_collective(asked.collective, uniform_collectives));
    const CostModel* model = nullptr;
    if (!asked.model.empty()) {
        if (*collective != Collective::alltoall)
            return bad_input(fmt::format("--model: models exist for the MPI library's own "
                                         "alltoall, not for its {}; leave --model out",
                                         asked.collective));
        ALLTOLD_TRY_INTO(model, in_context("--model", library_model(asked.model)));
    } else if (*collective == Collective::alltoall &&
               !correction_of(network, *collective, all_clusters.front(), true)) {
        model = &preferred_library_model(network, all_clusters.front());
    }
    const auto choice = measured_choice(asked.algorithm.empty() ? "mpi" : asked.algorithm);
    SimulationCache simulations;
    std::vector<PredictedCall> points;
    for (const auto& clusters : all_clusters)
        for (const auto size_bytes : sizes) {
            auto prediction =
                model ? predict_alltoall(network, clusters, static_cast<double>(size_bytes), *model)
                      : evaluate(network, *collective, clusters, size_bytes, choice, &simulations);
            if (!prediction)
                return not_predicted(asked.profile, profile, clusters, prediction.error());
            add_work(*prediction, network.loop_work_s.value_or(0));
            points.push_back({clusters, size_bytes, std::move(*prediction)});
        }
    const auto equation = model ? fmt::format("{}", model->source) : std::string();
    const auto& name = points.front().predicted.model;
    if (asked.json)
        fmt::print("{}", json_text({{"profile", asked.profile},
                                    {"source", profile.source},
                                    {"collective", asked.collective},
                                    {"model", name},
                                    {"equation", equation},
                                    {"start", name_of(profile.provenance.start_mode)},
                                    {"interval", model ? 0.95 : 0.9},
                                    {"predictions", predictions_to_json(points)}}));
    else
        fmt::print(
            "{}\n{}",
            wrapped(fmt::format("{} {} on {}, {} {}{}, {}",
                                choice.is_default() ? "the MPI library's own" : text_of(choice),
                                asked.collective, asked.profile, model ? "model" : "modelled as",
                                name, model ? fmt::format(" ({})", equation) : "",
                                in_words(profile.provenance.start_mode)),
                    2),
            prediction_table(points, model ? "95 % interval" : "90 % interval"));
    return ExitStatus::done;
}

/// Block sizes of an alltoallv, and m where -m is not given: a file's largest.
Result<Matrix> read_matrix(const PredictArguments& asked, int ranks,
                           std::vector<std::uint64_t>& sizes) {
    if (asked.matrix.empty())
        return bad_input(fmt::format("alltoallv needs {}", what_matrix_takes));
    if (is_generated_matrix(asked.matrix))
        return generated_matrix(asked.matrix, ranks, 1);
    ALLTOLD_TRY(text, read_text_file(asked.matrix, what_matrix_takes, most_data_bytes));
    std::uint64_t largest_bytes = 0;
    auto matrix = parse_matrix(*text, asked.matrix, ranks, largest_bytes);
    if (matrix && sizes.empty())
        sizes = {largest_bytes};
    return matrix;
}

/// alltold's algorithms; all of them unless --algorithm is given.
Result<ExitStatus> predict_ours(const PredictArguments& asked, const Profile& profile,
                                std::vector<Clusters> all_clusters,
                                std::vector<std::uint64_t> sizes,
                                std::optional<Matrix> matrix = {}) {
    return predict_algorithms({asked.profile, asked.collective, asked.algorithm, asked.model,
                               asked.parameters, asked.root, std::move(matrix),
                               std::move(all_clusters), std::move(sizes), asked.json},
                              profile);
}

/// alltold's algorithms for an alltoallv.
Result<ExitStatus> predict_vectors(const PredictArguments& asked, const Profile& profile) {
    ALLTOLD_TRY(all_clusters, clusters_to_predict(asked));
    if (all_clusters->size() != 1)
        return bad_input("-n: an alltoallv has one number of ranks, that of its matrix");
    const int ranks = all_clusters->front().ranks();
    if (ranks > most_ranks_of_matrix)
        return bad_input(fmt::format("-n {}: an alltoallv, whose matrix has a size for each pair, "
                                     "may have at most {} ranks",
                                     ranks, most_ranks_of_matrix));
    auto sizes = asked.sizes_bytes;
    ALLTOLD_TRY(matrix, read_matrix(asked, ranks, sizes));
    if (sizes.empty())
        return bad_input("-m is missing: the m of the matrix, such as -m 64KiB");
    for (const auto size_bytes : sizes)
        ALLTOLD_TRY_DONE(in_context("-m", check_bytes(Collective::alltoallv, ranks, size_bytes)));
    return predict_ours(asked, profile, *all_clusters, std::move(sizes), std::move(*matrix));
}

/// A call takes some 15 ms, and its table nine lines.
constexpr std::size_t most_calls = 512;

/// Without --algorithm all algorithms and the MPI library's own; with --model alone the library's
/// all-to-all, which the contention models describe, or all algorithms by a model that times only
/// these.
Result<ExitStatus> predict_collective(const PredictArguments& asked, const Profile& profile) {
    ALLTOLD_TRY(all_clusters, clusters_to_predict(asked));
    ALLTOLD_TRY(collective, collective_to_predict(asked.collective));
    ALLTOLD_TRY(sizes, block_sizes(*collective, asked.sizes_bytes));
    if (const auto calls = all_clusters->size() * sizes->size(); calls > most_calls)
        return bad_input(
            fmt::format("-n and -m: {} calls; predict at most {} at a time", calls, most_calls));
    for (const auto& clusters : *all_clusters)
        for (const auto size_bytes : *sizes)
            ALLTOLD_TRY_DONE(
                in_context("-m", check_bytes(*collective, clusters.ranks(), size_bytes)));
    const bool of_algorithms = !library_model(asked.model) && algorithm_model(asked.model);
    const bool of_library_model = asked.algorithm.empty() && !asked.model.empty() &&
                                  *collective == Collective::alltoall && !of_algorithms;
    if (library_names(profile.network, *collective).contains(asked.algorithm) || of_library_model)
        return predict_library_calls(asked, profile, *all_clusters, *sizes);
    return predict_ours(asked, profile, *all_clusters, *sizes);
}

Result<ExitStatus> bound_exchange(const PredictArguments& asked, const Profile& profile) {
    if (asked.digraph.empty())
        return bad_input("--digraph is missing: a JSON file with a matrix of bytes, where row i, "
                         "column j is what rank i sends to rank j");
    ALLTOLD_TRY(messages, load_digraph(asked.digraph));
    const auto& network = profile.network;
    if (!network.local && !network.alltoall)
        return bad_input(fmt::format("{}: no alpha and beta within a cluster; fit it from a "
                                     "campaign with ping-pongs",
                                     asked.profile));
    const auto bounds = exchange_bounds(*messages, local_network(network).model());
    if (asked.json) {
        fmt::print("{}", json_text({{"profile", asked.profile},
                                    {"collective", "exchange"},
                                    {"n", messages->n()},
                                    {"messages", messages->arcs().size()},
                                    {"startups", bounds.startups},
                                    {"bandwidth_bound_s", bounds.bandwidth_s},
                                    {"claim_3_s", bounds.total_s},
                                    {"claim_3_any_sends_s", bounds.total_any_s}}));
        return ExitStatus::done;
    }
    fmt::print("exchange of {} messages among {} ranks on {}: lower bounds (SMT07)\n\n",
               messages->arcs().size(), messages->n(), asked.profile);
    fmt::print("claim 1  {:>10}  successive start-ups\n", bounds.startups);
    fmt::print("claim 2  {:>10}  for the bytes, with or without forwarding\n",
               format_time(bounds.bandwidth_s));
    fmt::print("claim 3  {:>10}  the least without forwarding, when sends are synchronous\n",
               format_time(bounds.total_s));
    fmt::print("         {:>10}  the least without forwarding, with any kind of send\n",
               format_time(bounds.total_any_s));
    return ExitStatus::done;
}

Result<ExitStatus> run_predict(const PredictArguments& asked) {
    ALLTOLD_TRY(profile, load_profile_from(asked.profile, asked.start));
    if (asked.collective == "exchange")
        return bound_exchange(asked, *profile);
    if (!asked.digraph.empty())
        return bad_input("--digraph is for exchange");
    if (asked.collective == name_of(Collective::alltoallv))
        return predict_vectors(asked, *profile);
    if (!asked.matrix.empty())
        return bad_input("--matrix is for alltoallv");
    return predict_collective(asked, *profile);
}

} // namespace

void declare_predict(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<PredictArguments>();
    auto& subcommand = add_subcommand(
        app, "predict", "Predicts how long a collective takes, with an interval and a lower bound",
        "alltold predict @gigabit-ethernet-2007 alltoall -n 40,80 -m 64KiB,1MiB\n"
        "  alltold predict @fast-ethernet-1999 bcast --algorithm all -n 16 -m 64KiB");
    subcommand
        .add_option("profile", asked->profile,
                    "profile.json, or a built-in network: @fast-ethernet-2007, "
                    "@gigabit-ethernet-2007, @myrinet-2007, @nancy-rennes-2007, "
                    "@fast-ethernet-1999")
        ->required();
    subcommand
        .add_option(
            "collective", asked->collective,
            listed(all_collectives, "exchange, for the bounds of the messages in --digraph"))
        ->required();
    subcommand.add_option(
        "--algorithm", asked->algorithm,
        "an algorithm from alltold list; all: every algorithm and mpi, the MPI library's own, "
        "fastest first; mpi: that alone (default: all, large calls estimated)");
    subcommand.add_option("-n,--ranks", asked->counts, "ranks, such as 8 or 4,8,12");
    add_sizes(subcommand, asked->sizes_bytes, "bytes per block, such as 64KiB or 1KiB,64KiB");
    add_parameters(subcommand, asked->parameters, " (default: found from the profile)");
    subcommand.add_option("--root", asked->root, root_help());
    add_start_option(subcommand, asked->start);
    add_clusters_of_call(
        subcommand, asked->clusters,
        "hosts per cluster, such as 4+4, or hosts x ranks per host, such as 6x4, instead of -n");
    subcommand.add_option(
        "--model", asked->model,
        model_help("the library's alltoall", &CostModel::times_library) + ". " +
            model_help("algorithms", &CostModel::times_algorithms) +
            "; without --model, measured calls correct the predictions if the profile has some");
    subcommand.add_option("--digraph", asked->digraph,
                          "for exchange: JSON matrix of bytes, [[0, 64], [64, 0]]");
    subcommand.add_option(
        "--matrix", asked->matrix,
        "for alltoallv, as run takes it: skewed, sparse, random, or a file with one line of sizes "
        "per rank, scaled so that the largest is -m (default: not scaled)");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_predict(*asked); }; });
}

} // namespace alltold::cli
