// SPDX-License-Identifier: BSD-3-Clause
// Traces as Chrome's trace events; what the events cannot say is in "otherData".
#include "store/call_trace.hpp"

#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text_file.hpp"

namespace alltold {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format = "alltold trace";
constexpr FileKind trace_file{"a trace", format};
constexpr double us = 1e-6;

Json heading_of(const CallTrace& trace) {
    return {{"collective", name_of(trace.collective)},
            {"algorithm", trace.algorithm},
            {"clusters", trace.clusters.text()},
            {"size_bytes", trace.size_bytes},
            {"root", trace.root},
            {"time_s", trace.time_s}};
}

/// Names process `call` and its threads.
void add_names(std::string& text, const CallTrace& trace, std::size_t call) {
    fmt::format_to(
        std::back_inserter(text),
        "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":{}}}}},\n", call,
        Json(fmt::format("{}, {} B", trace.algorithm, trace.size_bytes)).dump());
    for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank)
        fmt::format_to(std::back_inserter(text),
                       "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{"
                       "\"name\":\"rank {}\"}}}},\n",
                       call, rank, rank);
}

void add_event(std::string& text, const TracedOperation& operation, std::size_t call,
               std::size_t rank) {
    fmt::format_to(std::back_inserter(text),
                   "{{\"ph\":\"X\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{:.3f},\"dur\":{:."
                   "3f},\"args\":{{\"peer\":{},\"tag\":{},\"bytes\":{}}}}},\n",
                   name_of(operation.kind), call, rank, operation.started_s / us,
                   (operation.ended_s - operation.started_s) / us, operation.peer, operation.tag,
                   operation.size_bytes);
}

} // namespace

Status save_traces(std::span<const CallTrace> traces, const std::filesystem::path& path) {
    Json calls = Json::array();
    for (const auto& trace : traces)
        calls.push_back(heading_of(trace));
    auto text = fmt::format("{{\"otherData\":{},\n\"displayTimeUnit\":\"ms\",\n\"traceEvents\":[\n",
                            Json{{"format", format}, {"calls", calls}}.dump());
    for (std::size_t call = 0; call < traces.size(); ++call) {
        add_names(text, traces[call], call);
        for (std::size_t rank = 0; rank < traces[call].ranks.size(); ++rank)
            for (const auto& operation : traces[call].ranks[rank])
                add_event(text, operation, call, rank);
    }
    if (!traces.empty())
        text.erase(text.size() - 2); // the last comma
    text += "\n]}\n";
    return replace_text_file(path, text, trace_file);
}

Status may_save_traces(const std::filesystem::path& path) {
    return may_replace(path, trace_file);
}

} // namespace alltold
