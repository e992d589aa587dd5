// SPDX-License-Identifier: BSD-3-Clause
// Words, then choices as in rules, then a hash of all that.
#include "site/learned.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "core/hash.hpp"
#include "core/text.hpp"
#include "predict/rules/layouts.hpp"

namespace alltold::site {
namespace {

constexpr std::string_view first_word = "learned-1";
constexpr std::string_view choices_mark = " = ", hash_mark = " ~ ";
constexpr std::string_view share_mark = " share=", error_mark = " error=";

std::string hash_of(std::string_view text) {
    Hash hash;
    hash.add(text);
    return fmt::format("{:016x}", hash.value());
}

bool is_whole(std::string_view line) {
    const auto end = line.rfind(hash_mark);
    return end != line.npos && line.substr(end + hash_mark.size()) == hash_of(line.substr(0, end));
}

bool is_positive(double number) {
    return std::isfinite(number) && number > 0;
}

Result<LearnedChoice> parse_learned_choice(std::string_view text) {
    const auto share = text.rfind(share_mark), error = text.rfind(error_mark);
    if (share == text.npos || error == text.npos || error < share)
        return bad_input("share and error are missing");
    ALLTOLD_TRY(choice, parse_choice(trimmed(text.substr(0, share), " ")));
    LearnedChoice learned{*choice};
    std::istringstream numbers(
        std::string(text.substr(share + share_mark.size(), error - share - share_mark.size())) +
        ' ' + std::string(text.substr(error + error_mark.size())));
    if (!(numbers >> learned.share >> learned.error) || !is_positive(learned.share) ||
        !(learned.error >= 0))
        return bad_input("share and error are no numbers");
    return learned;
}

} // namespace

const LearnedChoice* LearnedShape::find(const Choice& choice) const {
    const auto found = std::ranges::find(choices, choice, &LearnedChoice::choice);
    return found == choices.end() ? nullptr : &*found;
}

std::string text_of(const LearnedShape& shape) {
    auto text =
        fmt::format("{} {} {} {} {} {} {} {} {:.0f} {:.4g}", first_word, shape.time_s,
                    shape.version, shape.library, traits_of(shape.collective).name,
                    shape.size_bytes, shape.layout, shape.jobs, shape.calls, shape.library_s);
    auto separator = choices_mark;
    for (const auto& [choice, share, error] : shape.choices) {
        text += fmt::format("{}{}{}{:.4g}{}{:.3g}", separator, alltold::text_of(choice), share_mark,
                            share, error_mark, error);
        separator = " | ";
    }
    return text + std::string(hash_mark) + hash_of(text);
}

Result<LearnedShape> parse_learned(std::string_view line) {
    if (!is_whole(line))
        return bad_input("not a whole line of what a job learned");
    line = line.substr(0, line.rfind(hash_mark));
    const auto choices = line.find(choices_mark);
    if (choices == line.npos)
        return bad_input("no choices");
    LearnedShape shape;
    std::string word, collective;
    std::istringstream words{std::string(line.substr(0, choices))};
    if (!(words >> word >> shape.time_s >> shape.version >> shape.library >> collective >>
          shape.size_bytes >> shape.layout >> shape.jobs >> shape.calls >> shape.library_s) ||
        word != first_word || shape.jobs < 1)
        return bad_input("not such a line");
    ALLTOLD_TRY(named, parse_collective(collective, all_collectives));
    shape.collective = *named;
    ALLTOLD_TRY_DONE(Clusters::parse(shape.layout));
    for (const auto text : split_at(line.substr(choices + choices_mark.size()), '|')) {
        ALLTOLD_TRY(choice, parse_learned_choice(trimmed(text, " ")));
        shape.choices.push_back(*choice);
    }
    return shape;
}

void Learned::read(std::string_view text) {
    for (const auto line : split_at(text, '\n')) {
        if (line.empty())
            continue;
        if (auto shape = parse_learned(line))
            add(std::move(*shape));
        else if (is_whole(line))
            unknown_lines_.emplace_back(line);
        else
            ++wrong_lines_;
    }
}

void Learned::add(LearnedShape shape) {
    const Key key{shape.library, shape.collective, shape.size_bytes, shape.layout};
    const auto [place, is_new] = shapes_.try_emplace(key, shape);
    if (is_new)
        return;
    auto older = std::move(place->second);
    if (older.time_s > shape.time_s)
        std::swap(older, shape);
    if (older.choices.front().choice == shape.choices.front().choice) {
        shape.jobs += older.jobs;
        shape.calls += older.calls;
        if (auto& winner = shape.choices.front(); winner.error == 0)
            winner = older.choices.front();
        for (const auto& choice : older.choices)
            if (!shape.find(choice.choice))
                shape.choices.push_back(choice);
    }
    place->second = std::move(shape);
}

std::vector<const LearnedShape*> Learned::shapes() const {
    std::vector<const LearnedShape*> all;
    for (const auto& [key, shape] : shapes_)
        all.push_back(&shape);
    return all;
}

std::string Learned::text() const {
    auto newest = shapes();
    std::ranges::stable_sort(newest, std::greater<>(), &LearnedShape::time_s);
    newest.resize(std::min(newest.size(), most_shapes));
    std::string text;
    for (const auto* shape : newest)
        text += text_of(*shape) + "\n";
    const auto kept = std::min(unknown_lines_.size(), most_shapes);
    for (auto line = unknown_lines_.end() - static_cast<std::ptrdiff_t>(kept);
         line != unknown_lines_.end(); ++line)
        text += *line + "\n";
    return text;
}

Learned Learned::of(const std::string& library) const {
    Learned some;
    for (const auto& [key, shape] : shapes_)
        if (shape.library == library)
            some.shapes_.emplace(key, shape);
    return some;
}

const LearnedShape* Learned::find(const std::string& library, Collective collective,
                                  std::uint64_t size_bytes, const std::string& layout) const {
    const auto found = shapes_.find({library, collective, size_bytes, layout});
    return found == shapes_.end() ? nullptr : &found->second;
}

const LearnedShape* Learned::find_like(const std::string& library, Collective collective,
                                       std::uint64_t size_bytes, const Clusters& layout) const {
    const LearnedShape* newest = nullptr;
    for (const auto& [key, shape] : shapes_)
        if (shape.library == library && shape.collective == collective &&
            shape.size_bytes == size_bytes && (!newest || shape.time_s > newest->time_s) &&
            trial_class(*Clusters::parse(shape.layout)) == trial_class(layout))
            newest = &shape;
    return newest;
}

} // namespace alltold::site
