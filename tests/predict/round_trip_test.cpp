// SPDX-License-Identifier: BSD-3-Clause
// Any rules print and read back the same, and the table of a communicator is what they say.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "predict/rules/choice_table.hpp"
#include "predict/rules/rule.hpp"

namespace alltold {
namespace {

Span any_span(std::uint64_t least, std::uint64_t width) {
    const auto from = *rc::gen::inRange(least, least + width);
    switch (*rc::gen::inRange(0, 3)) {
    case 0:
        return {from, Span::endless};
    case 1:
        return {least, from};
    default:
        return {from, from + *rc::gen::inRange<std::uint64_t>(0, width)};
    }
}

Choice any_choice(Collective collective) {
    std::vector<const Algorithm*> able{nullptr};
    for (const auto* algorithm : registry())
        if (algorithm->collective == collective ||
            (collective == Collective::alltoallv && algorithm->vectors))
            able.push_back(algorithm);
    Choice choice{*rc::gen::elementOf(able), {}};
    if (!choice.algorithm)
        return choice;
    const auto take = [](Algorithm::Use use) {
        return use == Algorithm::Use::must ||
               (use == Algorithm::Use::may && *rc::gen::arbitrary<bool>());
    };
    if (take(choice.algorithm->segment))
        choice.parameters.segment_bytes = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
    if (take(choice.algorithm->window))
        choice.parameters.window = *rc::gen::inRange(1, 99);
    if (take(choice.algorithm->inter_cluster_window))
        choice.parameters.inter_cluster_window = *rc::gen::inRange(1, 99);
    return choice;
}

/// Few, so that rules and communicators have the same ones.
Clusters any_spread() {
    return *rc::gen::element(Clusters({2, 1}), Clusters({1, 2}), Clusters({1, 3, 1}));
}

/// Three digits, as rules print them.
ExpectedRatios any_ratios() {
    ExpectedRatios ratios;
    for (const auto start : {StartMode::silence, StartMode::barrier})
        if (*rc::gen::arbitrary<bool>())
            ratios.after(start) = *rc::gen::inRange(1, 999) / 100.;
    return ratios;
}

Rule any_rule() {
    Rule rule{.collective = *rc::gen::elementOf(all_collectives)};
    if (rule.collective != Collective::alltoallv)
        rule.size_bytes = any_span(0, 5000);
    rule.ranks = any_span(1, 40);
    rule.clusters = any_span(1, 4);
    rule.hosts = any_span(1, 40);
    rule.per_host = any_span(1, 8);
    rule.choice = any_choice(rule.collective);
    rule.expected = any_ratios();
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
        rule.others.push_back(
            {any_choice(rule.collective), any_ratios(), *rc::gen::arbitrary<bool>()});
    auto choices = rule.others;
    choices.push_back({rule.choice});
    for (const auto& [choice, expected, trial] : choices) {
        if (choice.algorithm && choice.algorithm->clusters == Algorithm::Use::must)
            rule.clusters = {2, rule.clusters.most + 2};
        if (choice.algorithm && choice.algorithm->hosts == Algorithm::Use::must)
            rule.per_host = {2, rule.per_host.most + 2};
    }
    if (rule.per_host.most < rule.per_host.least)
        rule.per_host.most = Span::endless;
    if (rule.clusters.most < rule.clusters.least)
        rule.clusters.most = Span::endless;
    if (*rc::gen::inRange(0, 3) == 0) {
        const RankCounts counts(any_spread());
        rule.spread = counts.spread;
        rule.ranks = {counts.ranks, counts.ranks};
        rule.clusters = {counts.clusters, counts.clusters};
    }
    return rule;
}

std::vector<Rule> any_rules() {
    std::vector<Rule> rules;
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
        auto rule = any_rule();
        if (std::none_of(rules.begin(), rules.end(),
                         [&](const auto& other) { return other.overlaps(rule); }))
            rules.push_back(std::move(rule));
    }
    return rules;
}

TEST(RulesProperty, rules_read_back_as_they_were) {
    EXPECT_TRUE(rc::check("parse(text_of(rules)) = rules", [] {
        const auto rules = any_rules();
        const auto text = text_of(rules);
        const auto read = parse_rules(text, "test");
        RC_LOG(text + (read ? "" : read.error().message));
        RC_ASSERT(static_cast<bool>(read));
        RC_ASSERT(*read == rules);
    }));
}

TEST(Rule, runs_the_candidate_that_is_quickest_after_what_calls_may_follow) {
    using enum StartMode;
    const auto rule = parse_rules("bcast:any = mpi | bcast.flat silence=0.9 barrier=0.5 | "
                                  "bcast.chain silence=0.8 barrier=1.2 | bcast.binary loop=0.4",
                                  "test")
                          ->front();
    const auto after = [&](const std::vector<StartMode>& starts) {
        return text_of(rule.choice_after(starts));
    };
    EXPECT_EQ(after({}), "mpi");
    EXPECT_EQ(after({silence}), "bcast.chain");
    EXPECT_EQ(after({barrier}), "bcast.flat");
    EXPECT_EQ(after({loop}), "bcast.binary");
    const auto none = parse_rules("bcast:any = bcast.flat silence=0.9 | mpi", "test")->front();
    EXPECT_EQ(text_of(none.choice_after(std::vector{silence})), "bcast.flat");
    EXPECT_EQ(text_of(none.choice_after(std::vector{barrier})), "mpi") << "the other is unknown";
}

TEST(FirstRule, is_that_for_the_spread) {
    std::vector<std::vector<Rule>> sources(1, std::vector<Rule>(2));
    sources[0][1].spread = {2, 1};
    EXPECT_EQ(first_rule(sources, Collective::bcast, 1, Clusters({2, 1})), &sources[0][1]);
    EXPECT_EQ(first_rule(sources, Collective::bcast, 1, {3, 2}), &sources[0][0]);
}

TEST(RulesProperty, a_table_is_the_rule_of_the_first_source_for_the_spread_or_else_for_all) {
    EXPECT_TRUE(rc::check("table.at(m) = first match", [] {
        const std::vector<std::vector<Rule>> sources{any_rules(), any_rules()};
        const auto collective = *rc::gen::elementOf(all_collectives);
        auto counts = *rc::gen::arbitrary<bool>()
                          ? RankCounts(any_spread())
                          : RankCounts(*rc::gen::inRange(1, 45), *rc::gen::inRange(1, 6));
        counts.hosts = *rc::gen::inRange<std::uint64_t>(1, 45);
        counts.per_host = *rc::gen::inRange<std::uint64_t>(1, 10);
        const ChoiceTable table(sources, collective, counts);
        for (int i = 0; i < 50; ++i) {
            const auto size_bytes = collective == Collective::alltoallv
                                        ? 0
                                        : *rc::gen::inRange<std::uint64_t>(0, 12000);
            Choice expected;
            for (auto source = sources.rbegin(); source != sources.rend(); ++source)
                for (const bool of_spread : {false, true})
                    for (const auto& rule : *source)
                        if (rule.spread.empty() != of_spread &&
                            rule.covers(collective, size_bytes, counts))
                            expected = rule.choice;
            RC_ASSERT(table.at(size_bytes) == expected);
        }
    }));
}

} // namespace
} // namespace alltold
