// SPDX-License-Identifier: BSD-3-Clause
// Groups of calls, and what each keeps and loses.
#include "regret/report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/units.hpp"
#include "report/text_table.hpp"

namespace alltold::regret {
namespace {

constexpr std::size_t most_listed = 10;

struct JudgedCall {
    const Lab* lab;
    const TimedCall* call;
    const Verdict* verdict;

    std::string text() const { return fmt::format("{}: {}", lab->name, call->text()); }
};

std::vector<JudgedCall> calls_of(const std::vector<JudgedLab>& labs) {
    std::vector<JudgedCall> calls;
    for (const auto& lab : labs)
        for (std::size_t i = 0; i < lab.verdicts.size(); ++i)
            calls.push_back({&lab.lab, &lab.lab.calls[i], &lab.verdicts[i]});
    return calls;
}

struct Group {
    std::string name;
    int calls = 0; ///< judged, as all that follows but the last two
    double mean_loss = 0;
    const JudgedCall* worst = nullptr;
    int slower = 0;
    double gain = 0, tried_gain = 0, best_gain = 0; ///< sums
    int changed = 0;
    int near = 0;
    double most_apart = 1;
    int too_few = 0, not_timed = 0;

    double worst_loss() const { return worst ? worst->verdict->loss : NAN; }
};

void add(Group& group, const JudgedCall& judged) {
    constexpr double rounding = 1 + 1e-9;
    const auto& verdict = *judged.verdict;
    if (verdict.judged != Judged::yes) {
        ++(verdict.judged == Judged::too_few ? group.too_few : group.not_timed);
        return;
    }
    ++group.calls;
    group.mean_loss += (verdict.loss - group.mean_loss) / group.calls;
    if (!group.worst || verdict.loss > group.worst->verdict->loss)
        group.worst = &judged;
    group.slower += verdict.slower;
    group.gain += verdict.gain;
    group.tried_gain += verdict.tried_gain;
    group.best_gain += verdict.best_gain;
    group.changed += verdict.changed;
    if (verdict.apart > rounding) {
        ++group.near;
        group.most_apart = std::max(group.most_apart, verdict.apart);
    }
}

/// Those with any calls.
std::vector<Group> groups_of(const std::vector<JudgedCall>& calls) {
    std::vector<Group> groups;
    const auto group = [&](std::string name, const std::function<bool(const JudgedCall&)>& holds) {
        Group made{std::move(name)};
        for (const auto& judged : calls)
            if (holds(judged))
                add(made, judged);
        if (made.calls + made.too_few + made.not_timed > 0)
            groups.push_back(std::move(made));
    };
    const auto several_ranks = [](const JudgedCall& judged) {
        return !judged.call->clusters.one_rank_per_host();
    };
    group("one cluster", [&](const JudgedCall& judged) {
        return judged.call->clusters.count() == 1 && !several_ranks(judged);
    });
    group("several clusters", [&](const JudgedCall& judged) {
        return judged.call->clusters.count() > 1 && !several_ranks(judged);
    });
    group("several ranks per host", several_ranks);
    group("quiet", [](const JudgedCall& judged) { return !judged.lab->busy; });
    group("busy", [](const JudgedCall& judged) { return judged.lab->busy; });
    for (const auto collective : uniform_collectives)
        group(std::string(name_of(collective)), [&](const JudgedCall& judged) {
            return judged.call->collective == collective &&
                   judged.call->start == StartMode::silence;
        });
    group("alltoall after a barrier",
          [](const JudgedCall& judged) { return judged.call->start == StartMode::barrier; });
    group("in loops",
          [](const JudgedCall& judged) { return judged.call->start == StartMode::loop; });
    const auto of_papers = [](const JudgedCall& judged) {
        return std::ranges::count(papers_collectives, judged.call->collective) > 0;
    };
    group("collectives of the papers", of_papers);
    group("others", std::not_fn(of_papers));
    group("all", [](const JudgedCall&) { return true; });
    return groups;
}

/// Most lost first.
std::vector<JudgedCall> worst_first(std::vector<JudgedCall> calls) {
    std::erase_if(calls,
                  [](const JudgedCall& judged) { return judged.verdict->judged != Judged::yes; });
    std::ranges::stable_sort(calls, std::greater(),
                             [](const JudgedCall& judged) { return judged.verdict->loss; });
    return calls;
}

std::string line_of(const JudgedCall& judged) {
    const auto& verdict = *judged.verdict;
    return fmt::format(
        "  {}: {}, best {}: {} +- {}; {} against mpi{}\n", judged.text(), verdict.chosen,
        verdict.best, format_percent(verdict.loss), format_percent(verdict.loss_error),
        format_signed_percent(verdict.over_library), verdict.slower ? ", SLOWER" : "");
}

/// Choices whose chance of losing is expected to be within these.
struct Chances {
    double least, most;
    int choices = 0, lost = 0;
    double expected = 0; ///< sum of the chances
};

std::vector<Chances> chances_of(const std::vector<JudgedLab>& labs) {
    std::vector<Chances> ranges{{0, 0.01}, {0.01, 0.05}, {0.05, 0.2}, {0.2, 1}};
    for (const auto& lab : labs)
        for (const auto& timed : lab.odds)
            for (auto& range : ranges)
                if (timed.odds.chance_of_loss <= range.most) {
                    ++range.choices;
                    range.lost += timed.lost();
                    range.expected += timed.odds.chance_of_loss;
                    break;
                }
    return ranges;
}

std::string chances_text(const std::vector<JudgedLab>& labs) {
    TextTable table;
    for (const char* name : {"chance", "choices", "expected to lose", "lost"})
        table.column(name);
    for (const auto& range : chances_of(labs))
        table.row({fmt::format("{} .. {}", format_percent(range.least), format_percent(range.most)),
                   fmt::format("{}", range.choices), fmt::format("{:.1f}", range.expected),
                   fmt::format("{}", range.lost)});
    return table.text();
}

std::pair<double, double> seconds(const std::vector<JudgedLab>& labs) {
    double fit_s = 0, decision_s = 0;
    for (const auto& lab : labs) {
        fit_s += lab.fit_s;
        decision_s += lab.decision_s;
    }
    return {fit_s, decision_s};
}

nlohmann::ordered_json json_of(const JudgedCall& judged) {
    const auto& [lab, call, verdict] = judged;
    nlohmann::ordered_json json{{"lab", lab->name},
                                {"collective", name_of(call->collective)},
                                {"clusters", call->clusters.text()},
                                {"size_bytes", call->size_bytes},
                                {"start", name_of(call->start)},
                                {"chosen", verdict->chosen}};
    if (verdict->judged != Judged::yes) {
        json["not_judged"] = verdict->judged == Judged::too_few ? "too few times" : "not timed";
        return json;
    }
    json.update({{"apart", verdict->apart},
                 {"changed", verdict->changed},
                 {"best", verdict->best},
                 {"loss", verdict->loss},
                 {"loss_error", verdict->loss_error},
                 {"over_library", verdict->over_library},
                 {"slower", verdict->slower},
                 {"gain", verdict->gain},
                 {"tried_gain", verdict->tried_gain},
                 {"best_gain", verdict->best_gain}});
    return json;
}

nlohmann::ordered_json json_of(const Group& group) {
    nlohmann::ordered_json json{{"name", group.name},
                                {"calls", group.calls},
                                {"mean_loss", group.mean_loss},
                                {"worst_loss", group.worst_loss()},
                                {"slower", group.slower},
                                {"gains_kept", group.gain / group.best_gain},
                                {"gains_once_tried", group.tried_gain / group.best_gain},
                                {"changed", group.changed},
                                {"near", group.near},
                                {"most_apart", group.most_apart},
                                {"too_few", group.too_few},
                                {"not_timed", group.not_timed}};
    if (group.worst)
        json["worst"] = group.worst->text();
    return json;
}

} // namespace

std::string text_of(const std::vector<JudgedLab>& labs) {
    const auto calls = calls_of(labs);
    TextTable table;
    table.column("", TextTable::Align::left);
    for (const char* name : {"calls", "mean loss", "worst", "slower", "gains kept", "once tried",
                             "changed", "near", "at most by", "too few", "not timed"})
        table.column(name);
    for (const auto& group : groups_of(calls))
        table.row({group.name, fmt::format("{}", group.calls), format_percent(group.mean_loss, 2),
                   format_percent(group.worst_loss()), fmt::format("{}", group.slower),
                   format_percent(group.gain / group.best_gain),
                   format_percent(group.tried_gain / group.best_gain),
                   fmt::format("{}", group.changed), fmt::format("{}", group.near),
                   group.near > 0 ? format_ratio(group.most_apart, 1) : "-",
                   fmt::format("{}", group.too_few), fmt::format("{}", group.not_timed)});
    const auto [fit_s, decision_s] = seconds(labs);
    auto text = fmt::format("{} labs\n\n{}\nfits took {:.1f} s, decisions {:.1f} s, on all "
                            "processors together\n\nmost lost:\n",
                            labs.size(), table.text(), fit_s, decision_s);
    const auto worst = worst_first(calls);
    for (std::size_t i = 0; i < std::min(worst.size(), most_listed); ++i)
        text += line_of(worst[i]);
    text += "\nslower than the library's own by more than 3 % beyond noise:\n";
    for (const auto& judged : worst)
        if (judged.verdict->slower)
            text += line_of(judged);
    text +=
        "\nof ours that were timed and are expected to gain 3 %, by their chance of losing more "
        "than that:\n" +
        chances_text(labs);
    return text;
}

nlohmann::ordered_json json_of(const std::vector<JudgedLab>& labs) {
    const auto calls = calls_of(labs);
    const auto [fit_s, decision_s] = seconds(labs);
    nlohmann::ordered_json json{{"fit_s", fit_s}, {"decision_s", decision_s}};
    for (const auto& judged : labs)
        json["labs"].push_back({{"name", judged.lab.name},
                                {"options", judged.lab.options},
                                {"busy", judged.lab.busy},
                                {"half", judged.lab.half()}});
    for (const auto& group : groups_of(calls))
        json["groups"].push_back(json_of(group));
    for (const auto& range : chances_of(labs))
        json["chances"].push_back({{"least", range.least},
                                   {"most", range.most},
                                   {"choices", range.choices},
                                   {"expected_to_lose", range.expected},
                                   {"lost", range.lost}});
    for (const auto& judged : calls)
        json["calls"].push_back(json_of(judged));
    return json;
}

} // namespace alltold::regret
