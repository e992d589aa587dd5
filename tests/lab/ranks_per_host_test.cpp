// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of hosts with several ranks: names, truth, limits, and settings of launchers.
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "core/units.hpp"
#include "lab/launchers.hpp"
#include "lab/options.hpp"
#include "lab/watch.hpp"

namespace alltold::lab {
namespace {

/// Up to 4 clusters of up to 6 hosts of up to 5 ranks.
rc::Gen<Clusters> any_clusters() {
    return rc::gen::exec([] {
        std::vector<std::vector<int>> clusters(*rc::gen::inRange<std::size_t>(1, 5));
        for (auto& hosts : clusters) {
            hosts.resize(*rc::gen::inRange<std::size_t>(1, 7));
            for (auto& ranks : hosts)
                ranks = *rc::gen::inRange(1, 6);
        }
        return Clusters::of_hosts(clusters);
    });
}

TEST(Options, NamesAreOfHostsWhateverRanksTheyHave) {
    EXPECT_TRUE(rc::check("as with one rank per host", [] {
        const auto several = *any_clusters();
        const auto one = several.leaders();
        for (int host = 0; host < one.ranks(); ++host) {
            RC_ASSERT(host_name(several, host) == host_name(one, host));
            RC_ASSERT(data_address(several, host) == data_address(one, host));
            RC_ASSERT(control_address(several, host) == control_address(one, host));
        }
        RC_ASSERT(hosts_file(several) == hosts_file(one));
    }));
}

TEST(Options, TruthSaysWhichRanksHostsHave) {
    EXPECT_TRUE(rc::check("clusters can be parsed, and hosts hold all ranks", [] {
        LabOptions options;
        options.clusters = *any_clusters();
        const auto made = truth(options);
        RC_ASSERT(Clusters::parse(made["clusters"].get<std::string>()).value() == options.clusters);
        RC_ASSERT(made["hosts"].size() == static_cast<std::size_t>(options.clusters.hosts()));
        int first = 0;
        for (std::size_t host = 0; host < made["hosts"].size(); ++host) {
            RC_ASSERT(options.clusters.host_of(first) == static_cast<int>(host));
            RC_ASSERT(made["hosts"][host]["cluster"] == options.clusters.cluster_of(first));
            first += made["hosts"][host]["ranks"].get<int>();
        }
        RC_ASSERT(first == options.clusters.ranks());
    }));
}

TEST(Options, RanksPerHostAreTheSameOnAll) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = *any_clusters();
        const int each = *rc::gen::inRange(1, 9);
        const auto made = with_ranks_per_host(clusters, each);
        RC_ASSERT(made.leaders() == clusters.leaders());
        for (int host = 0; host < made.hosts(); ++host)
            RC_ASSERT(made.ranks_of_host(host) == each);
    }));
    EXPECT_EQ(size_text(Clusters::parse("1").value()), "1 rank on 1 host (1)");
    EXPECT_EQ(size_text(Clusters::parse("2x3+1x2").value()), "8 ranks on 3 hosts (2x3+1x2)");
}

TEST(Options, LimitsAreOfHosts) {
    LabOptions options;
    options.clusters = Clusters::parse("250x8").value();
    EXPECT_TRUE(check(options));
    options.clusters = Clusters::parse("251x2").value();
    EXPECT_NE(check(options).error().message.find("251 hosts"), std::string::npos);
}

TEST(Capacity, OnlyHostsOfSeveralRanksHaveALimit) {
    LabOptions options;
    options.clusters = Clusters::parse("8x4").value();
    EXPECT_TRUE(check_ranks(options, 2));
    options.clusters = Clusters::parse("11x3").value();
    EXPECT_TRUE(check_ranks(options, 3));
    const auto refused = check_ranks(options, 2);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("--clusters 11x2 would do"), std::string::npos)
        << refused.error().message;
    options.oversubscribe = true;
    EXPECT_TRUE(check_ranks(options, 2));
    options = {};
    options.clusters = Clusters({100});
    EXPECT_TRUE(check_ranks(options, 2));
    EXPECT_EQ(rate_warning(options, 2), "");
}

TEST(Capacity, TheNamedRateIsOneThatFits) {
    LabOptions options;
    options.clusters = Clusters::parse("8x3").value();
    EXPECT_NE(rate_warning(options, 2).find("--nic 25Mbit "), std::string::npos)
        << rate_warning(options, 2);
    EXPECT_TRUE(rc::check([&] {
        options.clusters = *any_clusters();
        options.nic_bit_per_s = *rc::gen::inRange(1, 1000) * 1e6;
        const auto warning = rate_warning(options, 2);
        if (options.clusters.one_rank_per_host())
            RC_ASSERT(warning.empty());
        if (const auto at = warning.find("--nic "); at != warning.npos) {
            const auto named = warning.substr(at + 6, warning.find(' ', at + 6) - at - 6);
            const double fits = parse_rate(named).value();
            RC_ASSERT(fits < options.nic_bit_per_s);
            options.nic_bit_per_s = fits;
            RC_ASSERT(rate_warning(options, 2).empty());
        }
    }));
}

TEST(Launchers, HostsOfSeveralRanksTakeAsMany) {
    const auto several = Clusters::parse("2x3+1x2").value();
    EXPECT_EQ(launch_objection({"mpirun", "-n", "8", "hostname"}, several), "");
    const auto objection = launch_objection({"mpirun", "-n", "9", "hostname"}, several);
    EXPECT_NE(objection.find("3 hosts for 8 ranks"), std::string::npos) << objection;
    EXPECT_NE(objection.find("--clusters 2x3+1x3"), std::string::npos) << objection;
}

TEST(Launchers, OnlyRanksOfOneHostShareMemory) {
    LabOptions options;
    auto one = launch_environment(options);
    EXPECT_EQ(one["OMPI_MCA_btl"], "tcp,self");
    EXPECT_EQ(one["UCX_TLS"], "tcp,self");
    EXPECT_EQ(one["MPIR_CVAR_NOLOCAL"], "1");
    options.clusters = Clusters::parse("2x3").value();
    auto several = launch_environment(options);
    EXPECT_EQ(several["OMPI_MCA_btl"], "tcp,vader,self");
    EXPECT_EQ(several["UCX_TLS"], "tcp,sm,self");
    EXPECT_EQ(several.count("MPIR_CVAR_NOLOCAL"), 0U);
    EXPECT_EQ(several["OMPI_MCA_mpi_yield_when_idle"], "1");
}

} // namespace
} // namespace alltold::lab
