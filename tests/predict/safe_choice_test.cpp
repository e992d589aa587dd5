// SPDX-License-Identifier: BSD-3-Clause
// Decisions at calls that were measured.
#include "predict/safe_choice.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/normal.hpp"
#include "core/random.hpp"
#include "networks.hpp"
#include "predict/choice_table.hpp"
#include "predict/decision_table.hpp"
#include "predict/fit_corrections.hpp"
#include "predict/library_prediction.hpp"
#include "predict/resolve.hpp"

namespace alltold {
namespace {

using test::slow_network;

const Clusters hosts({12});

/// A call with three repetitions about `time_s`.
RepeatedCall repeated_call(const Choice& choice, std::uint64_t size_bytes, double time_s) {
    return {choice.algorithm,
            choice.parameters,
            hosts,
            size_bytes,
            {time_s, 1.01 * time_s, 0.99 * time_s}};
}

void correct_by(Network& network, bool of_library, const std::vector<RepeatedCall>& calls) {
    SimulationCache simulations;
    const CorrectedCalls of{{Collective::alltoall}, of_library, false};
    network.corrections.push_back(*fit_correction(of, medians_of(calls), slow_network(),
                                                  baselines_of(of, slow_network(), hosts),
                                                  simulations));
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
    correct_by(network, true, library);
    correct_by(network, false, ours);
    return network;
}

TEST(SafeChoice, nothing_is_quicker_than_the_bound) {
    // The library's time may be anything from the bound on, and ours is close to the bound.
    StartTimes ours{{0.0345, 0.0335, 0.0355}}, library{{0.039, 0.022, 0.070}};
    EXPECT_GT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_FALSE(is_safe(ours, library));
    ours.bound_s = library.bound_s = 0.033;
    EXPECT_LT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_TRUE(is_safe(ours, library));
    ours.usual.time_s = {0.040, 0.039, 0.041};
    EXPECT_FALSE(is_safe(ours, library)) << "the library may be quicker";
}

TEST(SafeChoice, odds_above_a_bound_are_those_of_drawn_times) {
    const Estimate ours_s{1.2, 1.0, 1.44}, library_s{1.3, 0.8, 2.1};
    constexpr double bound_s = 1;
    StartTimes ours{ours_s}, library{library_s};
    ours.bound_s = library.bound_s = bound_s;
    Random random(3);
    const auto draw = [&](const Estimate& time_s) {
        for (;;)
            if (const double drawn_s =
                    time_s.value * std::exp(random.normal() * std::log(time_s.high / time_s.low) /
                                            (2 * normal_reach));
                drawn_s > bound_s)
                return drawn_s;
    };
    int slower = 0;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i)
        slower += draw(ours_s) > draw(library_s);
    EXPECT_NEAR(chance_of_slower(ours, library), static_cast<double>(slower) / draws, 0.01);
}

TEST(SafeChoice, a_time_with_losses_is_not_below_that_without) {
    const StartTimes ours{{0.0365, 0.034, 0.039}};
    StartTimes library{{0.042, 0.022, 0.080}};
    const double by_time = chance_of_loss(ours, library);
    EXPECT_GT(by_time, most_chance_of_loss);
    library.usual.lossless_s = {0.040, 0.0385, 0.0416};
    EXPECT_LT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_TRUE(is_safe(ours, library));
    library.second = library.usual;
    library.second->lossless_s.reset();
    auto from_both = ours;
    from_both.second = ours.usual;
    EXPECT_NEAR(chance_of_loss(from_both, library), by_time / 2, 0.01) << "not known there";
    library = {{0.042, 0.022, 0.080}};
    library.usual.lossless_s = {0.020, 0.019, 0.021};
    EXPECT_DOUBLE_EQ(chance_of_loss(ours, library), by_time) << "losses are likely";
}

TEST(SafeChoice, expected_losses_are_those_of_drawn_times) {
    const Estimate chosen_s{1.2, 0.8, 1.8}, other_s{1.3, 1.0, 1.69};
    Random random(5);
    const auto draw = [&](const Estimate& time_s) {
        return time_s.value *
               std::exp(random.normal() * std::log(time_s.high / time_s.low) / (2 * normal_reach));
    };
    double sum = 0;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i)
        sum += std::max(0., draw(chosen_s) / draw(other_s) - 1);
    EXPECT_NEAR(expected_loss(chosen_s, other_s), sum / draws, 0.005);
    EXPECT_NEAR(expected_loss({1.5, 1.499, 1.501}, {1, 0.999, 1.001}), 0.5, 0.01);
    EXPECT_EQ(expected_loss({1, 0, INFINITY}, {1, 1, 1}), 2);
}

TEST(SafeChoice, a_tie_from_one_start_does_not_cost_a_great_gain_from_the_other) {
    const auto with = [](const Estimate& usual_s, const Estimate& second_s) {
        return StartTimes{{usual_s}, KnownTime{second_s}};
    };
    constexpr Estimate silence_s{0.137, 0.131, 0.143}, barrier_s{0.150, 0.145, 0.156};
    const auto library = with({0.134, 0.130, 0.138}, {0.361, 0.340, 0.383});
    EXPECT_TRUE(is_safe(with(silence_s, barrier_s), library));
    const auto reversed = [](StartTimes times) {
        std::swap(times.usual, *times.second);
        return times;
    };
    EXPECT_TRUE(is_safe(reversed(with(silence_s, barrier_s)), reversed(library)));
    EXPECT_FALSE(is_safe(with(silence_s, {0.330, 0.310, 0.351}), library)) << "a small gain";
    EXPECT_FALSE(is_safe(with(silence_s, {0.150, 0.020, 1.100}), library)) << "an unsure one";
    EXPECT_FALSE(is_safe(with({0.141, 0.135, 0.147}, barrier_s), library)) << "a loss of 5 %";
    EXPECT_FALSE(is_safe(with({0.137, 0.100, 0.188}, barrier_s), library)) << "or of 15 %";
}

TEST(SafeChoice, uncertain_times_count_as_longer) {
    const StartTimes sure{{0.0215, 0.019, 0.024}}, unsure{{0.0197, 0.008, 0.060}};
    EXPECT_LT(sure.over(unsure), 1);
    EXPECT_NEAR(unsure.over(sure) * sure.over(unsure), 1, 1e-12);
    EXPECT_GT(sure.over({{0.0197, 0.018, 0.0216}}), 1);
}

TEST(SafeChoice, connections_may_have_small_windows) {
    StartTimes ours{{0.060, 0.055, 0.066}}, library{{0.080, 0.075, 0.085}};
    EXPECT_TRUE(is_safe(ours, library));
    library.small_windows = 1.3;
    ours.small_windows = 1.2;
    EXPECT_TRUE(is_safe(ours, library));
    ours.small_windows = 2;
    EXPECT_FALSE(is_safe(ours, library)) << "120 ms and 104 ms then";
    EXPECT_NEAR(chance_of_slower(ours, library), 0.5, 0.05) << "slower in one of two cases";
    EXPECT_NEAR(ours.over(library), std::sqrt(0.060 * 0.120 / (0.080 * 0.104)), 1e-3);
}

TEST(SafeChoice, large_windows_do_not_make_up_for_small_ones) {
    StartTimes ours{{0.047, 0.035, 0.060}}, library{{0.090, 0.085, 0.095}};
    ours.small_windows = 1.5;
    EXPECT_TRUE(is_safe(ours, library));
    ours.small_windows = 2.2;
    EXPECT_LT(ours.over(library), 1);
    EXPECT_TRUE(likely_loses_with_small_windows(ours, library)) << "103 ms and 90 ms then";
    EXPECT_FALSE(is_safe(ours, library));
    library.small_windows = 1.4;
    EXPECT_FALSE(likely_loses_with_small_windows(ours, library));
}

TEST(SafeChoice, a_tie_on_one_spread_hides_no_gain_on_others) {
    StartTimes ours{{0.0218, 0.020, 0.024}}, library{{0.0222, 0.020, 0.025}};
    EXPECT_FALSE(is_safe(ours, library));
    ours.elsewhere = {{{0.0206, 0.019, 0.022}}, {{0.0205, 0.019, 0.022}}};
    library.elsewhere = {{{0.041, 0.038, 0.044}}, {{0.040, 0.037, 0.043}}};
    EXPECT_TRUE(is_safe(ours, library));
    EXPECT_NEAR(ours.over(library), std::cbrt(0.0218 * 0.0206 * 0.0205 / (0.0222 * 0.041 * 0.040)),
                1e-3);
    ours.elsewhere[1].usual.time_s = {0.042, 0.039, 0.045};
    EXPECT_FALSE(is_safe(ours, library)) << "slower on one spread";
}

TEST(SafeChoice, quick_repetitions_of_the_library_count) {
    StartTimes ours{{0.080, 0.076, 0.084}}, library{{0.177, 0.124, 0.253}};
    EXPECT_TRUE(is_safe(ours, library));
    library.usual.lower_quartile_s = 0.066;
    EXPECT_TRUE(slower_than_quick_ones(ours, library));
    EXPECT_FALSE(is_safe(ours, library)) << "where none takes a time-out";
    library.usual.lower_quartile_s = 0.079;
    EXPECT_TRUE(is_safe(ours, library)) << "a tie with these";
    ours.second = {{0.080, 0.076, 0.084}};
    library.second = library.usual;
    library.second->lower_quartile_s = 0.066;
    EXPECT_FALSE(is_safe(ours, library));
    std::vector<RepeatedCall> calls(2, repeated_call({}, 32768, 0.1));
    calls[0].times_s = {0.293, 0.066, 0.289, 0.066};
    EXPECT_EQ(medians_of(calls)[0].lower_quartile_s, 0.066);
    EXPECT_EQ(medians_of(calls)[1].lower_quartile_s, 0) << "they hardly scatter";
}

TEST(SafeChoice, predictions_err_alike) {
    const StartTimes ours{{0.090, 0.078, 0.104}}, library{{0.100, 0.087, 0.115}};
    EXPECT_NEAR(chance_of_slower(ours, library), 0.19, 0.02) << "if errors were independent";
    EXPECT_LT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_TRUE(is_safe(ours, library));
    const StartTimes near_tie{{0.096, 0.083, 0.111}};
    EXPECT_GT(chance_of_loss(near_tie, library), most_chance_of_loss);
    EXPECT_FALSE(is_safe(near_tie, library));
}

TEST(SafeChoice, spreads_count_where_the_librarys_time_is_known) {
    constexpr Estimate unknown{INFINITY, INFINITY, INFINITY};
    StartTimes ours{{0.060, 0.055, 0.066}}, library{{0.080, 0.075, 0.085}};
    ours.elsewhere = library.elsewhere = {{unknown}};
    EXPECT_TRUE(is_safe(ours, library));
    ours.elsewhere[0].loses_packets = true;
    EXPECT_FALSE(is_safe(ours, library)) << "losses count on every spread";
    ours.elsewhere[0].loses_packets = false;
    library.elsewhere = {{{0.080, 0.075, 0.085}}};
    EXPECT_FALSE(is_safe(ours, library)) << "ours is not known there";
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
    candidate.predicted.prediction.overflow_bytes = 0;
    auto library = candidate;
    library.choice = {};
    EXPECT_EQ(known_time(library).time_s.value, time_s) << "of which nothing more is assumed";
    candidate.measured_s = candidate.time_s();
    EXPECT_EQ(known_time(candidate).time_s.value, candidate.known_s().value);
}

TEST(SafeChoice, a_tie_is_no_gain) {
    const StartTimes library{{0.1, 0.0995, 0.1005}};
    EXPECT_FALSE(is_safe({{0.098, 0.0975, 0.0985}}, library)) << "surely faster, but by 2 %";
    EXPECT_TRUE(is_safe({{0.096, 0.0955, 0.0965}}, library));
}

TEST(SafeChoice, losses_are_not_worth_a_small_gain) {
    // A gather on random lab 6701 4: of eight repetitions four took a time-out, of five measured
    // before none.
    StartTimes ours{{0.0541, 0.0535, 0.0547}}, library{{0.0559, 0.0555, 0.0563}};
    EXPECT_TRUE(is_safe(ours, library));
    ours.may_lose = ours.measured = true;
    EXPECT_FALSE(is_safe(ours, library));
    library.may_lose = true;
    EXPECT_TRUE(is_safe(ours, library)) << "both may";
    library.may_lose = false;
    library.usual.time_s = {0.065, 0.0645, 0.0655};
    EXPECT_TRUE(is_safe(ours, library)) << "a gain of 20 %";
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
