// SPDX-License-Identifier: BSD-3-Clause
// The table of formats, which of them a file has, and many files as one campaign.
#include "store/import/import.hpp"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text_file.hpp"
#include "store/import/csv_table.hpp"
#include "store/same_network.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

bool begins_osu(std::string_view line) {
    return line.starts_with("# OSU ");
}
bool begins_imb(std::string_view line) {
    return line.starts_with("# Benchmarking ");
}
bool begins_repro(std::string_view line) {
    return line.starts_with("#@reproMPI") || line.starts_with("#@nprocs=") ||
           has_repro_titles(words_of(line));
}
bool begins_skampi(std::string_view line) {
    return line.find("begin result \"") != line.npos;
}
bool begins_pico(std::string_view line) {
    return line == pico_title || line.starts_with("highest,rank");
}

constexpr std::array formats{
    ImportFormat{"osu",
                 "OSU Micro-Benchmarks: collectives, osu_latency, osu_bw, osu_bibw, osu_mbw_mr",
                 begins_osu, read_osu},
    ImportFormat{"imb", "Intel MPI Benchmarks: collectives, PingPong, Sendrecv", begins_imb,
                 read_imb},
    ImportFormat{"repro", "ReproMPI: all repetitions, or a summary", begins_repro, read_repro},
    ImportFormat{"skampi", "SKaMPI 5: collectives, Pingpong_Send_Recv", begins_skampi, read_skampi},
    ImportFormat{"pico", "PICO: raw files or their summary", begins_pico, read_pico},
    ImportFormat{"csv", "tables: what export csv writes, others by --columns", is_known_table,
                 read_csv}};

/// Lines in a row that have one format.
struct Part {
    const ImportFormat* format;
    std::span<const TextLine> lines;
};

/// Lines before a format's first one are of that format too.
std::vector<Part> parts_of(std::span<const TextLine> lines) {
    std::vector<Part> parts;
    std::size_t from = 0;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const auto found = std::ranges::find_if(
            formats, [&](const ImportFormat& one) { return one.begins(lines[at].text); });
        if (found == formats.end() || (!parts.empty() && parts.back().format == &*found))
            continue;
        if (!parts.empty()) {
            parts.back().lines = lines.subspan(from, at - from);
            from = at;
        }
        parts.push_back({&*found, {}});
    }
    if (!parts.empty())
        parts.back().lines = lines.subspan(from);
    return parts;
}

/// Shows the lines that a person would look at first.
Error unknown_format(const ImportSource& source) {
    constexpr std::size_t most_shown = 3, most_characters = 40;
    std::vector<std::string> shown;
    std::size_t filled = 0;
    for (const auto& line : source.lines)
        if (!line.text.empty() && filled++ < most_shown)
            shown.push_back(fmt::format("'{}'", line.text.substr(0, most_characters)));
    return bad_input(fmt::format(
        "{}: no heading of a known benchmark in {} lines, which begin {}; known are {}; for a "
        "table with titles give --columns",
        source.file, filled, filled == 0 ? "nowhere" : fmt::format("{}", fmt::join(shown, ", ")),
        import_format_names()));
}

/// A format and the lines of a file that have it; all of them for a format that the user named.
Result<std::vector<Part>> parts_to_read(const ImportSource& source, const ImportRequest& request) {
    if (request.format)
        return std::vector{Part{request.format, source.lines}};
    auto parts = parts_of(source.lines);
    if (parts.empty() && !request.columns.of.empty())
        parts.push_back({&formats.back(), source.lines});
    return parts.empty() ? Result<std::vector<Part>>(unknown_format(source)) : std::move(parts);
}

/// The parts of all files, and what was said about them.
struct ReadFiles {
    std::vector<ImportedTimes> parts;
    std::vector<std::string_view> formats; ///< each once
    std::optional<Clusters> world;         ///< all ranks that are known
    std::string library;
};

Status read_file(ReadFiles& all, Imported& imported, const ImportFile& file,
                 const ImportRequest& request) {
    ALLTOLD_TRY(text, read_text_file(file.name, "the output of a benchmark", most_data_bytes));
    const auto lines = lines_of(*text);
    const ImportSource source{lines, file.name, file.clusters ? file.clusters : request.clusters,
                              request.columns};
    ALLTOLD_TRY(parts, parts_to_read(source, request));
    unite(all.world, source.clusters);
    std::size_t times = 0;
    for (const auto& [format, of_part] : *parts) {
        auto part_of_source = source;
        part_of_source.lines = of_part;
        ALLTOLD_TRY(read, format->read(part_of_source));
        if (!read->library.empty() && request.library.empty()) {
            if (!all.library.empty() && all.library != read->library)
                return bad_input(fmt::format("{}: of library '{}', after a file of '{}': a "
                                             "campaign is of one; name it by --library",
                                             file.name, read->library, all.library));
            all.library = read->library;
        }
        unite(all.world, read->world);
        imported.noise.add(read->noise);
        std::ranges::move(read->skipped, std::back_inserter(imported.skipped));
        if (std::ranges::count(all.formats, format->name) == 0)
            all.formats.push_back(format->name);
        times += read->times.size();
        all.parts.push_back(std::move(*read));
    }
    if (times == 0)
        imported.skipped.push_back(
            fmt::format("{}: no times of {} found", file.name, parts->front().format->name));
    return Done{};
}

/// The start mode of a new campaign's collectives.
StartMode usual_start(const std::vector<ImportedTimes>& parts) {
    for (const auto& part : parts)
        for (const auto& time : part.times)
            if (CollectiveProbe::parse(time.point.probe))
                return part.start_mode;
    return StartMode::barrier;
}

/// The point as one of a campaign of the ranks `to` whose collectives follow `usual`.
Point placed(Point point, const Clusters& from, const Clusters& to, StartMode start_mode,
             StartMode usual) {
    for (int* rank : {&point.first_rank, &point.second_rank})
        if (*rank >= 0)
            *rank = moved_rank(*rank, from, to);
    if (auto probe = CollectiveProbe::parse(point.probe); probe && !probe->within) {
        const auto own = probe->start_mode.value_or(start_mode);
        probe->start_mode = own == usual ? std::nullopt : std::optional(own);
        point.probe = probe->text();
    }
    return point;
}

} // namespace

std::span<const ImportFormat> import_formats() {
    return formats;
}

std::string import_format_names() {
    return fmt::format("{}", fmt::join(formats | std::views::transform(&ImportFormat::name), ", "));
}

ImportFile import_file(std::string_view text) {
    if (const auto colon = text.find(':'); colon != text.npos && colon + 1 < text.size())
        if (const auto clusters = Clusters::parse(text.substr(0, colon)))
            return {std::string(text.substr(colon + 1)), *clusters};
    return {std::string(text), std::nullopt};
}

Result<Imported> import_files(std::span<const ImportFile> files, const ImportRequest& request,
                              const std::optional<Provenance>& there) {
    ReadFiles all;
    Imported imported;
    for (const auto& file : files)
        ALLTOLD_TRY_DONE(read_file(all, imported, file, request));
    if (std::ranges::all_of(all.parts, [](const auto& part) { return part.times.empty(); }))
        return bad_input("nothing to import: " + imported.skipped.front());
    const bool tables = std::ranges::any_of(
        all.formats, [](std::string_view name) { return name == "csv" || name == "pico"; });
    if (!tables && !(request.columns.of.empty() && request.columns.only.first.empty()))
        return bad_input("--columns and --only: none of the files is a table");
    if (there)
        unite(all.world, there->clusters);
    if (request.start_mode)
        for (auto& part : all.parts)
            part.start_mode = *request.start_mode;
    auto& where = imported.where;
    where.clusters = *all.world;
    where.clusters_from = request.clusters ? "given by --clusters" : "from the files";
    where.hosts = imported_hosts(where.clusters);
    where.mpi_library = !request.library.empty() ? request.library
                        : all.library.empty()    ? std::string(unknown_library)
                                                 : all.library;
    where.kernel = "not known";
    where.clock_method = fmt::format("{}{}", imported_from, fmt::join(all.formats, ", "));
    where.start_mode = there ? there->start_mode : usual_start(all.parts);
    for (auto& part : all.parts)
        for (auto& [point, sample] : part.times)
            imported.samples.emplace_back(placed(std::move(point), *part.world, where.clusters,
                                                 part.start_mode, where.start_mode),
                                          sample);
    return imported;
}

} // namespace alltold
