// SPDX-License-Identifier: BSD-3-Clause
// alltold list: all algorithms.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/subcommand.hpp"
#include "predict/library/library_algorithms.hpp"
#include "report/text_table.hpp"

namespace alltold::cli {
namespace {

/// The options of an algorithm; optional ones are in brackets.
std::vector<std::string> options_of(const Algorithm& algorithm) {
    std::vector<std::string> options;
    if (algorithm.rooted())
        options.emplace_back("[--root]");
    for (const auto& [use, name] :
         {std::pair{algorithm.segment, "--segment"}, std::pair{algorithm.window, "--window"},
          std::pair{algorithm.inter_cluster_window, "--inter-cluster-window"},
          std::pair{std::max(algorithm.clusters, algorithm.hosts), "--clusters"}})
        if (use != Algorithm::Use::no)
            options.push_back(use == Algorithm::Use::must ? name : fmt::format("[{}]", name));
    return options;
}

std::vector<std::string_view> collectives_of(const Algorithm& algorithm) {
    std::vector<std::string_view> names{name_of(algorithm.collective)};
    if (algorithm.vectors)
        names.push_back(name_of(Collective::alltoallv));
    return names;
}

/// The name beside when it wins and its options, each a paragraph of its own. A long name has a
/// line to itself.
void print_row(const Algorithm& algorithm, const std::vector<std::string>& options) {
    constexpr std::size_t name_columns = 28;
    const bool is_long = algorithm.name.size() >= name_columns;
    if (is_long)
        fmt::print("{}\n", algorithm.name);
    fmt::print("{}",
               wrapped(fmt::format("{:{}}{}{}", is_long ? "" : algorithm.name, name_columns,
                                   algorithm.wins, algorithm.vectors ? " (also alltoallv)" : ""),
                       name_columns));
    if (!options.empty())
        fmt::print("{}", wrapped(fmt::format("{:{}}{}", "", name_columns, fmt::join(options, " ")),
                                 name_columns));
}

/// The parameters of an algorithm of Open MPI or MPICH.
std::vector<std::string> options_of(const LibraryAlgorithm& algorithm) {
    std::vector<std::string> options;
    if (algorithm.segment != Algorithm::Use::no)
        options.emplace_back("[segment=]");
    if (algorithm.window != Algorithm::Use::no)
        options.emplace_back("[window=]");
    return options;
}

void print_library_algorithms() {
    fmt::print(
        "\nMPI library algorithms, for run and measure (mpi is the library's own choice):\n\n");
    TextTable table;
    table.columns({"algorithm", "collective", "library", "options"}, TextTable::Align::left);
    for (const auto& row : library_algorithms())
        table.row({fmt::format("mpi.{}", row.name), std::string(name_of(row.collective)),
                   std::string(name_of(row.library)),
                   fmt::format("{}", fmt::join(options_of(row), " "))});
    fmt::print("{}", table.text());
}

nlohmann::ordered_json library_rows() {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& row : library_algorithms())
        rows.push_back({{"name", fmt::format("mpi.{}", row.name)},
                        {"collectives", {name_of(row.collective)}},
                        {"options", options_of(row)},
                        {"library", name_of(row.library)}});
    return rows;
}

Result<ExitStatus> list(bool json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto* algorithm : registry()) {
        const auto options = options_of(*algorithm);
        const auto collectives = collectives_of(*algorithm);
        if (json)
            rows.push_back({{"name", algorithm->name},
                            {"collectives", collectives},
                            {"options", options},
                            {"wins", algorithm->wins}});
        else
            print_row(*algorithm, options);
    }
    if (json) {
        for (auto& row : library_rows())
            rows.push_back(std::move(row));
        fmt::print("{}\n", rows.dump(2));
    } else {
        print_library_algorithms();
    }
    return ExitStatus::done;
}

} // namespace

void declare_list(CLI::App& app, Action& chosen) {
    auto& subcommand = add_subcommand(
        app, "list", "Lists all algorithms, their options, and when each one wins", "alltold list");
    const auto json = std::make_shared<bool>(false);
    subcommand.add_flag("--json", *json, "print JSON");
    subcommand.callback([&chosen, json] { chosen = [json] { return list(*json); }; });
}

} // namespace alltold::cli
