// SPDX-License-Identifier: BSD-3-Clause
// Messages of a trace beside their simulation.
#include "report/trace_report.hpp"

#include <gtest/gtest.h>

#include "schedule/algorithms/algorithm.hpp"
#include "simulate/simulate.hpp"

namespace alltold {
namespace {

/// Ports of 100 bytes per second and 1 s.
const LinkNetwork links{{100, 1, 0}, {}, 0};

/// What the simulation says, with every receive of rank `slow` later by a second.
CallTrace traced(const Algorithm& algorithm, int ranks, int slow, simulate::Times& times) {
    const Clusters clusters({ranks});
    const auto specification = Specification::of(algorithm.collective, ranks, 0, 100);
    const auto graph = simulate::EventGraph::of(algorithm, specification, {});
    times = *simulate::run(*graph, links, clusters, {.operations = true});
    CallTrace trace{
        algorithm.collective, std::string(algorithm.name), clusters, 100, 0, times.time_s, {}};
    std::size_t number = 0;
    int rank = 0;
    for (const auto& schedule : schedules_of(algorithm, specification, {})) {
        auto& operations = trace.ranks.emplace_back();
        for (const auto& operation : schedule.operations()) {
            const auto& span = times.operations[number++];
            const double late_s = rank == slow && operation.is_incoming() ? 1 : 0;
            operations.push_back({operation.kind, operation.peer, operation.tag,
                                  operation.region.size_bytes, span.started_s,
                                  span.ended_s + late_s});
        }
        ++rank;
    }
    return trace;
}

TEST(Trace, matches_messages_and_finds_the_late_ones) {
    simulate::Times times;
    const auto trace = traced(**find_algorithm("alltoall.rotated"), 4, 2, times);
    const auto messages = messages_of(trace, &times);
    ASSERT_TRUE(messages) << messages.error().message;
    ASSERT_EQ(messages->size(), 12U);
    for (const auto& message : *messages) {
        EXPECT_NE(message.source, message.destination);
        EXPECT_GT(message.received_s, message.sent_s);
        EXPECT_NEAR(message.slower_s(), message.destination == 2 ? 1 : 0, 1e-9);
    }
    const auto text = trace_text(trace, *messages, &times);
    EXPECT_NE(text.find("simulated"), std::string::npos) << text;
    const auto late = text.substr(text.find("longest"));
    EXPECT_NE(late.find("1 s\n"), std::string::npos) << late;
    const auto svg = trace_svg(trace, *messages, &times);
    std::size_t lines = 0;
    for (auto at = svg.find("<title>"); at != std::string::npos; at = svg.find("<title>", at + 1))
        ++lines;
    EXPECT_EQ(lines, 24U) << "each message measured and simulated";
    const auto from = svg.find("<style>") + 7;
    const auto style = svg.substr(from, svg.find("</style>") - from);
    for (auto end = style.find('}'), start = std::string::size_type(0); end != std::string::npos;
         start = end + 1, end = style.find('}', start))
        EXPECT_EQ(style.compare(start, 7, ".trace "), 0) << "also of the page's charts: " << style;
}

TEST(Trace, needs_no_simulation) {
    simulate::Times times;
    const auto trace = traced(**find_algorithm("bcast.binomial"), 5, 1, times);
    const auto messages = messages_of(trace, nullptr);
    ASSERT_TRUE(messages);
    EXPECT_EQ(messages->size(), 4U);
    const auto text = trace_text(trace, *messages, nullptr);
    EXPECT_EQ(text.find("simulated"), std::string::npos) << text;
}

TEST(Trace, refuses_another_schedule) {
    simulate::Times times, other;
    const auto trace = traced(**find_algorithm("alltoall.rotated"), 4, 2, times);
    traced(**find_algorithm("bcast.flat"), 4, 2, other);
    EXPECT_FALSE(messages_of(trace, &other));
}

} // namespace
} // namespace alltold
