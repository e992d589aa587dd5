// SPDX-License-Identifier: BSD-3-Clause
#include "report/trace_report.hpp"

#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/timing/operation_times.hpp"
#include "report/text_table.hpp"
#include "schedule/algorithms/work.hpp"

namespace alltold {
namespace {

constexpr std::size_t most_late_messages = 5;

bool is_message(const TracedOperation& operation) {
    return operation.kind <= Kind::await;
}

bool is_incoming(const TracedOperation& operation) {
    return operation.kind == Kind::receive || operation.kind == Kind::await;
}

/// Source, destination, tag.
using Key = std::tuple<int, int, std::int32_t>;

Key key_of(const TracedOperation& operation, int rank) {
    return is_incoming(operation) ? Key(operation.peer, rank, operation.tag)
                                  : Key(rank, operation.peer, operation.tag);
}

Error mismatched(const CallTrace& trace) {
    return bad_input(fmt::format(
        "the trace's messages are not those of {} here; trace it again with this version",
        trace.algorithm));
}

std::string name_of(const CallTrace& trace) {
    return fmt::format("{} of {}, {} ranks", trace.algorithm, format_size(trace.size_bytes),
                       trace.clusters.text());
}

std::string title_of(const CallTrace& trace, const simulate::Times* simulated) {
    return fmt::format("{}: {}{}", name_of(trace), format_time(trace.time_s),
                       simulated ? fmt::format(", simulated {}", format_time(simulated->time_s))
                                 : "");
}

double finished_s(const std::vector<TracedOperation>& operations) {
    double last_s = 0;
    for (const auto& operation : operations)
        last_s = std::max(last_s, operation.ended_s);
    return last_s;
}

double started_s(const std::vector<TracedOperation>& operations) {
    double first_s = operations.empty() ? 0 : operations.front().started_s;
    for (const auto& operation : operations)
        first_s = std::min(first_s, operation.started_s);
    return first_s;
}

std::string size_text(std::uint64_t size_bytes) {
    return size_bytes == 0 ? "signal" : format_size(size_bytes);
}

/// Empty where none came later.
std::string late_table(std::vector<TracedMessage> messages) {
    std::erase_if(messages, [](const TracedMessage& message) { return message.slower_s() <= 0; });
    if (messages.empty())
        return "";
    std::ranges::sort(messages, std::ranges::greater(), &TracedMessage::slower_s);
    messages.resize(std::min(messages.size(), most_late_messages));
    TextTable table;
    table.columns({"from", "to", "message", "sent", "received", "simulated", "later by"});
    for (const auto& message : messages)
        table.row({fmt::format("{}", message.source), fmt::format("{}", message.destination),
                   size_text(message.size_bytes), format_time(message.sent_s),
                   format_time(message.received_s), format_time(message.simulated_received_s),
                   format_time(message.slower_s())});
    return fmt::format("\nThe messages that came the longest after the simulated ones:\n{}",
                       table.text());
}

/// Ranks across, seconds down. Its style holds for it alone, since the page has other pictures.
class Diagram {
  public:
    Diagram(const CallTrace& trace, const simulate::Times* simulated)
        : trace_(trace), last_s_(simulated ? simulated->time_s : 0) {
        for (const auto& rank : trace.ranks)
            last_s_ = std::max(last_s_, finished_s(rank));
    }

    std::string draw(const std::string& title, const std::vector<TracedMessage>& messages,
                     bool simulated) {
        const double width = std::max(x(trace_.clusters.ranks() - 1) + 60,
                                      40 + 9 * static_cast<double>(title.size()));
        svg_ = fmt::format(
            "<svg class=\"trace\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
            "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
            "font-family=\"sans-serif\">\n<style>.trace line{{stroke-width:1}}.trace "
            ".local{{stroke:#2b6cb0}}.trace .inter{{stroke:#d9480f}}.trace "
            ".simulated{{stroke:#cbd5e0}}.trace line:hover{{stroke-width:4}}</style>\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
            "<text x=\"20\" y=\"28\" font-size=\"15\" font-weight=\"bold\">{2}</text>\n",
            width, top + height + 40, title);
        if (simulated)
            svg_ += "<text x=\"20\" y=\"48\" font-size=\"12\" fill=\"#555\">measured in colour, "
                    "simulated in grey</text>\n";
        grid();
        if (simulated)
            for (const auto& message : messages)
                line(message, "simulated", message.simulated_sent_s, message.simulated_received_s);
        for (const auto& message : messages)
            line(message, crosses(message) ? "inter" : "local", message.sent_s, message.received_s);
        return svg_ + "</svg>\n";
    }

  private:
    static constexpr double left = 90, top = 96, height = 900, column = 60, cluster_gap = 30;

    double x(int rank) const {
        return left + rank * column + trace_.clusters.cluster_of(rank) * cluster_gap;
    }
    double y(double time_s) const { return top + (last_s_ > 0 ? time_s / last_s_ * height : 0); }
    bool crosses(const TracedMessage& message) const {
        return trace_.clusters.cluster_of(message.source) !=
               trace_.clusters.cluster_of(message.destination);
    }

    void grid() {
        constexpr int marks = 10;
        for (int i = 0; i <= marks; ++i) {
            const double time_s = last_s_ * i / marks;
            svg_ += fmt::format("<line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" "
                                "stroke=\"#edf2f7\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" "
                                "font-size=\"12\" fill=\"#555\" text-anchor=\"end\">{5}</text>\n",
                                left - 20, x(trace_.clusters.ranks() - 1) + 20, y(time_s),
                                left - 26, y(time_s) + 4, format_time(time_s));
        }
        for (int rank = 0; rank < trace_.clusters.ranks(); ++rank)
            svg_ += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" "
                                "stroke=\"#718096\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
                                "font-size=\"13\" text-anchor=\"middle\">{4}</text>\n",
                                x(rank), top, top + height, top - 10, rank);
    }

    void line(const TracedMessage& message, std::string_view style, double sent_s,
              double received_s) {
        svg_ +=
            fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.2f}\" x2=\"{:.1f}\" "
                        "y2=\"{:.2f}\"><title>{} to {}: {}, {} to {}</title></line>\n",
                        style, x(message.source), y(sent_s), x(message.destination), y(received_s),
                        message.source, message.destination, size_text(message.size_bytes),
                        format_time(sent_s), format_time(received_s));
    }

    const CallTrace& trace_;
    double last_s_;
    std::string svg_;
};

} // namespace

Result<std::vector<TracedMessage>> messages_of(const CallTrace& trace,
                                               const simulate::Times* simulated) {
    std::map<Key, TracedMessage> messages;
    std::size_t number = 0; // of the operation in the simulation
    for (int rank = 0; rank < trace.clusters.ranks(); ++rank)
        for (const auto& operation : trace.ranks[static_cast<std::size_t>(rank)]) {
            const auto at = number++;
            if (simulated && at >= simulated->operations.size())
                return mismatched(trace);
            if (!is_message(operation))
                continue;
            auto& message = messages[key_of(operation, rank)];
            std::tie(message.source, message.destination, std::ignore) = key_of(operation, rank);
            message.size_bytes = operation.size_bytes;
            const auto span = simulated ? simulated->operations[at] : simulate::OperationSpan{};
            if (is_incoming(operation)) {
                message.received_s = operation.ended_s;
                message.simulated_received_s = span.ended_s;
            } else {
                message.sent_s = operation.started_s;
                message.simulated_sent_s = span.started_s;
            }
        }
    if (simulated && number != simulated->operations.size())
        return mismatched(trace);
    std::vector<TracedMessage> sorted;
    for (const auto& [key, message] : messages)
        sorted.push_back(message);
    std::ranges::stable_sort(sorted, {}, &TracedMessage::sent_s);
    return sorted;
}

Result<std::optional<simulate::Times>> simulate_trace(const CallTrace& trace,
                                                      const Network& network) {
    if (trace.collective == Collective::alltoallv)
        return std::optional<simulate::Times>();
    const auto choice = parse_choice(trace.algorithm); // load_traces has checked it
    auto parameters = choice->parameters;
    set_clusters(parameters, *choice->algorithm, trace.clusters);
    const int ranks = trace.clusters.ranks();
    ALLTOLD_TRY_DONE(accepts(*choice->algorithm, trace.collective, ranks, trace.root, parameters));
    const auto specification =
        Specification::of(trace.collective, ranks, trace.root, trace.size_bytes);
    ALLTOLD_TRY_DONE(check_work(*choice->algorithm, specification, parameters, to_run));
    ALLTOLD_TRY(times, simulated_operations(network, *choice->algorithm, specification,
                                            trace.clusters, parameters));
    return std::optional(std::move(*times));
}

std::string trace_text(const CallTrace& trace, const std::vector<TracedMessage>& messages,
                       const simulate::Times* simulated) {
    TextTable table;
    table.columns({"rank", "operations", "started", "finished"});
    if (simulated)
        table.column("simulated");
    for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
        const auto& operations = trace.ranks[rank];
        std::vector<std::string> cells{
            fmt::format("{}", rank), fmt::format("{}", operations.size()),
            format_time(started_s(operations)), format_time(finished_s(operations))};
        if (simulated)
            cells.push_back(format_time(simulated->finish_s[rank]));
        table.row(std::move(cells));
    }
    auto text = fmt::format("{}, {} messages\n{}", title_of(trace, simulated), messages.size(),
                            table.text());
    return simulated ? text + late_table(messages) : text;
}

std::string trace_svg(const CallTrace& trace, const std::vector<TracedMessage>& messages,
                      const simulate::Times* simulated) {
    return Diagram(trace, simulated)
        .draw(title_of(trace, simulated), messages, simulated != nullptr);
}

} // namespace alltold
