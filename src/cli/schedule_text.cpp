// SPDX-License-Identifier: BSD-3-Clause
// Prints schedules.
#include "cli/schedule_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/units.hpp"
#include "schedule/operation_text.hpp"

namespace alltold::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Region& region) {
    return {{"buffer", name_of(region.buffer)},
            {"offset_bytes", region.offset_bytes},
            {"size_bytes", region.size_bytes}};
}

Json json_of(const Operation& operation, std::span<const std::int32_t> after) {
    Json json{{"kind", name_of(operation.kind)}};
    if (operation.is_message()) {
        json["peer"] = operation.peer;
        json["tag"] = operation.tag;
    }
    if (operation.synchronous)
        json["synchronous"] = true;
    if (operation.region.size_bytes > 0)
        json["region"] = json_of(operation.region);
    if (operation.is_local())
        json["target"] = json_of(operation.target);
    if (operation.rows > 1) {
        json["rows"] = operation.rows;
        json["region_stride_bytes"] = operation.region_stride_bytes;
        json["target_stride_bytes"] = operation.target_stride_bytes;
    }
    json["after"] = std::vector<int>(after.begin(), after.end());
    return json;
}

bool crosses(const ScheduleView& view, const Message& message) {
    return view.clusters.cluster_of(message.source) !=
           view.clusters.cluster_of(message.destination);
}

long inter_host_messages(const ScheduleView& view) {
    return std::count_if(view.messages.begin(), view.messages.end(), [&](const Message& message) {
        return view.clusters.host_of(message.source) != view.clusters.host_of(message.destination);
    });
}

long inter_cluster_messages(const ScheduleView& view) {
    return std::count_if(view.messages.begin(), view.messages.end(),
                         [&](const Message& message) { return crosses(view, message); });
}

int steps(const ScheduleView& view) {
    return view.messages.empty() ? 0 : view.messages.back().step;
}

} // namespace

std::string title_of(const ScheduleView& view) {
    const auto& spec = view.specification;
    auto title = fmt::format("{}, {} ranks", view.name, view.clusters.text());
    if (traits_of(spec.collective()).has_data)
        title += fmt::format(", {} per block", format_size(static_cast<double>(spec.size_bytes())));
    if (spec.root() != 0)
        title += fmt::format(", root {}", spec.root());
    if (view.parameters.segment_bytes != 0)
        title += fmt::format(", segments of {}",
                             format_size(static_cast<double>(view.parameters.segment_bytes)));
    if (view.parameters.window != 0)
        title += fmt::format(", window {}", view.parameters.window);
    if (view.parameters.inter_cluster_window != 0)
        title += fmt::format(", inter-cluster window {}", view.parameters.inter_cluster_window);
    return title;
}

std::string text_of(const ScheduleView& view) {
    std::string text = fmt::format("{}: {} messages", title_of(view), view.messages.size());
    auto out = std::back_inserter(text);
    if (!view.clusters.one_rank_per_host())
        fmt::format_to(out, ", {} of them between hosts", inter_host_messages(view));
    if (view.clusters.count() > 1)
        fmt::format_to(out, ", {} of them between clusters (=>)", inter_cluster_messages(view));
    fmt::format_to(out, ", {} steps\n", steps(view));
    int step = 0;
    for (const auto& message : view.messages) {
        if (message.step != step)
            fmt::format_to(out, "step {}\n", step = message.step);
        fmt::format_to(out, "  {:>4} {} {:<4}", message.source,
                       crosses(view, message) ? "=>" : "->", message.destination);
        if (message.size_bytes == 0)
            fmt::format_to(out, " {:>10}\n", "signal");
        else
            fmt::format_to(out, " {:>10}  {}\n",
                           format_size(static_cast<double>(message.size_bytes)), message.blocks);
    }
    for (std::size_t rank = 0; rank < view.schedules.size(); ++rank) {
        const auto& schedule = view.schedules[rank];
        fmt::format_to(out, "rank {}: {} operations, {} of scratch memory\n", rank, schedule.size(),
                       format_size(static_cast<double>(schedule.scratch_bytes())));
        for (int i = 0; i < schedule.size(); ++i) {
            fmt::format_to(out, "  {:>4}  {}", i, text_of(schedule[i]));
            if (!schedule.after(i).empty())
                fmt::format_to(out, ", after {}", fmt::join(schedule.after(i), " "));
            text += '\n';
        }
    }
    return text;
}

std::string json_of(const ScheduleView& view) {
    const auto& spec = view.specification;
    Json json{{"algorithm", view.name},
              {"clusters", view.clusters.text()},
              {"ranks", spec.ranks()},
              {"root", spec.root()},
              {"size_bytes", spec.size_bytes()},
              {"segment_bytes", view.parameters.segment_bytes},
              {"window", view.parameters.window},
              {"inter_cluster_window", view.parameters.inter_cluster_window},
              {"steps", steps(view)},
              {"inter_cluster_messages", inter_cluster_messages(view)}};
    auto& messages = json["messages"] = Json::array();
    for (const auto& message : view.messages)
        messages.push_back({{"step", message.step},
                            {"source", message.source},
                            {"destination", message.destination},
                            {"size_bytes", message.size_bytes},
                            {"inter_cluster", crosses(view, message)},
                            {"blocks", message.blocks}});
    auto& ranks = json["schedules"] = Json::array();
    for (const auto& schedule : view.schedules) {
        Json operations = Json::array();
        for (int i = 0; i < schedule.size(); ++i)
            operations.push_back(json_of(schedule[i], schedule.after(i)));
        ranks.push_back(
            {{"scratch_bytes", schedule.scratch_bytes()}, {"operations", std::move(operations)}});
    }
    return json.dump(2) + "\n";
}

} // namespace alltold::cli
