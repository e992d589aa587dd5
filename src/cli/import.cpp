// SPDX-License-Identifier: BSD-3-Clause
// alltold import: other benchmarks' output into a campaign.
#include <fmt/format.h>

#include "cli/collective_options.hpp"
#include "core/text.hpp"
#include "store/campaign.hpp"
#include "store/import/import.hpp"

namespace alltold::cli {
namespace {

/// In place of a format.
constexpr std::string_view by_content = "auto";

/// Lines of one kind that are shown; more tell nothing new.
constexpr std::size_t most_lines_shown = 12;

struct ImportArguments {
    std::string format, campaign;
    std::vector<std::string> files;
    ImportRequest request;
};

/// The format's name may be left out: the first word is then a file.
const ImportFormat* take_format(ImportArguments& asked) {
    const auto found = std::ranges::find(import_formats(), asked.format, &ImportFormat::name);
    if (found != import_formats().end())
        return &*found;
    if (asked.format != by_content && !asked.format.empty())
        asked.files.insert(asked.files.begin(), asked.format);
    return nullptr;
}

Result<std::pair<std::string, std::string>> parse_only(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == text.npos || equals == 0)
        return bad_input(fmt::format("--only {}: expected COLUMN=VALUE", text));
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<std::string> parse_library(const std::string& text) {
    if (const auto shown = plain_text(text); shown != text || shown.size() > most_text_bytes)
        return bad_input(
            fmt::format("--library {}: expected at most {} characters that can be shown",
                        text.substr(0, 40), most_text_bytes));
    return text;
}

/// The first word may have been meant as a format.
Status check_first_word(const ImportArguments& asked) {
    std::error_code failed;
    if (asked.request.format || asked.format == by_content ||
        std::filesystem::exists(import_file(asked.format).name, failed))
        return Done{};
    return bad_input(fmt::format(
        "{}: no such file; expected the output of a benchmark, or one of the formats {} and {}",
        asked.format, import_format_names(), by_content));
}

/// The campaign that is to be added to; empty for a new one.
Result<std::optional<Provenance>> provenance_of(const std::string& campaign) {
    std::error_code failed;
    if (std::filesystem::file_size(campaign, failed) == 0 || failed)
        return std::optional<Provenance>();
    ALLTOLD_TRY(there, Campaign::read(campaign));
    ALLTOLD_TRY(provenance, there->provenance());
    return std::optional(std::move(*provenance));
}

void say_what_is_missing(const Imported& imported) {
    const auto& skipped = imported.skipped;
    for (std::size_t i = 0; i < std::min(skipped.size(), most_lines_shown); ++i)
        say(fmt::format("alltold: skipped: {}\n", one_line(skipped[i])));
    if (skipped.size() > most_lines_shown)
        say(fmt::format("alltold: skipped: {} more\n", skipped.size() - most_lines_shown));
    const auto means = std::ranges::count_if(imported.samples, [](const auto& added) {
        return added.second.summary && added.second.summary->mean_of_ranks;
    });
    if (means > 0)
        say(fmt::format(
            "alltold: {} over the ranks, as OSU prints without -f: the last rank takes longer\n",
            means == 1 ? "1 time is a mean" : fmt::format("{} times are means", means)));
    if (const auto& [lines, first] = imported.noise; lines > 0)
        say(fmt::format("alltold: {} to no benchmark, the first {}\n",
                        lines == 1 ? "1 line belongs" : fmt::format("{} lines belong", lines),
                        one_line(first)));
}

Result<ExitStatus> run_import(ImportArguments asked) {
    asked.request.format = take_format(asked);
    if (asked.files.empty())
        return bad_input("no files: name what the benchmark printed");
    ALLTOLD_TRY_DONE(check_first_word(asked));
    ALLTOLD_TRY(there, provenance_of(asked.campaign));
    std::vector<ImportFile> files;
    for (const auto& file : asked.files)
        files.push_back(import_file(file));
    ALLTOLD_TRY(imported, import_files(files, asked.request, *there));
    ALLTOLD_TRY(campaign, Campaign::resume(asked.campaign, imported->where, 1));
    ALLTOLD_TRY_DONE(campaign->add_all(imported->samples));
    say_what_is_missing(*imported);
    fmt::print("{} times imported into {}\n", imported->samples.size(), asked.campaign);
    return ExitStatus::done;
}

std::string formats_help() {
    std::string help;
    for (const auto& format : import_formats())
        help += fmt::format("{}{} ({})", help.empty() ? "" : ", ", format.name, format.help);
    return fmt::format("what printed the files: {}; {} or left out: as each file says", help,
                       by_content);
}

} // namespace

void declare_import(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<ImportArguments>();
    auto& subcommand = add_subcommand(
        app, "import", "Reads the times that other benchmarks printed into a campaign",
        "alltold import 2:osu_latency.txt 8:osu_alltoall.txt 16:osu_alltoall_16.txt -o net.db\n"
        "  alltold import imb IMB.log -o net.db\n"
        "  alltold import results/lumi/2025_03_16___14_58_59/0/*.csv -o lumi.db\n"
        "  alltold import times.csv --columns collective=op,bytes=size,time_us=avg,ranks=n -o "
        "net.db");
    subcommand.footer(
        "8:FILE says that 8 ranks on as many hosts took part, 2x32:FILE 2 hosts with 32 ranks "
        "each, 4+4:FILE two clusters of 4 hosts; a file that begins so is ./8:FILE. IMB and "
        "ReproMPI print the number. Further files, formats and numbers of ranks add to the "
        "campaign. KEY of --columns is collective, bytes (of a block, or of the whole vector of "
        "bcast, reduce and allreduce), total_bytes (of all blocks), total_count, time_s, time_ms, "
        "time_us, time_ns, ranks, hosts, ranks_per_host, clusters, algorithm, library or calls.");
    subcommand.add_option("format", asked->format, formats_help());
    subcommand.add_option("files", asked->files, "its output; each file adds one repetition");
    subcommand.add_option("-o,--output", asked->campaign, "campaign to write or to add to")
        ->required();
    auto& request = asked->request;
    add_clusters_of_call(
        subcommand, request.clusters,
        "the ranks of files that neither say nor are given theirs, such as 8, 2x32 or 4+4");
    add_parsed(subcommand, "--columns", request.columns, CsvColumns::parse,
               "what the columns of a table hold: KEY=COLUMN or KEY:VALUE,...");
    add_parsed(subcommand, "--only", request.columns.only, parse_only, // after --columns
               "only a table's rows with COLUMN=VALUE");
    add_parsed(
        subcommand, "--start", request.start_mode,
        [](const std::string& text) { return in_context("--start", parse_start_mode(text)); },
        "what repetitions followed: silence, barrier or loop (default: what the benchmark does)");
    add_parsed(subcommand, "--library", request.library, parse_library,
               "the MPI library that was measured (default: as the files say)");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_import(*asked); }; });
}

} // namespace alltold::cli
