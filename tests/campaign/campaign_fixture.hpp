// SPDX-License-Identifier: BSD-3-Clause
// Campaigns under the MPI launcher: what was printed, what was stored, a store of the test's own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../scratch.hpp"
#include "job.hpp"
#include "store/campaign.hpp"

namespace alltold::campaign_tests {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Times = std::map<std::string, double>; ///< "probe algorithm clusters size pair count
                                             ///< repetition" -> seconds

inline std::string sample_name(const Point& point, int repetition) {
    return fmt::format("{} {} {} {} {}-{} x{} #{}", point.probe, point.algorithm,
                       point.clusters.text(), point.size_bytes, point.first_rank, point.second_rank,
                       point.count, repetition);
}

/// All samples in the store; checks that repetitions count from 0 without a gap.
inline Times stored(const fs::path& path) {
    Times times;
    const auto campaign = Campaign::read(path);
    EXPECT_TRUE(campaign) << campaign.error().message;
    if (!campaign)
        return times;
    const auto points = campaign->points();
    EXPECT_TRUE(points);
    for (const auto& [point, samples, unit] : *points)
        for (std::size_t i = 0; i < samples.size(); ++i) {
            EXPECT_EQ(samples[i].repetition, static_cast<int>(i));
            EXPECT_TRUE(
                times.emplace(sample_name(point, samples[i].repetition), samples[i].value).second);
        }
    return times;
}

/// What whole lines of --json said was stored; no sample may be said twice.
inline Times printed(const std::string& output) {
    Times times;
    for (std::size_t from = 0, to; (to = output.find('\n', from)) != std::string::npos;
         from = to + 1) {
        if (output[from] != '{') // the launcher's own remarks
            continue;
        const auto line = nlohmann::json::parse(output.substr(from, to - from), nullptr, false);
        EXPECT_FALSE(line.is_discarded()) << output.substr(from, to - from);
        if (line.is_discarded())
            continue;
        const Point point{
            line["probe"],      line["algorithm"],  *Clusters::parse(std::string(line["clusters"])),
            line["size_bytes"], line["first_rank"], line["second_rank"],
            line["count"]};
        EXPECT_TRUE(times.emplace(sample_name(point, line["repetition"]), line["time_s"]).second);
    }
    return times;
}

inline void expect_all_stored(const Times& said, const Times& there) {
    for (const auto& [name, time_s] : said) {
        const auto found = there.find(name);
        ASSERT_NE(found, there.end()) << name << " was printed but is not in the store";
        EXPECT_EQ(found->second, time_s) << name;
    }
}

class Measure : public testing::Test {
  protected:
    /// measure with `options` on `ranks` ranks of this machine.
    Words command(int ranks, const Words& options) const {
        Words words{MPI_LAUNCH,     MPIEXEC,   std::to_string(ranks),
                    ALLTOLD_BINARY, "measure", store_.string()};
        words.insert(words.end(), options.begin(), options.end());
        return words;
    }
    fs::path out() const { return folder_ / "out"; }

    test::Scratch folder_;
    fs::path store_ = folder_ / "net.db";
};

inline const Words small{"--only", "p2p,plogp,collectives", "-m", "1,1KiB",   "-n",
                         "2,3",    "--repetitions",         "3",  "--budget", "30s"};

} // namespace alltold::campaign_tests
