// SPDX-License-Identifier: BSD-3-Clause
// alltold import: other benchmarks' output into a campaign.
#include <algorithm>
#include <memory>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/collective_options.hpp"
#include "cli/subcommand.hpp"
#include "core/one_line.hpp"
#include "core/say.hpp"
#include "core/text_file.hpp"
#include "store/campaign.hpp"
#include "store/import/import.hpp"

namespace alltold::cli {
namespace {

struct ImportArguments {
    std::string format, campaign, clusters, library = "not known";
    std::vector<std::string> files;
};

/// Provenance as far as the text does not give it.
Provenance where_of(const ImportFormat& format, const Clusters& clusters,
                    const std::string& library) {
    Provenance where;
    for (int rank = 0; rank < clusters.ranks(); ++rank)
        where.hosts.push_back(fmt::format("rank{}", rank));
    where.clusters = clusters;
    where.clusters_from = "given by --clusters";
    where.mpi_library = library;
    where.kernel = "not known";
    where.clock_method = fmt::format("imported from {}", format.name);
    where.start_mode = format.start_mode;
    return where;
}

/// All files, so that a malformed one leaves the campaign as it was.
Result<ImportedTimes> read_all(const ImportFormat& format, const Clusters& clusters,
                               const std::vector<std::string>& files) {
    ImportedTimes all;
    for (const auto& file : files) {
        ALLTOLD_TRY(text, read_text_file(file, fmt::format("the output of {}", format.name)));
        ALLTOLD_TRY(read, format.read({*text, file, clusters}));
        all.times.insert(all.times.end(), read->times.begin(), read->times.end());
        all.skipped.insert(all.skipped.end(), read->skipped.begin(), read->skipped.end());
        if (read->times.empty())
            all.skipped.push_back(fmt::format("{}: no times of {} found", file, format.name));
    }
    return all;
}

Result<ExitStatus> run_import(const ImportArguments& asked) {
    const auto format = std::ranges::find(import_formats(), asked.format, &ImportFormat::name);
    if (format == import_formats().end()) {
        const auto known = import_formats() | std::views::transform(&ImportFormat::name);
        return bad_input(
            fmt::format("unknown format '{}'; known: {}", asked.format, fmt::join(known, ", ")));
    }
    ALLTOLD_TRY(clusters, parse_clusters(asked.clusters));
    if (const auto shown = plain_text(asked.library);
        shown != asked.library || shown.size() > most_text_bytes)
        return bad_input(
            fmt::format("--library {}: expected at most {} characters that can be shown",
                        asked.library.substr(0, 40), most_text_bytes));
    ALLTOLD_TRY(read, read_all(*format, *clusters, asked.files));
    if (read->times.empty())
        return bad_input("nothing to import: " + read->skipped.front());
    ALLTOLD_TRY(campaign,
                Campaign::resume(asked.campaign, where_of(*format, *clusters, asked.library), 1));
    std::vector<std::pair<Point, double>> times_s;
    for (const auto& [point, time_s] : read->times)
        times_s.emplace_back(point, time_s);
    ALLTOLD_TRY_DONE(campaign->add_all(times_s));
    for (const auto& line : read->skipped)
        say(fmt::format("alltold: skipped: {}\n", one_line(line)));
    fmt::print("{} times imported into {}\n", read->times.size(), asked.campaign);
    return ExitStatus::done;
}

std::string formats_help() {
    std::string help;
    for (const auto& format : import_formats())
        help += fmt::format("{}{} ({})", help.empty() ? "" : ", ", format.name, format.help);
    return "benchmark that printed the files: one of " + help;
}

} // namespace

void declare_import(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<ImportArguments>();
    auto& subcommand = add_subcommand(
        app, "import", "Reads the times that another benchmark printed into a campaign",
        "alltold import osu osu_alltoall.txt osu_latency.txt --clusters 8 -o osu.db");
    subcommand.add_option("format", asked->format, formats_help())->required();
    subcommand.add_option("files", asked->files, "its output; each file adds one repetition")
        ->required();
    subcommand.add_option("-o,--output", asked->campaign, "campaign to write or to add to")
        ->required();
    subcommand
        .add_option("--clusters", asked->clusters,
                    "the ranks of the benchmark, such as 8 or 4+4; imb's output says how many took "
                    "part")
        ->required();
    subcommand.add_option("--library", asked->library, "the MPI library it was measured with")
        ->capture_default_str();
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_import(*asked); }; });
}

} // namespace alltold::cli
