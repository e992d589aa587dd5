// SPDX-License-Identifier: BSD-3-Clause
// Times that other benchmarks printed, as samples of a campaign.
#pragma once

#include <map>

#include "network/samples.hpp"
#include "store/import/lines.hpp"

namespace alltold {

/// One time, whose ranks are those of the text it is from.
struct ImportedTime {
    Point point;
    Sample sample; ///< the value above 0
};

/// The contents of a file.
struct ImportedTimes {
    std::vector<ImportedTime> times;
    std::vector<std::string>
        skipped; ///< what is there and not imported, with the reason, a line each
    Noise noise;
    std::optional<Clusters> world; ///< of the ranks that `times` name; empty without any
    std::string library;           ///< the MPI library; empty: the text does not say it
    StartMode start_mode = StartMode::barrier; ///< what its repetitions follow

    void add(const Clusters& ranks, ImportedTime time);
    /// Adds the line unless it is there.
    void skip(std::string line);
};

/// Adds hosts and ranks that are known, if any.
void unite(std::optional<Clusters>& world, const std::optional<Clusters>& with);

/// The columns of a table that hold what a time needs, by what they hold: the title of a column, or
/// the value of all rows.
struct CsvColumns {
    struct Where {
        std::string text;
        bool fixed = false; ///< the value itself
    };
    std::map<std::string, Where, std::less<>> of;
    /// Only rows that have this value in this column; all if the title is empty.
    std::pair<std::string, std::string> only;

    /// "collective=op,bytes=size,time_us=avg,ranks:8". Fails for an unknown name, listing them.
    static Result<CsvColumns> parse(std::string_view text);
};

/// The lines of a file or of a part of it, its name, and what the user said about it.
struct ImportSource {
    std::span<const TextLine> lines;
    std::string file;
    std::optional<Clusters> clusters = {}; ///< the ranks that took part where the text does not say
    CsvColumns columns = {};
};

/// A benchmark whose output can be read, or another kind of table.
struct ImportFormat {
    std::string_view name; ///< as `alltold import` takes it
    std::string_view help; ///< one line
    /// Whether a text of this format has such a line and one of another has none.
    bool (*begins)(std::string_view line);
    /// Fails naming file and line of the first malformed line.
    Result<ImportedTimes> (*read)(const ImportSource& source);
};

/// osu, imb, repro, skampi, pico, csv.
std::span<const ImportFormat> import_formats();
/// "osu, imb, repro, skampi, pico, csv".
std::string import_format_names();

/// A file with the ranks that are given for it.
struct ImportFile {
    std::string name;
    std::optional<Clusters> clusters;
};
/// "results.txt", "8:results.txt", "2x32:results.txt" (2 hosts with 32 ranks each).
ImportFile import_file(std::string_view text);

/// Options of the user for all files.
struct ImportRequest {
    const ImportFormat* format = nullptr;  ///< null: as the content of each file says
    std::optional<Clusters> clusters = {}; ///< of files that say no ranks and are given none
    CsvColumns columns = {};
    std::optional<StartMode> start_mode = {}; ///< what repetitions follow; empty: the format's
    std::string library = {};                 ///< the MPI library; empty: as the files say
};

/// All that is to be added to a campaign.
struct Imported {
    std::vector<std::pair<Point, Sample>> samples;
    Provenance where;
    std::vector<std::string> skipped;
    Noise noise;
};

/// Reads all files into what is to be added to a campaign of the network `there`, or to a new one.
/// Fails naming file and line of the first malformed line; for a file of no known format, saying
/// what was understood of it; where files name several MPI libraries.
Result<Imported> import_files(std::span<const ImportFile> files, const ImportRequest& request,
                              const std::optional<Provenance>& there = {});

} // namespace alltold
