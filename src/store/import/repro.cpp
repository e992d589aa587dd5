// SPDX-License-Identifier: BSD-3-Clause
// The times of ReproMPI: of every repetition, or a summary.
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/limits.hpp"
#include "store/import/readers.hpp"

namespace alltold {
namespace {

struct ReproColumns {
    std::size_t test = 0, size = 0, time = 0, count = 0;
    std::optional<std::size_t> errors, valid; ///< of a repetition, and of a summary
    /// With --verbose: each process of each repetition has a row. `time` is when it began.
    struct OfProcess {
        std::size_t process, repetition, end;
    };
    std::optional<OfProcess> each;
    bool in_bytes = true; ///< sizes, else elements of the datatype

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
        // Windows compare clocks, so that their ranks' instants are comparable.
        const bool windows = at("errorcode").has_value();
        const auto process = at("process"), repetition = at("nrep"),
                   begin = at(windows ? "gl_tstart_sec" : "loc_tstart_sec"),
                   end = at(windows ? "gl_tend_sec" : "loc_tend_sec");
        const bool verbose = process && repetition && begin && end;
        if (!test || !size || (process ? !verbose : !time))
            return std::nullopt;
        ReproColumns columns{*test,
                             *size,
                             verbose ? *begin : *time,
                             titles.size(),
                             at("errorcode"),
                             at("valid_nrep"),
                             {},
                             in_bytes};
        if (verbose)
            columns.each = OfProcess{*process, *repetition, *end};
        return columns;
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
        ALLTOLD_TRY_DONE(add_verbose());
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
                            "median_sec or mean_sec, or process, nrep, loc_tstart_sec and "
                            "loc_tend_sec");
        const bool verbose = columns_ && columns_->each && words.size() > 1 && count_of(words[0]);
        if (!names_call(words[verbose ? 1 : 0]) &&
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
        const bool missed = *valid == 0 || (columns_->errors && words[*columns_->errors] != "0");
        if (missed && !columns_->each)
            return skip_missed();
        const auto time_s =
            columns_->each ? std::optional(0.) : seconds_of(words[columns_->time], 1);
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
        if (columns_->each)
            return take_process(
                line, words,
                {line, *collective, *ranks, size_bytes, columns_->errors.has_value(), missed});
        return add_collective(read_, source_, line, *collective, *ranks, size_bytes, sample);
    }

    Status skip_missed() {
        read_.skip(fmt::format("{}: repetitions outside of their window", source_.file));
        return Done{};
    }

    /// A repetition while the rows of its processes are read.
    struct Verbose {
        TextLine line; ///< the first one
        Collective collective;
        Clusters ranks;
        std::uint64_t size_bytes;
        bool windows; ///< it began in one
        bool missed;  ///< that
        double first_s = INFINITY, last_s = -INFINITY, longest_s = 0;
        std::set<std::uint64_t> processes = {};
    };

    Status take_process(const TextLine& line, const std::vector<std::string_view>& words,
                        const Verbose& begun) {
        const auto& each = *columns_->each;
        const auto process = count_of(words[each.process]),
                   repetition = count_of(words[each.repetition]);
        const auto begin_s = number_of(words[columns_->time]), end_s = number_of(words[each.end]);
        if (!process || !repetition)
            return bad_line(source_, line, "expected the numbers of a process and a repetition");
        if (!begin_s || !end_s || !(*end_s > *begin_s))
            return bad_line(source_, line, "expected seconds, and an end after its start");
        const auto [known, added] =
            newest_.try_emplace({begun.collective, begun.size_bytes, *repetition}, verbose_.size());
        // A process that comes again does so in the benchmark's next run.
        if (!added && verbose_[known->second].processes.contains(*process))
            known->second = verbose_.size();
        if (known->second == verbose_.size())
            verbose_.push_back(begun);
        auto& call = verbose_[known->second];
        call.processes.insert(*process);
        call.missed = call.missed || begun.missed;
        call.first_s = std::min(call.first_s, *begin_s);
        call.last_s = std::max(call.last_s, *end_s);
        call.longest_s = std::max(call.longest_s, *end_s - *begin_s);
        return Done{};
    }

    /// As ReproMPI sums up processes: the longest of any, or after windows from the first start to
    /// the last end.
    Status add_verbose() {
        for (const auto& call : verbose_) {
            if (call.missed) {
                ALLTOLD_TRY_DONE(skip_missed());
            } else if (static_cast<int>(call.processes.size()) != call.ranks.ranks()) {
                read_.skip(at_line(source_, call.line,
                                   fmt::format("{} of {} processes have a row",
                                               call.processes.size(), call.ranks.ranks())));
            } else {
                ALLTOLD_TRY_DONE(add_collective(
                    read_, source_, call.line, call.collective, call.ranks, call.size_bytes,
                    {.value = call.windows ? call.last_s - call.first_s : call.longest_s}));
            }
        }
        return Done{};
    }

    const ImportSource& source_;
    ImportedTimes read_;
    std::optional<ReproColumns> columns_;
    std::optional<std::uint64_t> element_; ///< bytes of one
    std::vector<Verbose> verbose_;
    /// Where the newest of a number of repetition is.
    std::map<std::tuple<Collective, std::uint64_t, std::uint64_t>, std::size_t> newest_;
    int ranks_ = 0;
};

} // namespace

Result<ImportedTimes> read_repro(const ImportSource& source) {
    return ReproReader(source).read();
}

} // namespace alltold
