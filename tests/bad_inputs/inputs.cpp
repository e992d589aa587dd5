// SPDX-License-Identifier: BSD-3-Clause
// The kinds of bad input, each with its share.
#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/text.hpp"

namespace alltold::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// No option takes one of these.
const Words nonsense{"",
                     "-",
                     "x",
                     "-1",
                     "nan",
                     "inf",
                     "1e999",
                     "--",
                     "1,,",
                     "4+",
                     "\xff",
                     "\x01\n",
                     "99999999999999999999",
                     "1e5q",
                     "-0.01",
                     "½",
                     "[1, 2, 3]",
                     "1e-400",
                     " "};

struct Option {
    Words command; ///< good without the option
    const char* name;
};

const std::array<Option, 46> options{
    Option{{"predict", "good.json", "alltoall", "-m", "1KiB"}, "-n"},
    Option{{"predict", "good.json", "alltoall", "-n", "4"}, "-m"},
    Option{{"predict", "good.json", "alltoall", "-m", "1KiB"}, "--clusters"},
    Option{{"predict", "good.json", "bcast", "-n", "4", "-m", "1KiB"}, "--algorithm"},
    Option{{"predict", "good.json", "bcast", "-n", "4", "-m", "1KiB"}, "--segment"},
    Option{{"predict", "good.json", "gather", "-n", "4", "-m", "1KiB"}, "--window"},
    Option{{"predict", "good.json", "bcast", "-n", "4", "-m", "1KiB"}, "--root"},
    Option{{"predict", "good.json", "alltoall", "-n", "4", "-m", "1KiB"}, "--model"},
    Option{{"predict", "good.json", "exchange"}, "--digraph"},
    Option{{"predict", "good.json", "alltoallv", "-n", "4", "-m", "1KiB"}, "--matrix"},
    Option{{"rank", "good.json", "alltoall", "-m", "1KiB"}, "-n"},
    Option{{"rank", "good.json", "alltoall", "-n", "4"}, "-m"},
    Option{{"rank", "good.json", "alltoall", "-m", "1KiB"}, "--clusters"},
    Option{{"show", "alltoall.direct"}, "-n"},
    Option{{"show", "alltoall.direct", "-n", "4"}, "-m"},
    Option{{"show", "alltoall.lg"}, "--clusters"},
    Option{{"show", "bcast.binomial", "-n", "4"}, "--root"},
    Option{{"show", "bcast.chain_segmented", "-n", "4"}, "--segment"},
    Option{{"show", "gather.windowed", "-n", "4"}, "--window"},
    Option{{"fit", "good.db", "-o", "new.json"}, "--max-ranks"},
    Option{{"fit", "good.db", "-o", "new.json"}, "--hold-out"},
    Option{{"fit", "good.db", "-o", "new.json"}, "--seed"},
    Option{{"validate", "good.db", "good.json"}, "--algorithm-model"},
    Option{{"lab"}, "--nic"},
    Option{{"lab"}, "--buffer"},
    Option{{"lab"}, "--clusters"},
    Option{{"list"}, "--collective"},
    Option{{"import", "osu", "good.osu", "-o", "new.db"}, "--clusters"},
    Option{{"export", "openmpi", "good.json", "-o", "new.rules"}, "--version"},
    Option{{"lint", "good.rules"}, "--for"},
    Option{{"report", "good.db", "-o", "new.html"}, "--profile"},
    Option{{"diff", "good.db", "good.db"}, "--threshold"},
    Option{{"study"}, "--clusters"},
    Option{{"study"}, "--budget"},
    Option{{"study"}, "--precision"},
    Option{{"study"}, "--collective"},
    Option{{"study"}, "--start"},
    Option{{"study"}, "--nic"},
    Option{{"study"}, "--settings"},
    Option{{"study"}, "--seed"},
    Option{{"run", "bcast"}, "-m"},
    Option{{"run", "bcast", "-m", "1KiB"}, "--algorithm"},
    Option{{"run", "bcast", "-m", "1KiB"}, "--repetitions"},
    Option{{"settings", "alltoall"}, "-m"},
    Option{{"settings", "alltoall"}, "--budget"},
    Option{{"settings", "alltoall"}, "--start"},
};

/// What errors call an option or its value.
const std::array<std::pair<const char*, Words>, 8> other_names{{
    {"-n", {"--ranks"}},
    {"-m", {"--size"}},
    {"--algorithm", {"algorithm"}},
    {"--collective", {"collective"}},
    {"--model", {"model"}},
    {"--algorithm-model", {"model"}},
    {"--only", {"probe"}},
    {"--for", {"library"}},
}};

/// Where "FILE" stands, a file is read. Not by exec: the program's preload library reads the
/// profile, and only warns.
const std::array<Words, 14> readers{
    Words{"fit", "FILE", "-o", "new.json"},
    Words{"validate", "FILE", "good.json"},
    Words{"validate", "good.db", "FILE"},
    Words{"predict", "FILE", "alltoall", "-n", "4", "-m", "1KiB"},
    Words{"predict", "good.json", "exchange", "--digraph", "FILE"},
    Words{"predict", "good.json", "alltoallv", "-n", "3", "--matrix", "FILE"},
    Words{"rank", "FILE", "bcast", "-n", "4", "-m", "1KiB"},
    Words{"rules", "FILE"},
    Words{"import", "osu", "FILE", "--clusters", "4", "-o", "new.db"},
    Words{"export", "csv", "FILE"},
    Words{"export", "openmpi", "FILE", "-o", "new.rules"},
    Words{"lint", "FILE"},
    Words{"report", "FILE", "-o", "new.html"},
    Words{"diff", "good.db", "FILE"},
};

/// None of them can be read as anything.
const Words unreadable{"none",      "folder",    "pipe",  "/dev/zero", "/dev/full",
                       "/dev/null", "/dev/tty0", "noise", "empty",     "none/none",
                       "good.svg",  "\xff\x9b",  "a\nb"};

/// Good commands that print.
const std::array<Words, 8> printers{
    Words{"list"},
    Words{"--help"},
    Words{"rank", "good.json", "bcast", "-n", "4", "-m", "1KiB", "--json"},
    Words{"predict", "good.json", "alltoall", "-n", "4", "-m", "1KiB"},
    Words{"show", "bcast.binomial", "-n", "8"},
    Words{"export", "csv", "good.db"},
    Words{"diff", "good.db", "good.db"},
    Words{"rules", "good.json"},
};

/// Numbers that are good as such and too large for what is asked.
const std::array<Words, 16> too_large{
    Words{"show", "alltoall.direct", "-n", "3000"},
    Words{"show", "alltoall.bruck", "-n", "3000", "--json"},
    Words{"show", "alltoall.direct", "-n", "1000000000"},
    Words{"show", "bcast.chain_segmented", "-n", "4", "--segment", "1", "-m", "1GiB"},
    Words{"show", "bcast.circulant", "-n", "100", "--segment", "1", "-m", "9e6GB"},
    Words{"show", "alltoall.paced", "-n", "4", "--segment", "1", "-m", "1GiB"},
    Words{"show", "gather.flat", "-n", "1000000"},
    Words{"show", "alltoall.direct", "-n", "100", "-m", "9e6GB"},
    Words{"show", "alltoall.lg", "--clusters", "2000+2000"},
    Words{"rank", "good.json", "alltoall", "-n", "1000000000", "-m", "1"},
    Words{"rank", "good.json", "alltoall", "-n", "100000", "-m", "9e6GB"},
    Words{"predict", "good.json", "alltoall", "-n", "1000000000", "-m", "1"},
    Words{"predict", "good.json", "scatter", "-n", "1000000", "-m", "9e6GB"},
    Words{"predict", "good.json", "alltoallv", "-n", "100000", "-m", "1", "--matrix", "skewed"},
    Words{"predict", "@fast-ethernet-1999", "bcast", "-n", "4000", "-m", "1GiB", "--algorithm",
          "chain_segmented", "--segment", "1"},
    Words{"predict", "@fast-ethernet-1999", "alltoall", "-n", "100000", "-m", "1KiB", "--algorithm",
          "direct"},
};

const Words row_edits{
    "UPDATE network SET clusters = '1000000'",
    "UPDATE network SET clusters = '1+1+1+1+1+1+1+1'",
    "UPDATE network SET clusters = 'x'",
    "UPDATE network SET clusters = ''",
    "UPDATE network SET start_mode = 'never'",
    "DELETE FROM network",
    "DELETE FROM host",
    "UPDATE OR IGNORE point SET clusters = '500000+500000'",
    "UPDATE OR IGNORE point SET clusters = '0'",
    "UPDATE OR IGNORE point SET size_bytes = -1",
    "UPDATE OR IGNORE point SET size_bytes = 9223372036854775807",
    "UPDATE OR IGNORE point SET size_bytes = 1e300",
    "UPDATE OR IGNORE point SET first_rank = 1000000",
    "UPDATE OR IGNORE point SET second_rank = -7",
    "UPDATE OR IGNORE point SET count = -1",
    "UPDATE sample SET time_s = 1e300",
    "UPDATE sample SET time_s = 9e999",
    "UPDATE sample SET time_s = 'soon'",
    "ALTER TABLE sample RENAME TO measurements",
    "ALTER TABLE point RENAME COLUMN count TO number",
    "PRAGMA application_id = 1",
    "PRAGMA user_version = 99",
};

} // namespace

BadInputs::BadInputs(std::string folder, GoodFiles good, unsigned seed)
    : folder_(std::move(folder)), good_(std::move(good)), profiles_{good_.profile},
      stores_{good_.store}, rules_{good_.rules}, matrices_{good_.matrix}, digraphs_{good_.digraph},
      mutator_(rules_, seed), profile_edits_(profiles_, seed + 1), store_edits_(stores_, seed + 2),
      rule_edits_(rules_, seed + 3), matrix_edits_(matrices_, seed + 4),
      digraph_edits_(digraphs_, seed + 5) {}

void BadInputs::write(const std::string& name, const std::string& text) const {
    std::ofstream(fs::path(folder_) / name, std::ios::binary) << text;
}

BadCommand BadInputs::next() {
    switch (mutator_.below(16)) {
    case 0:
    case 1:
    case 2:
        return edited_profile();
    case 3:
        return edited_store();
    case 4:
        return edited_rows();
    case 5:
        return edited_rules();
    case 6:
        return edited_matrix();
    case 7:
        return too_much();
    case 8:
        return wrong_output();
    case 9:
    case 10:
        return wrong_file();
    case 11:
        return wrong_stream();
    default:
        return wrong_option();
    }
}

BadCommand BadInputs::edited_profile() {
    write("edited.json", profile_edits_.next());
    const std::array<Words, 5> commands{
        Words{"predict", "edited.json", "alltoall", "-n", "4", "-m", "64KiB"},
        Words{"rank", "edited.json", "bcast", "-n", "4", "-m", "64KiB"},
        Words{"rank", "edited.json", "alltoall", "--clusters", "2+2", "-m", "3000", "--json"},
        Words{"rules", "edited.json"}, Words{"validate", "good.db", "edited.json"}};
    return {any(commands), {"edited.json", "edited"}, true};
}

BadCommand BadInputs::edited_store() {
    write("edited.db", store_edits_.next());
    const std::array<Words, 2> commands{Words{"fit", "edited.db", "-o", "new.json"},
                                        Words{"validate", "edited.db", "good.json"}};
    return {any(commands),
            {"edited.db"},
            true,
            {"new.json", "edited.db-wal", "edited.db-shm"}}; // its header may ask for a log
}

BadCommand BadInputs::edited_rows() {
    write("edited.db", good_.store);
    SQLite::Database(fs::path(folder_) / "edited.db", SQLite::OPEN_READWRITE).exec(any(row_edits));
    const std::array<Words, 2> commands{Words{"fit", "edited.db", "-o", "new.json"},
                                        Words{"validate", "edited.db", "good.json"}};
    return {any(commands), {"edited.db", "sqlite"}, false};
}

BadCommand BadInputs::edited_rules() {
    write("edited.rules", rule_edits_.next());
    const std::array<Words, 2> commands{
        Words{"rules", "good.json", "--rules", "edited.rules"},
        Words{"rank", "good.json", "bcast", "-n", "4", "-m", "64KiB", "--rules", "edited.rules"}};
    return {any(commands), {"edited.rules"}, true};
}

BadCommand BadInputs::edited_matrix() {
    if (mutator_.below(2) == 0) {
        write("edited.matrix", matrix_edits_.next());
        return {{"predict", "good.json", "alltoallv", "-n", "3", "--matrix", "edited.matrix"},
                {"edited.matrix", "-m", "good.json"},
                true};
    }
    write("digraph.json", digraph_edits_.next());
    return {
        {"predict", "good.json", "exchange", "--digraph", "digraph.json"}, {"digraph.json"}, true};
}

BadCommand BadInputs::wrong_option() {
    const auto option = any(options);
    auto words = option.command;
    const auto value = any(nonsense);
    words.insert(words.end(), {option.name, value});
    Words names{option.name};
    for (const auto& [name, others] : other_names)
        if (std::string_view(name) == option.name)
            names.insert(names.end(), others.begin(), others.end());
    if (value.size() > 2) // shorter ones are in any text
        names.push_back(value);
    if (!value.empty())
        names.push_back(plain_text(value) + ":"); // a file
    BadCommand command{std::move(words), std::move(names)};
    constexpr std::array<const char*, 4> variables{"", "SLURM_PROCID", "PMI_RANK",
                                                   "OMPI_COMM_WORLD_RANK"};
    command.variable = any(variables);
    if (!command.variable.empty()) // there may seem to be a launcher
        command.names.insert(command.names.end(), {"launcher", "ranks", "mpirun"});
    return command;
}

BadCommand BadInputs::too_much() {
    return {any(too_large), {"-n", "-m", "rank", "segment", "operations"}, false};
}

BadCommand BadInputs::wrong_output() {
    const std::array<Words, 15> commands{
        Words{"fit", "good.db", "-o", "good.db"},
        Words{"report", "good.db", "-o", "good.db"},
        Words{"report", "good.db", "-o", "pipe"},
        Words{"export", "csv", "good.db", "-o", "good.json"},
        Words{"export", "csv", "good.db", "-o", "/dev/full"},
        Words{"show", "bcast.flat", "-n", "3", "-m", "8", "--goal", "good.db"},
        Words{"import", "osu", "good.osu", "--clusters", "4", "-o", "good.db"},
        Words{"import", "osu", "good.osu", "--clusters", "4", "-o", "good.json"},
        Words{"fit", "good.db", "-o", "folder"},
        Words{"fit", "good.db", "-o", "none/new.json"},
        Words{"fit", "good.db", "-o", ""},
        Words{"rules", "good.json", "--write", "-o", "good.db"},
        Words{"show", "bcast.flat", "-n", "3", "--svg", "good.db"},
        Words{"show", "bcast.flat", "-n", "3", "--svg", "folder"},
        Words{"rules", "@gigabit-ethernet-2007", "--write"}};
    return {any(commands),
            {"good.db", "good.json", "folder", "none", "pipe", "/dev/full", "--write", "-o",
             "empty", "@gigabit"},
            false};
}

BadCommand BadInputs::wrong_file() {
    write("noise", std::string(200, '\xfe'));
    write("empty", "");
    write("good.svg", "<svg></svg>\n");
    auto words = any(readers);
    const auto file = any(unreadable);
    std::ranges::replace(words, "FILE", file);
    return {std::move(words), {plain_text(file)}, false};
}

BadCommand BadInputs::wrong_stream() {
    BadCommand command;
    switch (mutator_.below(4)) {
    case 0: // nothing can be said
        command.words = {"predict", "none", "bcast", "-n", "2", "-m", "1"};
        command.streams = mutator_.below(2) == 0 ? "2>&-" : "2>/dev/full";
        return command;
    case 1:
        command.streams = ">&- <&-";
        break;
    case 2:
        command.streams = ">&-";
        break;
    default:
        command.streams = ">/dev/full";
    }
    command.words = any(printers);
    command.names = {"standard output"};
    return command;
}

} // namespace alltold::test
