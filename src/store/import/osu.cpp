// SPDX-License-Identifier: BSD-3-Clause
// The output of OSU's micro-benchmarks, version 3 to 7.
#include <fmt/format.h>

#include "core/limits.hpp"
#include "store/import/readers.hpp"

namespace alltold {
namespace {

constexpr std::string_view title_begin = "# OSU ";

/// Titles from "# OSU MPI" to "Latency Test v7.3", and their collectives.
constexpr std::array<std::pair<std::string_view, Collective>, 10> osu_collectives{{
    {"All-to-All Personalized Exchange", Collective::alltoall},
    {"Allgather", Collective::allgather},
    {"Allreduce", Collective::allreduce},
    {"Barrier", Collective::barrier},
    {"Broadcast", Collective::bcast},
    {"Reduce", Collective::reduce},
    {"Reduce_scatter", Collective::reduce_scatter_block},
    {"Reduce_scatter_block", Collective::reduce_scatter_block},
    {"Scatter", Collective::scatter},
    {"Gather", Collective::gather},
}};

/// Messages that osu_bw sends at once unless -W says otherwise, which its output does not tell. A
/// rate from its times does not depend on it.
constexpr int usual_window = 64;

/// The benchmark that a title announces.
struct Test {
    enum class Kind : std::uint8_t {
        none,
        collective,
        pingpong,
        bandwidth,
        pairs,     ///< osu_mbw_mr
        both_ways, ///< osu_bibw
    } kind = Kind::none;
    Collective collective = Collective::alltoall;
    std::string_view why_not = {}; ///< of none

    bool of_rates() const { return kind >= Kind::bandwidth; }
};

Test test_of(std::string_view title) {
    using Kind = Test::Kind;
    auto name = title.substr(title_begin.size());
    name = name.substr(0, name.find(" Test"));
    for (const auto& [word, why] :
         {std::pair("Non-", "nonblocking collectives run by other algorithms of the library"),
          std::pair("Persistent", "persistent calls may run by other algorithms of the library"),
          std::pair("MPI-", "buffers are on GPUs")})
        if (name.find(word) != name.npos)
            return {.why_not = why};
    constexpr std::string_view mpi = "MPI ";
    if (name.starts_with(mpi))
        name.remove_prefix(mpi.size());
    if (name == "Latency")
        return {Kind::pingpong};
    if (name == "Bandwidth")
        return {Kind::bandwidth};
    if (name == "Multiple Bandwidth / Message Rate")
        return {Kind::pairs};
    if (name == "Bi-Directional Bandwidth")
        return {Kind::both_ways};
    if (constexpr std::string_view latency = " Latency"; name.ends_with(latency)) {
        name.remove_suffix(latency.size());
        const auto known =
            std::ranges::find(osu_collectives, name, [](const auto& one) { return one.first; });
        if (known != osu_collectives.end())
            return {Kind::collective, known->second};
    }
    return {.why_not = "alltold has no probe for it"};
}

/// Where the columns are. A title ends with its unit, or is one word.
struct OsuColumns {
    std::size_t count = 0;
    std::optional<std::size_t> size, mean, last, rate, iterations, validation;
    bool derived_types = false; ///< sizes are not what is sent

    static OsuColumns of(std::string_view titles) {
        OsuColumns columns;
        std::string title;
        for (const auto word : words_of(titles)) {
            title += title.empty() ? std::string(word) : fmt::format(" {}", word);
            if (!word.ends_with(')') && word != "Size" && word != "MB/s" && word != "Messages/s" &&
                word != "Iterations" && word != "Validation")
                continue;
            columns.take(std::exchange(title, {}));
        }
        return columns;
    }

  private:
    void take(std::string_view title) {
        const auto at = count++;
        if (title == "Size")
            size = at;
        else if (title.starts_with("Max Latency"))
            last = at;
        else if (title.starts_with("Avg Latency") || title.starts_with("Latency"))
            mean = at;
        else if (title.starts_with("Bandwidth") || title == "MB/s")
            rate = at;
        else if (title == "Iterations")
            iterations = at;
        else if (title == "Validation")
            validation = at;
        else if (title == "Transmit Size")
            derived_types = true;
    }
};

/// A test of the text while its rows are read.
class OsuReader {
  public:
    explicit OsuReader(const ImportSource& source) : source_(source) {}

    Result<ImportedTimes> read() {
        for (const auto& line : source_.lines)
            ALLTOLD_TRY_DONE(take(line));
        return std::move(read_);
    }

  private:
    Status take(const TextLine& line) {
        const std::string_view text = line.text;
        switch (kind_of(text)) {
        case LineKind::blank:
            return Done{};
        case LineKind::comment:
            return take_comment(line);
        case LineKind::row:
            if (!test_)
                return bad_line(source_, line, "a row before any '# OSU MPI ...' title");
            return test_->kind == Test::Kind::none || ended_ ? Done{} : take_row(line);
        case LineKind::other:
            if (!test_ || test_->kind != Test::Kind::none)
                read_.noise.add(source_.file, line);
        }
        return Done{};
    }

    Status take_comment(const TextLine& line) {
        const std::string_view text = line.text;
        if (text.starts_with(title_begin)) {
            test_ = test_of(text);
            columns_.reset();
            pairs_ = 1;
            window_ = usual_window;
            ended_ = false;
            if (test_->kind == Test::Kind::none)
                read_.skip(at_line(source_, line,
                                   fmt::format("'{}': {}", text.substr(2), test_->why_not)));
        } else if (const auto at = text.find("[ pairs: "); test_ && at != text.npos) {
            return take_pairs(line, words_of(text.substr(at)));
        } else if (test_ && test_->kind != Test::Kind::none &&
                   (text.find("(us)") != text.npos || text.find("MB/s") != text.npos)) {
            columns_ = OsuColumns::of(text.substr(1));
            if (const auto why = unreadable(); !why.empty())
                return bad_line(source_, line, why);
            ended_ = columns_->derived_types;
            if (ended_)
                read_.skip(at_line(source_, line, "derived datatypes: sizes are not what is sent"));
        }
        return Done{};
    }

    /// "[ pairs: 36 ] [ window size: 64 ]".
    Status take_pairs(const TextLine& line, const std::vector<std::string_view>& words) {
        constexpr std::uint64_t largest_window = 1 << 20;
        const auto pairs = words.size() > 2 ? count_of(words[2]) : std::nullopt;
        const auto window = words.size() > 7 ? count_of(words[7]) : usual_window;
        if (!pairs || *pairs < 1 || *pairs > most_ranks / 2 || !window || *window < 1 ||
            *window > largest_window)
            return bad_line(source_, line, "expected '[ pairs: N ] [ window size: N ]'");
        pairs_ = static_cast<int>(*pairs);
        window_ = static_cast<int>(*window);
        return Done{};
    }

    std::string_view unreadable() const {
        if (!columns_->size && test_->collective != Collective::barrier)
            return "no column of sizes";
        if (test_->of_rates())
            return columns_->rate ? "" : "no column of rates";
        return columns_->mean || columns_->last ? "" : "no column of latencies";
    }

    Status take_row(const TextLine& line) {
        const auto words = words_of(line.text);
        if (!columns_)
            return bad_line(source_, line, "a row before the '# Size ...' line");
        const auto size_bytes =
            columns_->size ? count_of(words[0]) : std::optional<std::uint64_t>(0);
        if (!size_bytes)
            return bad_line(source_, line, "expected a size in bytes");
        const auto at = test_->of_rates() ? *columns_->rate
                        : columns_->last  ? *columns_->last
                                          : *columns_->mean;
        const auto value = at < words.size() ? seconds_of(words[at], 1e-6) : std::nullopt;
        if (!value)
            return bad_line(source_, line,
                            fmt::format("expected {} as word {}",
                                        columns_->rate ? "MB/s" : "microseconds", at + 1));
        if (words.size() != columns_->count)
            return bad_line(source_, line, fmt::format("expected {} words", columns_->count));
        if (columns_->validation && words[*columns_->validation] != "Pass") {
            read_.skip(at_line(source_, line,
                               fmt::format("validation: {}", words[*columns_->validation])));
            return Done{};
        }
        Sample sample{.value = *value, .summary = Summary{}};
        if (columns_->iterations)
            sample.summary->calls = count_of(words[*columns_->iterations]).value_or(0);
        return add(line, *size_bytes, sample);
    }

    Status add(const TextLine& line, std::uint64_t size_bytes, Sample sample) {
        using Kind = Test::Kind;
        // Two ranks take part, so that they need not be given, or two hosts with all pairs.
        const auto ranks = test_->kind == Kind::collective ? ranks_of_call(source_)
                           : !source_.clusters ? Result(Clusters::of_hosts({{pairs_, pairs_}}))
                           : test_->kind == Kind::pairs ? ranks_of_call(source_, 2 * pairs_)
                                                        : *source_.clusters;
        if (!ranks)
            return test_->kind == Kind::pairs ? bad_line(source_, line, ranks.error().message)
                                              : ranks.error();
        if (test_->kind == Kind::pingpong)
            return add_pair(read_, source_, line, "pingpong", *ranks, size_bytes, sample);
        if (test_->of_rates()) {
            const int ways = test_->kind == Kind::both_ways ? 2 : 1;
            sample.value = static_cast<double>(window_) * pairs_ * ways *
                           static_cast<double>(size_bytes) / (sample.value * 1e12);
            if (test_->kind == Kind::bandwidth)
                return add_pair(read_, source_, line, "train", *ranks, size_bytes, sample, window_);
            return add_together(read_, source_, line, ways == 2 ? "exchange" : "pairs", *ranks,
                                size_bytes, sample, window_);
        }
        sample.summary->mean_of_ranks = !columns_->last;
        if (test_->collective == Collective::reduce_scatter_block)
            return add_split(read_, source_, line, test_->collective, "Reduce_scatter", *ranks,
                             size_bytes, sample);
        return add_collective(read_, source_, line, test_->collective, *ranks, size_bytes, sample);
    }

    const ImportSource& source_;
    ImportedTimes read_;
    std::optional<Test> test_;
    std::optional<OsuColumns> columns_;
    int pairs_ = 1, window_ = usual_window;
    bool ended_ = false;
};

} // namespace

Result<ImportedTimes> read_osu(const ImportSource& source) {
    return OsuReader(source).read();
}

} // namespace alltold
