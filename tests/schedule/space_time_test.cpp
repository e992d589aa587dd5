// SPDX-License-Identifier: BSD-3-Clause
// A picture has room for all that is drawn in it.
#include "schedule/timeline.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace alltold {
namespace {

/// All numbers of this attribute in elements that match.
std::vector<double> numbers(const std::string& svg, const std::string& element,
                            const std::string& attribute) {
    std::vector<double> found;
    const std::regex pattern("<" + element + " [^>]*\\b" + attribute + "=\"([0-9.]+)\"");
    for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
        found.push_back(std::atof((*at)[1].str().c_str()));
    return found;
}

TEST(SpaceTime, TitleAndLinesStayInside) {
    const std::string title = "alltoall.paced, 1+1 ranks, 64 KiB per block, segments of 1400 B, "
                              "window 16, inter-cluster window 16";
    for (const auto& clusters : {Clusters({2}), Clusters({1, 1}), Clusters({6, 6})}) {
        const std::vector<Message> messages{{1, 0, 0, 1, 0, 0, ""}, {2, 1, 0, 0, 0, 1024, "1->0"}};
        const auto svg = space_time_svg(title, messages, clusters);
        const double width = numbers(svg, "svg", "width").front();
        EXPECT_GE(width, 24 + 9 * static_cast<double>(title.size())) << clusters.text();
        double box_end = 0;
        const auto x = numbers(svg, "rect", "x"), widths = numbers(svg, "rect", "width");
        ASSERT_EQ(x.size(), static_cast<std::size_t>(clusters.count()));
        for (std::size_t i = 0; i < x.size(); ++i) // the first width is the background's
            box_end = std::max(box_end, x[i] + widths[widths.size() - x.size() + i]);
        const double legend_end = 300;
        const auto ends = numbers(svg, "line", "x2");
        EXPECT_FALSE(ends.empty());
        for (const double end : ends)
            EXPECT_LE(end, std::max(box_end, legend_end)) << clusters.text();
    }
}

} // namespace
} // namespace alltold
