// SPDX-License-Identifier: BSD-3-Clause
// The results of SKaMPI 5: sections between "begin result" and "end result", whose rows are loop
// variables, then bytes, microseconds, their standard error, the repetitions, and single ranks.
#include <fmt/format.h>

#include "store/import/readers.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_figures = 4; ///< bytes, time, error, repetitions

class SkampiReader {
  public:
    explicit SkampiReader(const ImportSource& source) : source_(source) {}

    Result<ImportedTimes> read() {
        read_.start_mode = StartMode::silence; // of windows that clocks agree on
        for (const auto& line : source_.lines)
            ALLTOLD_TRY_DONE(take(line));
        return std::move(read_);
    }

  private:
    enum class Section : std::uint8_t { none, skipped, collective, pingpong };

    Status take(const TextLine& line) {
        const std::string_view text = line.text;
        if (const auto at = text.find("begin result"); at != text.npos) {
            start(line, text.substr(at));
            return Done{};
        }
        if (text.find("end result") != text.npos) {
            section_ = Section::none;
            return Done{};
        }
        const auto words = words_of(text);
        if (words.empty() || text.starts_with('#') || section_ == Section::skipped)
            return Done{};
        if (section_ == Section::none ||
            !(words.front().ends_with('=') || kind_of(text) == LineKind::row)) {
            read_.noise.add(source_.file, line);
            return Done{};
        }
        return take_row(line, words);
    }

    /// begin result "MPI_Alltoall-length".
    void start(const TextLine& line, std::string_view text) {
        const auto from = text.find('"') + 1;
        const auto name = text.substr(from, text.find_first_of("-\"", from) - from);
        const auto collective =
            name.starts_with("MPI_") ? benchmarked_collective(name) : std::nullopt;
        name_ = name;
        section_ = Section::skipped;
        if (collective) {
            collective_ = *collective;
            section_ = Section::collective;
        } else if (name == "Pingpong_Send_Recv") {
            section_ = Section::pingpong;
        } else {
            read_.skip(
                at_line(source_, line, fmt::format("{}: alltold has no probe for it", name)));
        }
    }

    Status take_row(const TextLine& line, const std::vector<std::string_view>& words) {
        int ranks = 0;
        std::size_t at = 0;
        for (; at + 1 < words.size() && words[at].ends_with('='); at += 2)
            if (words[at] == "procs=")
                ALLTOLD_TRY_INTO(ranks, processes_of(source_, line, words[at + 1]));
        if (words.size() < at + fewest_figures)
            return bad_line(source_, line,
                            "expected bytes, microseconds, their error and repetitions");
        const auto size_bytes = count_of(words[at]);
        const auto time_s = seconds_of(words[at + 1], 1e-6);
        const auto repetitions = count_of(words[at + 3]);
        if (!size_bytes)
            return bad_line(source_, line, fmt::format("expected bytes as word {}", at + 1));
        if (!time_s || !number_of(words[at + 2]))
            return bad_line(source_, line, fmt::format("expected microseconds as word {}", at + 2));
        if (!repetitions)
            return bad_line(source_, line, fmt::format("expected repetitions as word {}", at + 4));
        Sample sample{.value = *time_s, .summary = Summary{*repetitions, false}};
        if (section_ == Section::pingpong) {
            sample.value /= 2; // of the round trip
            return add_pair(read_, source_, line, "pingpong",
                            source_.clusters.value_or(Clusters({2})), *size_bytes, sample);
        }
        const auto taking_part = ranks_of_call(source_, ranks);
        if (!taking_part)
            return ranks > 0 ? bad_line(source_, line, taking_part.error().message)
                             : taking_part.error();
        if (collective_ == Collective::reduce_scatter_block)
            return add_split(read_, source_, line, collective_, name_, *taking_part, *size_bytes,
                             sample);
        return add_collective(read_, source_, line, collective_, *taking_part, *size_bytes, sample);
    }

    const ImportSource& source_;
    ImportedTimes read_;
    Section section_ = Section::none;
    Collective collective_ = Collective::alltoall;
    std::string name_;
};

} // namespace

Result<ImportedTimes> read_skampi(const ImportSource& source) {
    return SkampiReader(source).read();
}

} // namespace alltold
