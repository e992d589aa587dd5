// SPDX-License-Identifier: BSD-3-Clause
// Traces are read as they were written, and what is none is refused by name.
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

TEST(CallTrace, comes_back) {
    const test::Scratch scratch;
    const auto written = small_trace();
    ASSERT_TRUE(save_traces(std::vector{written, written}, scratch / "a.trace"));
    const auto read = load_traces(scratch / "a.trace");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 2U);
    const auto& trace = read->back();
    EXPECT_EQ(trace.algorithm, "bcast.flat");
    EXPECT_EQ(trace.clusters.text(), "1+1");
    EXPECT_EQ(trace.size_bytes, 100U);
    EXPECT_EQ(trace.root, 1);
    EXPECT_EQ(trace.time_s, 0.25);
    ASSERT_EQ(trace.ranks.size(), 2U);
    ASSERT_EQ(trace.ranks[1].size(), 2U);
    EXPECT_EQ(trace.ranks[1][1].kind, Kind::join);
    EXPECT_EQ(trace.ranks[0][0].peer, 1);
    EXPECT_EQ(trace.ranks[0][0].size_bytes, 100U);
    EXPECT_NEAR(trace.ranks[0][0].started_s, 0.125, 1e-9);
    EXPECT_NEAR(trace.ranks[0][0].ended_s, 0.25, 1e-9);
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
    EXPECT_NEAR(json["traceEvents"].back()["ts"].get<double>(), 62500, 1e-6) << "microseconds";
}

TEST(CallTrace, refuses_what_is_none) {
    const test::Scratch scratch;
    const auto refusal = [&](const std::string& from, const std::string& to) {
        if (!save_traces(std::vector{small_trace()}, scratch / "a.trace"))
            return std::string("not written");
        std::ifstream file(scratch / "a.trace");
        std::string text(std::istreambuf_iterator<char>(file), {});
        const auto at = text.find(from);
        if (at == std::string::npos)
            return std::string("nothing to replace");
        std::ofstream(scratch / "b.trace") << text.replace(at, from.size(), to);
        const auto read = load_traces(scratch / "b.trace");
        return read ? std::string("taken") : read.error().message;
    };
    const std::pair<const char*, const char*> cases[] = {
        {"bcast.flat", "bcast.none"},
        {"\"tid\":1,\"ts\"", "\"tid\":2,\"ts\""},
        {"\"pid\":0,\"tid\":0,\"ts\"", "\"pid\":1,\"tid\":0,\"ts\""},
        {"\"receive\"", "\"received\""},
        {"\"peer\":1", "\"peer\":2"},
        {"\"peer\":1", "\"peer\":-1"},
        {"\"1+1\"", "\"1+\""},
        {"\"bytes\":100", "\"bytes\":-1"},
        {"\"time_s\"", "\"time_ms\""}};
    for (const auto& [from, to] : cases) {
        const auto message = refusal(from, to);
        EXPECT_NE(message.find("b.trace: /"), std::string::npos) << from << ": " << message;
    }
    const auto other = refusal("alltold trace", "other trace");
    EXPECT_NE(other.find("b.trace: is not a trace"), std::string::npos) << other;
    EXPECT_FALSE(load_traces(scratch / "missing.trace"));
}

} // namespace
} // namespace alltold
