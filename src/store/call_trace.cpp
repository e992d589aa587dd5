// SPDX-License-Identifier: BSD-3-Clause
// Traces as Chrome's trace events; what the events cannot say is in "otherData".
#include "store/call_trace.hpp"

#include <iterator>

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "store/profile_json.hpp"

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

CallTrace read_heading(JsonCursor at) {
    CallTrace trace;
    const auto collective = collective_named(at.member("collective").text());
    if (collective)
        trace.collective = *collective;
    else
        at.member("collective").complain("expected a collective, such as alltoall");
    trace.algorithm = at.member("algorithm").text();
    if (const auto choice = parse_choice(trace.algorithm); !choice || !choice->algorithm)
        at.member("algorithm").complain("expected an algorithm from 'alltold list'");
    if (auto clusters = Clusters::parse(at.member("clusters").text()))
        trace.clusters = std::move(*clusters);
    else
        at.member("clusters").complain("expected ranks per cluster, such as 6+6");
    trace.size_bytes = read_size_bytes(at.member("size_bytes"));
    trace.root = at.member("root").whole_number(0);
    trace.time_s = at.member("time_s").number(in_seconds);
    if (!at.error())
        trace.ranks.resize(static_cast<std::size_t>(trace.clusters.ranks()));
    return trace;
}

/// Ignores events of other kinds than operations.
void read_event(JsonCursor at, std::vector<CallTrace>& traces) {
    if (at.member("ph").text() != "X")
        return;
    const auto call = static_cast<std::size_t>(at.member("pid").whole_number(0));
    const auto rank = static_cast<std::size_t>(at.member("tid").whole_number(0));
    if (at.error())
        return;
    if (call >= traces.size())
        return at.member("pid").complain("expected the number of one of /otherData/calls");
    if (rank >= traces[call].ranks.size())
        return at.member("tid").complain("expected a rank of that call");
    const auto kind = kind_named(at.member("name").text());
    if (!kind)
        return at.member("name").complain("expected an operation, such as send");
    auto args = at.member("args");
    TracedOperation operation{*kind, args.member("peer").whole_number(-1),
                              args.member("tag").whole_number(-1),
                              read_size_bytes(args.member("bytes"))};
    const bool is_message = *kind <= Kind::await;
    if (is_message && (operation.peer < 0 || operation.peer >= traces[call].clusters.ranks()))
        return args.member("peer").complain("expected a rank of that call");
    operation.started_s = at.member("ts").number(any_number) * us;
    operation.ended_s = operation.started_s + at.member("dur").number(any_number) * us;
    traces[call].ranks[rank].push_back(operation);
}

bool is_trace(JsonCursor root) {
    const auto about = root.optional_member("otherData");
    const auto said = about ? JsonCursor(*about).optional_member("format") : std::nullopt;
    return said && JsonCursor(*said).text() == format;
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

Result<std::vector<CallTrace>> load_traces(const std::filesystem::path& path) {
    ALLTOLD_TRY(text,
                read_text_file(path, "a trace made by 'alltold run --trace'", most_data_bytes));
    auto root = JsonCursor::parse(*text, path.string());
    if (root.error())
        return *root.error();
    if (!is_trace(root))
        return bad_input(fmt::format(
            "{}: is not a trace; expected one made by 'alltold run --trace'", path.string()));
    auto about = root.member("otherData");
    std::vector<CallTrace> traces;
    for (auto& call : about.member("calls").items())
        traces.push_back(read_heading(call));
    if (!root.error())
        for (auto& event : root.member("traceEvents").items())
            read_event(event, traces);
    if (root.error())
        return *root.error();
    return traces;
}

} // namespace alltold
