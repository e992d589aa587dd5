// SPDX-License-Identifier: BSD-3-Clause
// The space-time diagram of the algorithm that the verdict names, and that of a traced call over
// its simulation.
#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/parameters/resolve.hpp"
#include "report/page/figures.hpp"
#include "report/trace_report.hpp"
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

constexpr std::size_t most_traced_messages = 3000;

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

Figure trace_figure(const PageInput& input) {
    Figure figure{.id = "trace",
                  .title = "One call, message by message",
                  .columns = {{"source", "from rank"},
                              {"destination", "to rank"},
                              {"size_bytes", "bytes", "B"},
                              {"sent_s", "sent", "s"},
                              {"received_s", "received", "s"},
                              {"simulated_sent_s", "sent, simulated", "s"},
                              {"simulated_received_s", "received, simulated", "s"}}};
    const auto& trace = *input.trace;
    const auto times = simulate_trace(trace, input.fitted.network);
    const auto* simulated = times && *times ? &**times : nullptr;
    auto messages = messages_of(trace, simulated);
    if (!messages) { // of another version
        simulated = nullptr;
        messages = messages_of(trace, nullptr);
    }
    if (!messages)
        return figure;
    figure.text = fmt::format("{} of {} on {} hosts. Every line is a message from when its sender "
                              "started it to when its receiver had it{}.",
                              trace.algorithm, format_size(trace.size_bytes), trace.clusters.text(),
                              simulated ? "; grey lines are the simulation on this network" : "");
    for (const auto& message : *messages) {
        figure.rows.push_back({message.source, message.destination, message.size_bytes,
                               number_or_null(message.sent_s), number_or_null(message.received_s)});
        for (const double time_s : {message.simulated_sent_s, message.simulated_received_s})
            figure.rows.back().push_back(simulated ? number_or_null(time_s)
                                                   : nlohmann::ordered_json());
    }
    if (messages->size() <= most_traced_messages)
        figure.svg = trace_svg(trace, *messages, simulated);
    else
        figure.text += " There are too many to draw; alltold show --trace draws them.";
    return figure;
}

} // namespace alltold
