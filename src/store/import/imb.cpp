// SPDX-License-Identifier: BSD-3-Clause
// The output of Intel MPI Benchmarks, IMB-MPI1, version 3 to 2021.
#include <fmt/format.h>

#include "store/import/readers.hpp"

namespace alltold {
namespace {

constexpr std::string_view benchmarking = "# Benchmarking";

/// Words that IMB prints in place of times.
constexpr std::array<std::string_view, 3> without_time{"out-of-mem", "int-overflow", "time-out"};

bool gives_no_time(std::string_view word) {
    return std::ranges::any_of(without_time,
                               [&](std::string_view reason) { return word.starts_with(reason); });
}

/// One "# Benchmarking ..." and what its comment lines say.
struct Section {
    std::string name;
    std::optional<Collective> collective; ///< empty: a ping-pong, Sendrecv, or skipped
    bool skipped = false;
    int ranks = 0;
    std::vector<std::string> columns;

    std::optional<std::size_t> column(std::string_view title) const {
        return place_in(columns, title);
    }
    /// The slowest rank's time, or a ping-pong's only one; nothing without it.
    std::optional<std::size_t> time_column() const {
        const auto slowest = column("t_max[usec]");
        return slowest ? slowest : column("t[usec]");
    }
};

class ImbReader {
  public:
    explicit ImbReader(const ImportSource& source) : source_(source) {}

    Result<ImportedTimes> read() {
        read_.start_mode = StartMode::loop;
        for (const auto& line : source_.lines)
            ALLTOLD_TRY_DONE(take(line));
        return std::move(read_);
    }

  private:
    Status take(const TextLine& line) {
        const std::string_view text = line.text;
        const auto words = words_of(text);
        if (text.starts_with(benchmarking)) {
            start(line);
            return Done{};
        }
        if (std::ranges::count(words, "#repetitions") > 0) {
            section_.columns.assign(words.begin(), words.end());
            return Done{};
        }
        if (!section_.name.empty() && !section_.skipped && !text.starts_with('#') &&
            std::ranges::any_of(words, gives_no_time)) {
            read_.skip(at_line(source_, line, text));
            return Done{};
        }
        switch (kind_of(text)) {
        case LineKind::blank:
            return Done{};
        case LineKind::comment:
            return take_comment(line);
        case LineKind::row:
            return section_.name.empty() || section_.skipped ? Done{} : take_row(line);
        case LineKind::other:
            if (!section_.skipped)
                read_.noise.add(source_.file, line);
        }
        return Done{};
    }

    void start(const TextLine& line) {
        const auto words = words_of(line.text);
        section_ = {};
        section_.name = words.size() > 2 ? words[2] : "";
        section_.collective = benchmarked_collective(section_.name);
        if (!section_.collective && section_.name != "PingPong" && section_.name != "Sendrecv")
            skip(line, section_.name.starts_with("Multi-") ? "groups run at the same time"
                                                           : "alltold has no probe for it");
    }

    void skip(const TextLine& line, std::string_view why) {
        section_.skipped = true;
        read_.skip(at_line(source_, line, fmt::format("{}: {}", section_.name, why)));
    }

    /// "# #processes = 4", "# ( #processes = 4 )", "# ( 2 groups of 4 processes each running ...".
    Status take_comment(const TextLine& line) {
        constexpr std::string_view processes = "#processes";
        const std::string_view text = line.text;
        const auto at = text.find(processes);
        if (at == text.npos) {
            if (!section_.name.empty() && !section_.skipped &&
                text.find(" groups of ") != text.npos)
                skip(line, "groups run at the same time");
            return Done{};
        }
        const auto after = words_of(text.substr(at + processes.size()));
        const auto number = after.size() > 1 && after[0] == "=" ? after[1] : std::string_view();
        ALLTOLD_TRY(ranks, processes_of(source_, line,
                                        number.substr(0, number.find_first_not_of("0123456789"))));
        section_.ranks = *ranks;
        return Done{};
    }

    Status take_row(const TextLine& line) {
        const auto words = words_of(line.text);
        const auto time = section_.time_column(), repetitions = section_.column("#repetitions"),
                   size = section_.column("#bytes"), group = section_.column("Group"),
                   defects = section_.column("defects");
        if (!time || (!size && section_.collective != Collective::barrier))
            return bad_line(source_, line, "a row before the '#bytes #repetitions ...' line");
        if (section_.ranks < 1)
            return bad_line(source_, line, "a row before the '# #processes = ' line");
        const auto size_bytes = !size                  ? std::optional<std::uint64_t>(0)
                                : *size < words.size() ? count_of(words[*size])
                                                       : std::nullopt;
        if (!size_bytes)
            return bad_line(source_, line, "expected a size in bytes");
        if (*repetitions >= words.size() || !count_of(words[*repetitions]))
            return bad_line(
                source_, line,
                fmt::format("expected a number of repetitions as word {}", *repetitions + 1));
        const auto time_s = *time < words.size() ? seconds_of(words[*time], 1e-6) : std::nullopt;
        if (!time_s && (*size_bytes > 0 || !size))
            return bad_line(source_, line,
                            fmt::format("expected microseconds as word {}", *time + 1));
        if (words.size() != section_.columns.size())
            return bad_line(source_, line,
                            fmt::format("expected {} words", section_.columns.size()));
        if (group && words[*group] != "0")
            return bad_line(source_, line, "a row of another group than the only one");
        if (defects && number_of(words[*defects]).value_or(1) > 0) {
            read_.skip(at_line(source_, line, fmt::format("{} defects", words[*defects])));
            return Done{};
        }
        return time_s ? add(line, *size_bytes,
                            {.value = *time_s,
                             .summary = Summary{*count_of(words[*repetitions]), false}})
                      : Done{};
    }

    Status add(const TextLine& line, std::uint64_t size_bytes, const Sample& sample) {
        const auto ranks = ranks_of_call(source_, section_.ranks);
        if (!ranks)
            return bad_line(source_, line, ranks.error().message);
        if (section_.name == "Sendrecv")
            return add_together(read_, source_, line, "exchange", *ranks, size_bytes, sample, 1);
        if (!section_.collective)
            return add_pair(read_, source_, line, "pingpong", *ranks, size_bytes, sample);
        if (section_.name == "Reduce_scatter") // sizes are of whole vectors, unlike _block's
            return add_split(read_, source_, line, *section_.collective, section_.name, *ranks,
                             size_bytes, sample);
        return add_collective(read_, source_, line, *section_.collective, *ranks, size_bytes,
                              sample);
    }

    const ImportSource& source_;
    ImportedTimes read_;
    Section section_;
};

} // namespace

Result<ImportedTimes> read_imb(const ImportSource& source) {
    return ImbReader(source).read();
}

} // namespace alltold
