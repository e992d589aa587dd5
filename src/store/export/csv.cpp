// SPDX-License-Identifier: BSD-3-Clause
// One line per sample.
#include "store/export/export.hpp"

#include <iterator>

#include <fmt/format.h>

namespace alltold {
namespace {

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

std::string samples_csv(std::span<const PointSamples> points) {
    std::string text(csv_header);
    text += '\n';
    for (const auto& [point, samples, unit] : points) {
        const auto of_point =
            fmt::format("{},{},{},{},{},{},{}", field(point.probe), field(point.algorithm),
                        point.clusters.text(), point.size_bytes, point.first_rank,
                        point.second_rank, point.count);
        for (const auto& sample : samples)
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", of_point,
                           sample.repetition, sample.warmup ? 1 : 0, sample.value,
                           sample.taken_unix_s,
                           sample.retransmitted ? fmt::to_string(*sample.retransmitted) : "",
                           sample.summary ? fmt::format("{},{}", sample.summary->calls,
                                                        sample.summary->mean_of_ranks ? 1 : 0)
                                          : ",");
    }
    return text;
}

} // namespace alltold
