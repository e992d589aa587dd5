// SPDX-License-Identifier: BSD-3-Clause
// The memory of hosts comes back from samples made of a known one, and from a profile's JSON.
#include <gtest/gtest.h>

#include "network/cost_model.hpp"
#include "network/json/json_cursor.hpp"
#include "network/links/fit_links.hpp"
#include "refusals.hpp"
#include "synthetic.hpp"

using namespace alltold;

namespace {

const Clusters hosts = *Clusters::parse("2x4");
constexpr double latency_s = 0.8e-6, pair_rate = 5e9, shared_rate = 1.2e10;

class MemoryFit : public testing::Test {
  protected:
    void add(const Point& point, double time_s, const synthetic::Noise& noise = {0.02, 12}) {
        PointSamples samples{point, {}};
        for (const double value : synthetic::repeat(time_s, noise, random_))
            samples.samples.push_back({static_cast<int>(samples.samples.size()), value, false, 0});
        points_.push_back(std::move(samples));
    }
    void add_pairs(int first = 0) {
        for (const double m : synthetic::sizes(1, 8, 8))
            add({"memory", "mpi", *Clusters::parse("1x2"), static_cast<std::uint64_t>(m), first,
                 first + 1},
                latency_s + m / pair_rate);
    }
    void add_trains() {
        for (const std::uint64_t size : {1024, 16384, 65536})
            for (const int count : {2, 4, 8})
                add({"train", "mpi", Clusters({2}), size, 0, 4, count},
                    1e-3 + static_cast<double>(size) * count / 6e6);
    }
    void add_shared(int first, double rate, int ranks = 4) {
        const auto clusters = Clusters::of_hosts({{ranks}});
        for (const std::uint64_t m : {65536, 4194304})
            add({"memory_shared", "mpi", clusters, m, first, -1},
                ranks / 2 * static_cast<double>(m) / rate);
    }
    Fitting fitting() const { return Fitting(points_, hosts); }

    Random random_{7};
    std::vector<PointSamples> points_;
};

std::string refused_memory(Fitting& fitting) {
    EXPECT_FALSE(fit_memory(fitting));
    return fitting.refused.size() == 1 && fitting.refused.front().what == "memory"
               ? fitting.refused.front().reason
               : "not refused once";
}

} // namespace

TEST_F(MemoryFit, LatencyAndRatesComeBackInsideTheirIntervals) {
    int latencies = 0, rates = 0, trials = 0;
    for (; trials < 60; ++trials) {
        points_.clear();
        add_pairs();
        add_pairs(4);
        add_shared(0, shared_rate);
        auto fitting = this->fitting();
        const auto memory = fit_memory(fitting);
        ASSERT_TRUE(memory);
        EXPECT_TRUE(fitting.refused.empty());
        EXPECT_NEAR(memory->latency_s, latency_s, 0.03 * latency_s);
        EXPECT_NEAR(memory->copy_bytes_per_s, pair_rate, 0.05 * pair_rate);
        EXPECT_NEAR(memory->shared_bytes_per_s, shared_rate, 0.05 * shared_rate);
        EXPECT_LT(memory->rate_error, 0.1);
        latencies += std::abs(memory->latency_s / latency_s - 1) <= memory->latency_error;
        rates += std::abs(memory->copy_bytes_per_s / pair_rate - 1) <= memory->rate_error &&
                 std::abs(memory->shared_bytes_per_s / shared_rate - 1) <= memory->rate_error;
    }
    EXPECT_GE(latencies, 0.8 * trials);
    EXPECT_GE(rates, 0.8 * trials);
}

TEST_F(MemoryFit, TheSlowestHostCountsWhereTheyDiffer) {
    add_pairs();
    add_shared(0, shared_rate);
    add_shared(4, shared_rate / 2);
    auto fitting = this->fitting();
    const auto memory = fit_memory(fitting);
    ASSERT_TRUE(memory);
    EXPECT_NEAR(memory->shared_bytes_per_s, shared_rate / 2, 0.05 * shared_rate);
    EXPECT_TRUE(fitting.refused.empty());
    ASSERT_EQ(fitting.notes.size(), 1U);
    EXPECT_SAYS(fitting.notes[0].text, "the host of rank 4 and the host of rank 0 differ");
}

TEST_F(MemoryFit, TheMostPairsCountAndAtLeastOne) {
    add_pairs();
    add_shared(0, pair_rate, 2);
    add_shared(4, shared_rate, 4);
    auto fitting = this->fitting();
    EXPECT_NEAR(fit_memory(fitting)->shared_bytes_per_s, shared_rate, 0.05 * shared_rate);
    points_.clear();
    add_pairs();
    add_shared(0, pair_rate / 2, 2);
    auto slower = this->fitting();
    const auto memory = fit_memory(slower);
    EXPECT_EQ(memory->shared_bytes_per_s, memory->copy_bytes_per_s);
}

TEST_F(MemoryFit, NothingIsSaidWhereNothingWasMeasured) {
    auto fitting = this->fitting();
    EXPECT_FALSE(fit_memory(fitting));
    EXPECT_TRUE(fitting.refused.empty());
}

TEST_F(MemoryFit, RefusesHalfOfItAndNonsense) {
    add_pairs();
    auto alone = fitting();
    EXPECT_SAYS(refused_memory(alone), "all ranks of a host at once were not measured");
    points_.clear();
    add_shared(0, shared_rate);
    auto shared = fitting();
    EXPECT_SAYS(refused_memory(shared), "copies between ranks of one host: 0 length(s) measured");
    for (const std::uint64_t m : {1, 1024, 65536, 1 << 20})
        add({"memory", "mpi", *Clusters::parse("1x2"), m, 0, 1}, 1e-6, {0.2, 12});
    auto noise = fitting();
    EXPECT_SAYS(refused_memory(noise), "copies between ranks of one host: ");
}

TEST_F(MemoryFit, IsPartOfTheLinksAndOfTheirJson) {
    add_pairs();
    add_shared(0, shared_rate);
    add_trains();
    auto fitting = this->fitting();
    fit_models(fitting);
    ASSERT_TRUE(fitting.network.links && fitting.network.links->memory);
    const auto& memory = *fitting.network.links->memory;
    EXPECT_FALSE(memory.assumed);
    for (const auto* model : cost_models())
        if (model->name == "links") {
            const nlohmann::ordered_json json{
                {"links", model->fields.front().write(fitting.network)}};
            const auto again = [&](nlohmann::ordered_json text, Network& network) {
                auto root = JsonCursor::parse(text.dump(), "profile");
                model->fields.front().read(network, root.member("links"));
                return root.error() ? root.error()->message : "";
            };
            Network read;
            EXPECT_EQ(again(json, read), "");
            EXPECT_EQ(read.links->memory->latency_s, memory.latency_s);
            EXPECT_EQ(read.links->memory->copy_bytes_per_s, memory.copy_bytes_per_s);
            EXPECT_EQ(read.links->memory->shared_bytes_per_s, memory.shared_bytes_per_s);
            EXPECT_EQ(read.links->memory->latency_error, memory.latency_error);
            EXPECT_EQ(read.links->memory->rate_error, memory.rate_error);
            auto wrong = json;
            wrong["links"]["memory"]["copy_bytes_per_s"] = 0;
            EXPECT_SAYS(again(wrong, read), "copy_bytes_per_s");
            wrong = json;
            wrong["links"]["memory"]["speed"] = 1;
            EXPECT_SAYS(again(wrong, read), "speed");
        }
}

TEST_F(MemoryFit, IsAssumedWhereNobodyMeasuredItAndAProfileSaysSo) {
    add_trains();
    auto fitting = this->fitting();
    fit_models(fitting);
    ASSERT_TRUE(fitting.network.links && fitting.network.links->memory);
    EXPECT_TRUE(fitting.network.links->memory->assumed);
    for (const auto* model : cost_models())
        if (model->name == "links") {
            const nlohmann::ordered_json json{
                {"links", model->fields.front().write(fitting.network)}};
            Network read;
            auto root = JsonCursor::parse(json.dump(), "profile");
            model->fields.front().read(read, root.member("links"));
            EXPECT_FALSE(root.error());
            EXPECT_TRUE(read.links->memory->assumed);
        }
}
