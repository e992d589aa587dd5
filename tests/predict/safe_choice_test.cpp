// SPDX-License-Identifier: BSD-3-Clause
// Decisions at calls that were measured.
#include "predict/choice/safe_choice.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "measured_calls.hpp"
#include "networks.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/decision_table.hpp"

namespace alltold {
namespace {

using test::slow_network;

const Clusters hosts({12});

/// A call with three repetitions about `time_s`.
RepeatedCall repeated_call(const Choice& choice, std::uint64_t size_bytes, double time_s) {
    auto call = test::repeated(hosts, size_bytes, time_s, choice.algorithm);
    call.parameters = choice.parameters;
    return call;
}

Choice paced(int window) {
    Choice choice{*find_algorithm("alltoall.paced")};
    choice.parameters.segment_bytes = 1400;
    choice.parameters.window = window;
    choice.parameters.inter_cluster_window = default_inter_cluster_window; // as resolve fills it in
    return choice;
}

/// What paced takes by the model.
double modelled_s(std::uint64_t size_bytes) {
    return evaluate(slow_network(), Collective::alltoall, hosts, size_bytes, paced(4))
        ->time_s()
        .value;
}

/// The library's times scatter from size to size, so that predictions of it are wide; paced was
/// measured at `sizes_bytes`, where the library takes `times` as long.
Network scattered(const std::vector<std::uint64_t>& sizes_bytes, double times) {
    auto network = slow_network();
    std::vector<RepeatedCall> library, ours;
    const double factors[] = {1, 1.9, 1.1, 1.6};
    int i = 0;
    for (std::uint64_t m = 1024; m <= 1 << 18; m *= 2) {
        const bool beside = std::ranges::find(sizes_bytes, m) != sizes_bytes.end();
        if (!beside && m == 65536)
            continue; // the size between 32 KiB and 128 KiB
        library.push_back(
            repeated_call({}, m, (beside ? times : factors[i++ % 4]) * modelled_s(m)));
        if (beside)
            ours.push_back(repeated_call(paced(4), m, modelled_s(m)));
    }
    ours.push_back(repeated_call(paced(2), 512, modelled_s(512)));
    test::correct(network, {{Collective::alltoall}, true, false}, library);
    test::correct(network, {{Collective::alltoall}, false, false}, ours);
    return network;
}

TEST(SafeChoice, only_repetitions_that_scatter_have_a_lower_quartile) {
    std::vector<RepeatedCall> calls(2, repeated_call({}, 32768, 0.1));
    calls[0].times_s = {0.293, 0.066, 0.289, 0.066};
    EXPECT_EQ(medians_of(calls)[0].lower_quartile_s, 0.066);
    EXPECT_EQ(medians_of(calls)[1].lower_quartile_s, 0) << "they hardly scatter";
}

TEST(SafeChoice, what_was_measured_of_a_call_decides_it) {
    const auto quicker = scattered({16384}, 1.04);
    const auto ranking = *rank(quicker, Collective::alltoall, hosts, 16384);
    const auto safe = quickest_safe(ranking);
    ASSERT_TRUE(safe);
    ASSERT_EQ(text_of(safe->choice), text_of(paced(4)));
    EXPECT_TRUE(safe->measured);
    const auto& library = *library_choice(ranking);
    ASSERT_TRUE(library.measured_s);
    EXPECT_GT(library.time_s().high / library.time_s().low,
              1.1 * library.measured_s->high / library.measured_s->low);
    EXPECT_EQ(safe->library.usual.time_s.high, library.measured_s->high);

    const auto slower = scattered({16384}, 0.8);
    EXPECT_TRUE(
        quickest_safe(*rank(slower, Collective::alltoall, hosts, 16384))->choice.is_default());
}

TEST(SafeChoice, the_second_start_is_asked_for_the_same_parameters) {
    const auto ranking = *rank(scattered({16384}, 1.04), Collective::alltoall, hosts, 16384);
    std::vector<std::string> asked;
    quickest_safe(ranking, [&](const Choice& choice) {
        asked.push_back(text_of(choice));
        return std::optional<KnownTime>();
    });
    EXPECT_NE(std::ranges::find(asked, text_of(paced(4))), asked.end());
}

TEST(SafeChoice, promising_choices_are_those_that_may_be_quicker) {
    const auto network = scattered({16384}, 1.04);
    const auto ranking = *rank(network, Collective::alltoall, hosts, 16384);
    const auto two = promising_choices(ranking, {}, 2);
    ASSERT_EQ(two.size(), 2U);
    EXPECT_NE(text_of(two[0]), text_of(two[1]));
    const auto hopeless = *rank(scattered({16384}, 0.1), Collective::alltoall, hosts, 16384);
    EXPECT_TRUE(promising_choices(hopeless, {}, 2).empty());
}

TEST(SafeChoice, takes_no_chances_with_buffers) {
    const StartTimes library{{2, 1.9, 2.1}};
    StartTimes ours{{1, 0.9, 1.1}};
    EXPECT_TRUE(is_safe(ours, library));
    ours.loses_packets = true;
    EXPECT_FALSE(is_safe(ours, library));
    ours.overflow_bytes = 2000;
    auto losing = library;
    losing.overflow_bytes = 4000;
    EXPECT_FALSE(is_safe(ours, losing)) << "by about as much as the library's own";
    losing.overflow_bytes = 40000;
    EXPECT_TRUE(is_safe(ours, losing)) << "whatever a loss costs, the library's own pays more";
    // A gather on random lab 3801 4: 96 ms of an expected 61 to 399, the library's 125.
    const StartTimes close{{125, 104, 150}};
    StartTimes learned{{96, 61, 250}};
    EXPECT_LT(chance_of_loss(learned, close), most_likely_chance);
    learned.overflow_bytes = 138e3;
    learned.may_lose = true;
    EXPECT_GT(chance_of_loss(learned, close), most_likely_chance) << "it shares no error with it";
    learned.measured = true;
    EXPECT_LT(chance_of_loss(learned, close), most_likely_chance);
    const StartTimes far{{175, 160, 190}};
    EXPECT_TRUE(likely_faster(learned, far));
    learned.measured = false;
    EXPECT_LT(chance_of_loss(learned, far), most_likely_chance);
    EXPECT_FALSE(likely_faster(learned, far)) << "though measured to win nearby";
    auto network = slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, {}, 20e-6};
    const Choice flat{*find_algorithm("gather.flat")};
    EXPECT_FALSE(evaluate(network, Collective::gather, hosts, 1024, flat)->overflows_unmeasured());
    auto large = *evaluate(network, Collective::gather, hosts, 32768, flat);
    EXPECT_TRUE(large.overflows_unmeasured()) << "eleven blocks come at once";
    const auto nearly = *evaluate(network, Collective::gather, hosts, 6000, flat);
    EXPECT_EQ(nearly.predicted.prediction.overflow_bytes, 0);
    EXPECT_GT(nearly.predicted.fullest, 0.8);
    EXPECT_TRUE(nearly.overflows_unmeasured()) << "66,000 bytes, one sixth of which leaves";
    auto windowed = nearly;
    windowed.choice.parameters.window = 2;
    EXPECT_FALSE(windowed.overflows_unmeasured()) << "a window leaves room";
    windowed.several_clusters = true;
    EXPECT_TRUE(windowed.overflows_unmeasured()) << "but not on a backbone";
    auto alone = nearly;
    alone.predicted.fullest = 0.85;
    EXPECT_TRUE(alone.overflows_unmeasured());
    alone.fan_in = 1;
    EXPECT_FALSE(alone.overflows_unmeasured()) << "which meets no others by chance";
    large.measured_s = large.time_s();
    EXPECT_FALSE(large.overflows_unmeasured()) << "its time is known, with what the loss takes";
}

TEST(SafeChoice, waits_where_ranks_that_start_apart_overflow_buffers) {
    auto network = slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, {}, 20e-6};
    const Choice flat{*find_algorithm("gather.flat")};
    auto candidate = *evaluate(network, Collective::gather, hosts, 1024, flat);
    const double time_s = candidate.known_s().value;
    EXPECT_EQ(known_time(candidate).time_s.value, time_s);
    candidate.predicted.prediction.may_lose = true;
    EXPECT_NEAR(known_time(candidate).time_s.value, time_s + 0.1, 1e-9);
    candidate.predicted.prediction.overflow_bytes = 2000; // time-outs are in the time
    EXPECT_EQ(known_time(candidate).time_s.value, time_s);
    auto exchange = candidate;
    exchange.collective = Collective::alltoall;
    exchange.choice = {*find_algorithm("alltoall.direct")};
    EXPECT_NEAR(known_time(exchange).time_s.value, time_s + 0.03, 1e-9) << "but not all of them";
    candidate.predicted.prediction.overflow_bytes = 0;
    auto full = candidate;
    full.predicted.prediction.may_lose = false;
    full.predicted.fullest = 0.85;
    EXPECT_EQ(known_time(full).time_s.value, time_s);
    full.predicted.fullest = 0.95;
    EXPECT_NEAR(known_time(full).time_s.value, time_s + 0.03, 1e-9);
    auto library = candidate;
    library.choice = {};
    EXPECT_EQ(known_time(library).time_s.value, time_s) << "of which nothing more is assumed";
    library.predicted.prediction.lossless_s = library.time_s();
    EXPECT_EQ(known_time(library).time_s.value, time_s);
    library.collective = Collective::alltoall; // predicted without the time-outs it may have
    EXPECT_NEAR(known_time(library).time_s.value, 1.1 * time_s, 1e-9);
    EXPECT_EQ(known_time(library).lossless_s->value, time_s);
    library.predicted.prediction.lossless_s = scaled(KnownTime{library.time_s()}, 0.5).time_s;
    EXPECT_EQ(known_time(library).time_s.value, time_s) << "with time-outs";
    candidate.measured_s = candidate.time_s();
    EXPECT_EQ(known_time(candidate).time_s.value, candidate.known_s().value);
}

TEST(SafeChoice, learns_from_measured_calls_what_losses_cost) {
    auto network = slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, {}, 20e-6};
    const Choice flat{*find_algorithm("gather.flat")};
    const auto at = [&](const Network& known, std::uint64_t size_bytes) {
        return *evaluate(known, Collective::gather, hosts, size_bytes, flat);
    };
    const auto measured_at = [&](const std::vector<std::uint64_t>& lossy_bytes) {
        std::vector<RepeatedCall> calls;
        for (const std::uint64_t size_bytes : {256, 512, 1024, 2048, 4096})
            calls.push_back(
                repeated_call(flat, size_bytes, at(network, size_bytes).time_s().value));
        for (const auto size_bytes : lossy_bytes)
            calls.push_back(
                repeated_call(flat, size_bytes, 3 * at(network, size_bytes).time_s().value));
        SimulationCache simulations;
        const CorrectedCalls of{{Collective::gather}, false, false};
        auto known = network;
        known.corrections.push_back(*fit_correction(of, medians_of(calls), network,
                                                    {{*algorithm_model("links")}}, simulations));
        return known;
    };
    const auto known = measured_at({16384, 65536, 131072});
    const auto lossy = at(known, 32768);
    EXPECT_FALSE(lossy.overflows_unmeasured());
    EXPECT_GT(lossy.time_s().value, 2.5 * at(network, 32768).time_s().value);
    EXPECT_LT(at(known, 3000).time_s().high, 1.3 * at(network, 3000).time_s().value)
        << "what loses nothing is not corrected by it";
    EXPECT_TRUE(at(measured_at({16384}), 32768).overflows_unmeasured()) << "one says too little";
}

TEST(SafeChoice, knows_what_the_library_takes_without_losses) {
    auto network = slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 30000}, {}, 20e-6};
    network.links->timeout_s = 0.2;
    const auto* links = *algorithm_model("links");
    const Baseline flat{links, *find_algorithm("gather.flat")};
    const auto modelled = [&](std::uint64_t size_bytes) {
        SimulationCache simulations;
        return *baseline_time(network, flat, Collective::gather, hosts, size_bytes, &simulations);
    };
    EXPECT_EQ(modelled(2048).timeouts_s, 0);
    EXPECT_FALSE(modelled(2048).may_lose);
    constexpr std::uint64_t lossy_bytes = 16384;
    ASSERT_GT(modelled(lossy_bytes).timeouts_s, 0.1);
    std::vector<RepeatedCall> calls;
    for (const std::uint64_t size_bytes : {128, 256, 512, 1024, 2048})
        calls.push_back(repeated_call({}, size_bytes, 1.2 * modelled(size_bytes).time_s));
    SimulationCache simulations;
    network.corrections.push_back(*fit_correction({{Collective::gather}, true, false},
                                                  medians_of(calls), network, {flat}, simulations));
    const auto predicted = [&](std::uint64_t size_bytes) {
        return *predict_library(network, Collective::gather, hosts, size_bytes, &simulations);
    };
    EXPECT_FALSE(predicted(2048).lossless_s);
    const auto lossless_s = predicted(lossy_bytes).lossless_s;
    ASSERT_TRUE(lossless_s);
    const double bare_s = modelled(lossy_bytes).time_s - modelled(lossy_bytes).timeouts_s;
    EXPECT_NEAR(lossless_s->value / bare_s, 1.2, 0.1) << "corrected like calls without losses";
    EXPECT_LT(lossless_s->high, predicted(lossy_bytes).time_s.value);
    EXPECT_LT(lossless_s->low, lossless_s->value);
}

TEST(SafeChoice, hears_the_model_that_knows_queues_whatever_times_look_like) {
    auto network = slow_network();
    const Choice flat{*find_algorithm("gather.flat")};
    const CorrectedCalls of{{Collective::gather}, false, false};
    std::vector<RepeatedCall> calls;
    for (const std::uint64_t size_bytes : {256, 512, 1024, 2048, 4096})
        calls.push_back(repeated_call(
            flat, size_bytes,
            evaluate(network, of.probe.collective, hosts, size_bytes, flat)->time_s().value));
    network.links = LinkNetwork{{6e6, 300e-6, 65536}, {}, 20e-6};
    SimulationCache simulations;
    const auto corrected = [&](const std::vector<Baseline>& baselines) {
        auto known = network;
        known.corrections.push_back(
            *fit_correction(of, medians_of(calls), network, baselines, simulations));
        return known;
    };
    const auto* plogp = *algorithm_model("plogp");
    EXPECT_EQ(
        corrected({{plogp}, {*algorithm_model("links")}}).corrections.front().baseline().model,
        plogp)
        << "which made them";
    const auto known = corrected(baselines_of(of, network, hosts));
    const auto large = *evaluate(known, Collective::gather, hosts, 32768, flat);
    EXPECT_EQ(large.predicted.prediction.model, "links");
    EXPECT_GT(large.predicted.prediction.overflow_bytes, 0);
    EXPECT_TRUE(large.overflows_unmeasured());
    const auto tries_plogp = [&](Collective collective, const Network& on) {
        return std::ranges::count(baselines_of({{collective}, false, false}, on, hosts), plogp,
                                  &Baseline::model) == 1;
    };
    EXPECT_FALSE(tries_plogp(Collective::alltoall, network));
    EXPECT_FALSE(tries_plogp(Collective::reduce, network));
    EXPECT_TRUE(tries_plogp(Collective::bcast, network)) << "no two blocks come at once";
    network.links->port.queue_bytes = 0;
    EXPECT_TRUE(tries_plogp(Collective::gather, network)) << "nothing knows the queue";
}

TEST(SafeChoice, believes_a_measurement_that_contradicts_the_prediction) {
    RankedAlgorithm ranked;
    ranked.predicted.prediction.time_s = {1, 0.8, 1.2};
    EXPECT_EQ(ranked.known_s().value, 1);
    ranked.measured_s = {1.1, 0.5, 3}; // two repetitions
    EXPECT_NEAR(ranked.known_s().value, 1.005, 0.001) << "agrees, and the prediction knows more";
    ranked.measured_s = {1.15, 0.9, 1.4}; // half of seven had a time-out
    EXPECT_NEAR(ranked.known_s().value, 1.07, 0.01) << "both know something";
    EXPECT_GT(ranked.known_s().low, 0.9);
    EXPECT_LT(ranked.known_s().high, 1.22);
    ranked.measured_s = {2, 0.5, 3};
    EXPECT_EQ(ranked.known_s().value, 2) << "one of the two had a time-out";
    ranked.measured_s = {1.1, 1.05, 1.15};
    EXPECT_EQ(ranked.known_s().value, 1.1);
}

TEST(SafeChoice, rules_run_what_was_measured_to_win) {
    const auto network = scattered({16384}, 1.3);
    const std::vector<std::vector<Rule>> rules{
        decision_table(network, {.clusters = hosts, .most_ranks = 12})};
    EXPECT_EQ(text_of(ChoiceTable(rules, Collective::alltoall, {12, 1}).at(16384)),
              text_of(paced(4)));
}

} // namespace
} // namespace alltold
