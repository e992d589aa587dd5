// SPDX-License-Identifier: BSD-3-Clause
// A traced call, message by message, over its simulation.
#include <fmt/format.h>

#include "core/units.hpp"
#include "report/page/figures.hpp"
#include "report/trace_report.hpp"

namespace alltold {
namespace {

/// More would be a blot, and a page of megabytes.
constexpr std::size_t most_traced_messages = 3000;

} // namespace

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
                              trace.algorithm, format_size(static_cast<double>(trace.size_bytes)),
                              trace.clusters.text(),
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
