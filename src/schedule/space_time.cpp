// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/space_time.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units.hpp"

namespace alltold {
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
