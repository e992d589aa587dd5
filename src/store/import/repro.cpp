// SPDX-License-Identifier: BSD-3-Clause
// The times of ReproMPI: of every repetition, or a summary.
#include <fmt/format.h>

#include "core/limits.hpp"
#include "store/import/readers.hpp"

namespace alltold {
namespace {

struct ReproColumns {
    std::size_t test = 0, size = 0, time = 0, count = 0;
    std::optional<std::size_t> errors, valid; ///< of a repetition, and of a summary
    bool in_bytes = true;                     ///< sizes, else elements of the datatype

    /// Empty for a line without these titles.
    static std::optional<ReproColumns> of(const std::vector<std::string_view>& titles) {
        const auto at = [&](std::string_view title) { return place_in(titles, title); };
        const auto test = at("test");
        auto size = at("msize"), time = at("runtime_sec");
        size = size ? size : at("msize_bytes");
        const bool in_bytes = size.has_value();
        size = size ? size : at("count");
        time = time ? time : at("median_sec");
        time = time ? time : at("mean_sec");
        if (!test || !size || !time)
            return std::nullopt;
        return ReproColumns{*test,   *size, *time, titles.size(), at("errorcode"), at("valid_nrep"),
                            in_bytes};
    }
};

/// "MPI_Bcast", unlike "MPI_ABORT was invoked".
bool names_call(std::string_view word) {
    return word.starts_with("MPI_") && word.size() > 5 && word[5] >= 'a' && word[5] <= 'z';
}

class ReproReader {
  public:
    explicit ReproReader(const ImportSource& source) : source_(source) {}

    Result<ImportedTimes> read() {
        read_.start_mode = StartMode::silence; // of windows, unless the text says otherwise
        for (const auto& line : source_.lines)
            ALLTOLD_TRY_DONE(take(line));
        return std::move(read_);
    }

  private:
    Status take(const TextLine& line) {
        const auto words = words_of(line.text);
        if (words.empty())
            return Done{};
        if (line.text.starts_with('#'))
            return take_setting(line);
        if (const auto titles = ReproColumns::of(words)) {
            columns_ = titles;
            return Done{};
        }
        if (has_repro_titles(words)) // such as a summary of extremes
            return bad_line(source_, line,
                            "expected the columns test, msize or count, and runtime_sec, "
                            "median_sec or mean_sec");
        if (!names_call(words[0]) &&
            !(columns_ && words.size() == columns_->count && count_of(words[columns_->size]))) {
            read_.noise.add(source_.file, line);
            return Done{};
        }
        if (!columns_)
            return bad_line(source_, line,
                            "expected the titles test, nrep, msize and runtime_sec first");
        return take_row(line, words);
    }

    /// "#@nprocs=8".
    Status take_setting(const TextLine& line) {
        const std::string_view text = line.text;
        const auto equals = text.find('=');
        if (!text.starts_with("#@") || equals == text.npos)
            return Done{};
        const auto key = text.substr(2, equals - 2), value = text.substr(equals + 1);
        const auto number = count_of(value);
        if (key == "nprocs") {
            ALLTOLD_TRY(ranks, processes_of(source_, line, value));
            ranks_ = *ranks;
        } else if (key == "datatype_extent_bytes" || key == "datatype_size_bytes") {
            if (!number || *number < 1)
                return bad_line(source_, line, "expected a size in bytes");
            element_ = number;
        } else if (key == "sync" || key == "procsync" || key == "process_sync") {
            read_.start_mode = value.find("arrier") != value.npos ? StartMode::barrier
                               : value == "None"                  ? StartMode::loop
                                                                  : StartMode::silence;
        }
        return Done{};
    }

    Status take_row(const TextLine& line, const std::vector<std::string_view>& words) {
        if (words.size() != columns_->count)
            return bad_line(source_, line, fmt::format("expected {} words", columns_->count));
        const auto size = count_of(words[columns_->size]);
        if (!size)
            return bad_line(source_, line, "expected a size in bytes");
        const auto valid =
            columns_->valid ? count_of(words[*columns_->valid]) : std::optional<std::uint64_t>(1);
        if (!valid)
            return bad_line(source_, line, "expected a number of valid repetitions");
        if (*valid == 0 || (columns_->errors && words[*columns_->errors] != "0")) {
            read_.skip(fmt::format("{}: repetitions outside of their window", source_.file));
            return Done{};
        }
        const auto time_s = seconds_of(words[columns_->time], 1);
        if (!time_s)
            return bad_line(source_, line, "expected seconds");
        const auto collective = benchmarked_collective(words[columns_->test]);
        if (!collective) {
            read_.skip(fmt::format("{}: alltold has no probe for {}", source_.file,
                                   words[columns_->test]));
            return Done{};
        }
        if (!columns_->in_bytes && !element_)
            return bad_line(source_, line,
                            "a count without '#@datatype_size_bytes=' or "
                            "'#@datatype_extent_bytes=' before it");
        const auto ranks = ranks_of_call(source_, ranks_);
        if (!ranks)
            return ranks_ > 0 ? bad_line(source_, line, ranks.error().message) : ranks.error();
        Sample sample{.value = *time_s};
        if (columns_->valid)
            sample.summary = Summary{*valid, false};
        const auto element = columns_->in_bytes ? 1 : *element_;
        // Sizes are those of alltold: of a block, also in MPI_Reduce_scatter.
        const auto size_bytes =
            *size <= most_size_bytes / element ? *size * element : most_size_bytes;
        return add_collective(read_, source_, line, *collective, *ranks, size_bytes, sample);
    }

    const ImportSource& source_;
    ImportedTimes read_;
    std::optional<ReproColumns> columns_;
    std::optional<std::uint64_t> element_; ///< bytes of one
    int ranks_ = 0;
};

} // namespace

Result<ImportedTimes> read_repro(const ImportSource& source) {
    return ReproReader(source).read();
}

} // namespace alltold
