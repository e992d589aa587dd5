// SPDX-License-Identifier: BSD-3-Clause
// What a call leaves open is the same for comparisons, studies and the library at run time.
#include <gtest/gtest.h>

#include "../predict/random_calls.hpp"
#include "campaign/candidates.hpp"
#include "campaign/study/plan.hpp"
#include "predict/choice/rank.hpp"
#include "runtime/call_choices.hpp"

namespace alltold {
namespace {

using namespace test;

/// What `alltold run` times.
Choice by_candidate(const CollectiveCall& call, const std::shared_ptr<const Network>& network,
                    const Algorithm& algorithm) {
    campaign::CandidateRequest request;
    request.what = algorithm.name;
    request.without_mpi = true;
    const auto selected = campaign::select_candidates(request, call.clusters, network);
    return *selected->candidates.front().at(
        Specification::of(call.collective, call.clusters.ranks(), 0, call.size_bytes),
        call.clusters);
}

/// What the C interface runs.
Choice by_runtime(const CollectiveCall& call, const std::shared_ptr<const Network>& network,
                  const Choice& choice) {
    CallChoices choices(call.clusters.ranks());
    choices.set_clusters(call.clusters);
    choices.set_network(network);
    EXPECT_TRUE(choices.choose(choice, true));
    return *choices.complete_choice(call.collective, call.size_bytes, 0);
}

Choice by_rules(const CollectiveCall& call, const std::shared_ptr<const Network>& network,
                const Choice& choice) {
    Rule rule;
    rule.collective = call.collective;
    rule.choice = choice;
    CallChoices choices(call.clusters.ranks());
    choices.set_clusters(call.clusters);
    choices.set_network(network);
    EXPECT_TRUE(choices.choose_by_rules(std::make_shared<RuleSources>(RuleSources{{rule}})));
    return *choices.complete_choice(call.collective, call.size_bytes, 0);
}

TEST(ResolveEverywhere, gives_run_and_the_library_the_same_parameters) {
    Random random(1999);
    int compared = 0;
    for (int i = 0; i < 20; ++i) {
        const auto network = random.index(4) == 0
                                 ? nullptr
                                 : std::make_shared<const Network>(random_network(random));
        const auto call = random_call(random);
        for (const auto* algorithm : registry()) {
            const auto expected = resolve(call, network.get(), {.choice = Choice{algorithm}});
            if (!expected)
                continue;
            const auto what = text_of(call) + text_of(*expected);
            EXPECT_EQ(by_candidate(call, network, *algorithm), *expected) << what;
            EXPECT_EQ(by_runtime(call, network, {algorithm}), *expected) << what;
            EXPECT_EQ(by_rules(call, network, {algorithm}), *expected) << what;
            ++compared;
        }
    }
    EXPECT_GT(compared, 80);
}

TEST(ResolveEverywhere, gives_calls_of_studies_the_same_parameters) {
    int compared = 0;
    for (const auto& hosts : {Clusters({6}), Clusters({3, 3})}) {
        Profile profile;
        profile.provenance.clusters = hosts;
        profile.network = joined_network();
        for (const auto& call : campaign::study_calls(profile, {}, studied_collectives)) {
            if (!call.choice.algorithm)
                continue;
            const auto expected =
                resolve({call.probe.collective, call.clusters, call.size_bytes}, &profile.network,
                        {.choice = Choice{call.choice.algorithm}});
            ASSERT_TRUE(expected);
            EXPECT_EQ(call.choice, *expected)
                << text_of({call.probe.collective, call.clusters, call.size_bytes});
            ++compared;
        }
    }
    EXPECT_GT(compared, 100);
}

TEST(ResolveEverywhere, chooses_alike_where_nothing_is_chosen) {
    CallChoices choices(12);
    for (const auto collective : all_collectives) {
        const auto expected = resolve({collective, Clusters({12}), 1024}, nullptr, {});
        ASSERT_TRUE(expected);
        EXPECT_EQ(*choices.complete_choice(collective, 1024, 0), *expected) << name_of(collective);
    }
}

TEST(ResolveEverywhere, takes_as_many_far_senders_for_run_as_for_rank) {
    const auto network = std::make_shared<const Network>(joined_network());
    const CollectiveCall call{Collective::gather, Clusters({6, 6}), 65536};
    const auto& algorithm = **find_algorithm("gather.clustered");
    EXPECT_EQ(by_candidate(call, network, algorithm).parameters.inter_cluster_window, 10);
    const auto ranking = *rank(*network, call.collective, call.clusters, call.size_bytes);
    for (const auto& ranked : ranking.candidates)
        if (ranked.choice.algorithm == &algorithm) {
            EXPECT_EQ(ranked.choice.parameters.inter_cluster_window, 10);
        }
}

TEST(ResolveEverywhere, keeps_what_is_complete) {
    CallChoices choices(12);
    ASSERT_TRUE(choices.choose(*parse_choice("alltoall.paced"), false));
    EXPECT_EQ(choices.complete_choice(Collective::alltoall, 65536, 0)->parameters.window, 0);
    ASSERT_TRUE(choices.choose(*parse_choice("alltoall.paced"), true));
    EXPECT_EQ(choices.complete_choice(Collective::alltoall, 65536, 0)->parameters.window, 4);
    EXPECT_EQ(choices.complete_choice(Collective::alltoall, 64, 0)->parameters.window, 0);
}

} // namespace
} // namespace alltold
