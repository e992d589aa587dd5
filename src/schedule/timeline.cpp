// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"
#include "schedule/matching.hpp"

namespace alltold {
namespace {

/// Assigns steps: operations become ready as those they are after complete.
class Clock {
  public:
    explicit Clock(std::span<const Schedule> schedules)
        : schedules_(schedules), matching_(schedules), waits_for_(sized(matching_.size())),
          is_ready_(waits_for_.size()), step_(waits_for_.size()), followers_(waits_for_.size()),
          sendable_(schedules.size()) {
        [[maybe_unused]] const auto fault = matching_.pair_up();
        assert(!fault);
        for (int rank = 0; rank < ranks(); ++rank)
            for (int step = 0; step < of(rank).size(); ++step) {
                waits_for_[at({rank, step})] = static_cast<int>(of(rank).after(step).size());
                for (const auto earlier : of(rank).after(step))
                    followers_[at({rank, earlier})].push_back(step);
            }
        for (int rank = 0; rank < ranks(); ++rank)
            for (int step = 0; step < of(rank).size(); ++step)
                if (of(rank).after(step).empty())
                    make_ready({rank, step});
    }

    /// Runs to the end; afterwards step_of gives the step of each message.
    void run() {
        for (now_ = 1; pending_ > 0; ++now_) {
            std::vector<Place> arrived;
            for (const auto send : senders_of_step()) {
                arrived.push_back(send);
                step_[at(send)] = now_;
                sendable_[static_cast<std::size_t>(send.rank)].erase(send.step);
            }
            for (const auto send : arrived) {
                --pending_;
                complete(send);
                complete(matching_.partner(send.rank, send.step));
            }
        }
    }
    int step_of(int rank, int step) const { return step_[at({rank, step})]; }

  private:
    static std::size_t sized(int n) { return static_cast<std::size_t>(n); }
    int ranks() const { return static_cast<int>(schedules_.size()); }
    const Schedule& of(int rank) const { return schedules_[static_cast<std::size_t>(rank)]; }
    std::size_t at(Place place) const { return sized(matching_.index(place.rank, place.step)); }

    void make_ready(Place place) {
        const auto& operation = of(place.rank)[place.step];
        is_ready_[at(place)] = 1;
        if (!operation.is_message()) {
            complete(place);
            return;
        }
        const auto partner = matching_.partner(place.rank, place.step);
        if (!is_ready_[at(partner)])
            return;
        const auto sender = operation.is_outgoing() ? place : partner;
        sendable_[static_cast<std::size_t>(sender.rank)].insert(sender.step);
        step_[at(sender)] = now_; // until it is sent, the step in which it became possible
        ++pending_;
    }

    void complete(Place place) {
        for (const auto follower : followers_[at(place)])
            if (--waits_for_[at({place.rank, follower})] == 0)
                make_ready({place.rank, follower});
    }

    /// The sends that get through in this step: each rank's first, one per receiver.
    std::vector<Place> senders_of_step() const {
        std::vector<Place> chosen(schedules_.size());
        const auto priority = [&](Place send) {
            return std::pair(step_[at(send)], matching_.partner(send.rank, send.step).step);
        };
        for (int rank = 0; rank < ranks(); ++rank) {
            const auto& steps = sendable_[static_cast<std::size_t>(rank)];
            if (steps.empty())
                continue;
            const Place send{rank, *steps.begin()};
            const int receiver = of(rank)[send.step].peer;
            auto& best = chosen[static_cast<std::size_t>(receiver)];
            if (best.rank < 0 || priority(send) < priority(best))
                best = send;
        }
        std::erase_if(chosen, [](Place send) { return send.rank < 0; });
        return chosen;
    }

    std::span<const Schedule> schedules_;
    Matching matching_;
    std::vector<int> waits_for_;
    std::vector<char> is_ready_;
    std::vector<int> step_;
    std::vector<std::vector<std::int32_t>> followers_;
    std::vector<std::set<int>> sendable_; ///< per rank: messages both of whose ends are ready
    int pending_ = 0;
    int now_ = 0;
};

/// Neighbouring blocks with one source or one destination.
struct Group {
    Block first, last;
    bool takes(const Block& next) const {
        const bool along_row = next.source == last.source && first.source == last.source &&
                               next.destination == last.destination + 1;
        const bool along_column = next.destination == last.destination &&
                                  first.destination == last.destination &&
                                  next.source == last.source + 1;
        return along_row || along_column;
    }
    std::string text() const {
        const auto range = [](int from, int to) {
            return from == to ? fmt::format("{}", from) : fmt::format("{}..{}", from, to);
        };
        if (first == last)
            return text_of(first);
        return fmt::format("{}->{}", range(first.source, last.source),
                           range(first.destination, last.destination));
    }
};

} // namespace

std::vector<Message> timeline(const Specification& specification,
                              std::span<const Schedule> schedules) {
    std::vector<Transfer> transfers;
    [[maybe_unused]] const auto fault = check(specification, schedules, {}, &transfers);
    assert(!fault);
    Clock clock(schedules);
    clock.run();
    std::vector<Message> messages;
    for (const auto& transfer : transfers) {
        std::uint64_t size = 0;
        for (const auto& run : transfer.runs)
            size += run.size_bytes;
        messages.push_back({clock.step_of(transfer.source, transfer.source_step), transfer.source,
                            transfer.source_step, transfer.destination, transfer.destination_step,
                            size,
                            transfer.combined.empty() ? blocks_text(specification, transfer.runs)
                                                      : transfer.combined});
    }
    std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
        return std::tuple(a.step, a.source, a.source_step) <
               std::tuple(b.step, b.source, b.source_step);
    });
    return messages;
}

std::string blocks_text(const Specification& specification, const std::vector<Run>& runs) {
    std::string text;
    std::vector<Group> groups;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    const auto flush = [&] {
        for (const auto& group : groups)
            add(group.text());
        groups.clear();
    };
    for (auto run : runs)
        while (run.size_bytes > 0) {
            const auto block = specification.block_at(run.address);
            const auto size = traits_of(specification.collective()).reduces
                                  ? specification.contribution_bytes()
                                  : specification.size_bytes(block);
            const auto from = run.address - specification.address_of(block);
            const auto taken = std::min(run.size_bytes, size - from);
            if (taken < size) {
                flush();
                add(fmt::format("{}[{}..{}]", text_of(block), from, from + taken - 1));
            } else if (!groups.empty() && groups.back().takes(block)) {
                groups.back().last = block;
            } else {
                groups.push_back({block, block});
            }
            run.address += taken;
            run.size_bytes -= taken;
        }
    flush();
    return text;
}

namespace {

constexpr double column = 52, cluster_gap = 30, row = 58;
constexpr double left = 64, right = 40, top = 114, bottom = 44;
constexpr double head = 9; // length of an arrow's head
/// Widths of characters: of the bold title at most, of the legend on average.
constexpr double title_char = 11, legend_char = 7.2;

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
}

class Diagram {
  public:
    Diagram(const Clusters& clusters, int steps) : clusters_(clusters), steps_(steps) {}

    std::string draw(const std::string& title, std::span<const Message> messages) {
        const double width = std::max({end() + right, 560.,
                                       left - 40 + title_char * static_cast<double>(title.size()),
                                       left - 40 + legend_width(messages)});
        const double height = y(steps_) + bottom;
        svg_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
            "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n",
            width, height);
        svg_ +=
            "<style>.m{stroke-width:1.7;fill:none}.m:hover{stroke-width:4}.local{stroke:#2b6cb0}."
            "inter{stroke:#d9480f;stroke-width:2.4}.signal{stroke:#718096;stroke-dasharray:5 "
            "4}polygon.local{fill:#2b6cb0;stroke:none}polygon.inter{fill:#d9480f;stroke:none}"
            "polygon.signal{fill:#718096;stroke:none}</style>\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
        text(left - 40, 28, title, "font-size=\"17\" font-weight=\"bold\"");
        legend(messages);
        grid();
        for (const auto& message : messages)
            arrow(message);
        return svg_ + "</svg>\n";
    }

  private:
    double x(int rank) const {
        return left + column / 2 + rank * column + clusters_.cluster_of(rank) * cluster_gap;
    }
    /// Where the last rank's column ends.
    double end() const { return x(clusters_.ranks() - 1) + column / 2; }
    double y(int time) const { return top + 14 + time * row; }

    bool crosses(const Message& message) const {
        return clusters_.cluster_of(message.source) != clusters_.cluster_of(message.destination);
    }
    std::string_view style_of(const Message& message) const {
        if (message.size_bytes == 0)
            return "signal";
        return crosses(message) ? "inter" : "local";
    }

    void text(double at_x, double at_y, const std::string& words, const std::string& attributes) {
        svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", at_x, at_y,
                            attributes, escaped(words));
    }

    struct Entry {
        std::string_view style;
        std::string label;
        double width() const { return 60 + legend_char * static_cast<double>(label.size()); }
    };

    std::vector<Entry> entries(std::span<const Message> messages) const {
        std::vector<Entry> all;
        for (const auto& [style, words] :
             {std::pair{std::string_view("local"),
                        clusters_.count() > 1 ? "local messages" : "messages"},
              std::pair{std::string_view("inter"), "inter-cluster messages"},
              std::pair{std::string_view("signal"), "signals"}})
            if (const auto count = std::ranges::count(
                    messages, style, [&](const Message& message) { return style_of(message); });
                count > 0)
                all.push_back({style, fmt::format("{} {}", count, words)});
        return all;
    }

    double legend_width(std::span<const Message> messages) const {
        double width = 0;
        for (const auto& entry : entries(messages))
            width += entry.width();
        return width;
    }

    void legend(std::span<const Message> messages) {
        double at = left - 40;
        for (const auto& entry : entries(messages)) {
            svg_ += fmt::format("<line class=\"m {}\" x1=\"{}\" y1=\"50\" x2=\"{}\" y2=\"50\"/>\n",
                                entry.style, at, at + 26);
            text(at + 32, 54, entry.label, "font-size=\"13\" fill=\"#333\"");
            at += entry.width();
        }
    }

    /// Clusters as bands, ranks as lines, steps as numbered rows.
    void grid() {
        for (int c = 0; c < clusters_.count(); ++c) {
            const double from = x(clusters_.first(c)) - column / 2;
            const double to = x(clusters_.first(c) + clusters_.size(c) - 1) + column / 2;
            svg_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                                "height=\"{:.1f}\" rx=\"8\" fill=\"#f1f5f9\"/>\n",
                                from, top - 28, to - from, y(steps_) - top + 42);
            if (clusters_.count() > 1)
                text((from + to) / 2, top - 34, fmt::format("cluster {}", c),
                     "font-size=\"12\" fill=\"#555\" text-anchor=\"middle\"");
        }
        for (int time = 0; time <= steps_; ++time)
            svg_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
                                "stroke=\"#d5dce4\"/>\n",
                                left, y(time), end(), y(time));
        for (int step = 1; step <= steps_; ++step)
            text(left - 12, (y(step - 1) + y(step)) / 2 + 4, fmt::format("{}", step),
                 "font-size=\"12\" fill=\"#555\" text-anchor=\"end\"");
        for (int rank = 0; rank < clusters_.ranks(); ++rank) {
            svg_ += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" "
                                "stroke=\"#94a3b8\"/>\n",
                                x(rank), y(0) - 8, y(steps_) + 6);
            text(x(rank), top - 10, fmt::format("{}", rank),
                 "font-size=\"14\" text-anchor=\"middle\"");
        }
    }

    void arrow(const Message& message) {
        const auto style = style_of(message);
        const double x1 = x(message.source), y1 = y(message.step - 1) + 3;
        const double x2 = x(message.destination), y2 = y(message.step) - 3;
        const double length = std::hypot(x2 - x1, y2 - y1);
        const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
        const double bx = x2 - head * ux, by = y2 - head * uy;
        const auto what = message.size_bytes == 0
                              ? std::string("signal")
                              : fmt::format("{} ({})", message.blocks,
                                            format_size(static_cast<double>(message.size_bytes)));
        svg_ += fmt::format("<g><title>{}</title><line class=\"m {}\" x1=\"{:.1f}\" y1=\"{:.1f}\" "
                            "x2=\"{:.1f}\" y2=\"{:.1f}\"/><polygon class=\"{}\" "
                            "points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/></g>\n",
                            escaped(fmt::format("step {}: rank {} to {}: {}", message.step,
                                                message.source, message.destination, what)),
                            style, x1, y1, bx, by, style, x2, y2, bx - 3.6 * uy, by + 3.6 * ux,
                            bx + 3.6 * uy, by - 3.6 * ux);
    }

    const Clusters& clusters_;
    int steps_;
    std::string svg_;
};

} // namespace

std::string space_time_svg(const std::string& title, std::span<const Message> messages,
                           const Clusters& clusters) {
    int steps = 0;
    for (const auto& message : messages)
        steps = std::max(steps, message.step);
    return Diagram(clusters, steps).draw(title, messages);
}

} // namespace alltold
