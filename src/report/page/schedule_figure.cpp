// SPDX-License-Identifier: BSD-3-Clause
// The space-time diagram of the algorithm that the verdict names.
#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/parameters/resolve.hpp"
#include "report/page/figures.hpp"
#include "schedule/timeline.hpp"

namespace alltold {
namespace {

/// More would be a blot, and a page of megabytes.
constexpr std::size_t most_scheduled_messages = 1500;

const CallTimes* call_to_draw(std::span<const CallTimes> calls, const CallTimes* shown) {
    if (shown && shown->ours)
        return shown;
    const CallTimes* largest = nullptr;
    for (const auto& call : calls)
        if (call.ours && (!largest || call.clusters.ranks() >= largest->clusters.ranks()))
            largest = &call;
    return largest;
}

} // namespace

Figure schedule_figure(std::span<const CallTimes> calls, const CallTimes* shown) {
    Figure figure{.id = "schedule",
                  .title = "The schedule",
                  .columns = {{"step", "step"},
                              {"source", "from rank"},
                              {"destination", "to rank"},
                              {"size_bytes", "bytes", "B"},
                              {"blocks", "blocks"}},
                  .missing = "None of alltold's algorithms was measured."};
    const auto* call = call_to_draw(calls, shown);
    const auto choice = call ? parse_choice(call->ours->algorithm) : Result(Choice{});
    if (!call || !choice || !choice->algorithm)
        return figure;
    auto parameters = choice->parameters;
    set_clusters(parameters, *choice->algorithm, call->clusters);
    const auto specification =
        Specification::of(call->collective, call->clusters.ranks(), 0, call->size_bytes);
    const auto schedules = schedules_of(*choice->algorithm, specification, parameters);
    const auto messages = timeline(specification, schedules);
    const auto name = fmt::format("{}, {} hosts, {} per block", text_of(*choice),
                                  call->clusters.text(), format_size(call->size_bytes));
    figure.missing = {};
    figure.text = fmt::format("The {} messages of {}, in the order in which each host sends and "
                              "receives them, one step each. It shows the order, not seconds.",
                              messages.size(), name);
    for (const auto& message : messages)
        figure.rows.push_back({message.step, message.source, message.destination,
                               message.size_bytes, message.blocks});
    if (messages.size() <= most_scheduled_messages)
        figure.svg = space_time_svg(std::string(choice->algorithm->name), messages, call->clusters);
    else
        figure.text += " There are too many to draw; alltold show draws them.";
    return figure;
}

} // namespace alltold
