// SPDX-License-Identifier: BSD-3-Clause
// A trace is what viewers of Chrome's format read.
#include "store/call_trace.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../scratch.hpp"

namespace alltold {
namespace {

CallTrace small_trace() {
    CallTrace trace{Collective::bcast, "bcast.flat", Clusters({1, 1}), 100, 1, 0.25, {}};
    trace.ranks = {{{Kind::receive, 1, 0, 100, 0.125, 0.25}},
                   {{Kind::send, 0, 0, 100, 0, 0.0625}, {Kind::join, -1, -1, 0, 0.0625, 0.0625}}};
    return trace;
}

/// What a viewer of Chrome's format needs of every event.
TEST(CallTrace, is_chromes_format) {
    const test::Scratch scratch;
    ASSERT_TRUE(save_traces(std::vector{small_trace()}, scratch / "a.trace"));
    std::ifstream file(scratch / "a.trace");
    const auto json = nlohmann::json::parse(file);
    int operations = 0;
    for (const auto& event : json.at("traceEvents")) {
        EXPECT_TRUE(event.contains("name") && event.contains("pid")) << event;
        if (event.at("ph") != "X")
            continue;
        ++operations;
        EXPECT_TRUE(event.at("ts").is_number() && event.at("dur").is_number() &&
                    event.contains("tid"))
            << event;
    }
    EXPECT_EQ(operations, 3);
    const auto& first = json["traceEvents"][3];
    EXPECT_EQ(first["name"], "receive");
    EXPECT_EQ(first["args"], nlohmann::json({{"peer", 1}, {"tag", 0}, {"bytes", 100}}));
    EXPECT_NEAR(first["ts"].get<double>(), 125000, 1e-6) << "microseconds";
    EXPECT_NEAR(first["dur"].get<double>(), 125000, 1e-6);
    const auto& call = json["otherData"]["calls"][0];
    EXPECT_EQ(call["algorithm"], "bcast.flat");
    EXPECT_EQ(call["clusters"], "1+1");
    EXPECT_EQ(call["time_s"], 0.25);
}

} // namespace
} // namespace alltold
