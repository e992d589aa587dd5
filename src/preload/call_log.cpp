// SPDX-License-Identifier: BSD-3-Clause
// Text between ranks: a class a line.
#include "preload/call_log.hpp"

#include <bit>
#include <sstream>

#include <fmt/format.h>

namespace alltold::preload {

int size_bits_of(Collective collective, std::uint64_t size_bytes) {
    return traits_of(collective).per_pair ? 0 : std::bit_width(size_bytes);
}

void CallLog::add(const CallClass& shape, const CallSums& sums) {
    const auto found = classes_.find(shape);
    if (found != classes_.end())
        found->second.add(sums);
    else if (classes_.size() < most_classes)
        classes_.emplace(shape, sums);
    else
        others_.add(sums);
}

void CallLog::add_blocks(CallClass shape, const BlockSums& sums) {
    shape.why = 0;
    if (blocks_.size() < most_classes || blocks_.count(shape) > 0)
        blocks_[shape].add(sums);
}

const BlockSums* CallLog::blocks_of(CallClass shape) const {
    shape.why = 0;
    const auto found = blocks_.find(shape);
    return found == blocks_.end() ? nullptr : &found->second;
}

std::string CallLog::text() const {
    std::string text = fmt::format("run {}\nothers {} {} {}\n", run_s_, others_.calls,
                                   others_.bytes, others_.time_s);
    for (const auto& [shape, sums] : classes_)
        text +=
            fmt::format("class {} {} {} {} {} {} {} {} {}\n", static_cast<int>(shape.collective),
                        shape.ranks, shape.size_bits, shape.why, shape.nonblocking ? 1 : 0,
                        sums.calls, sums.bytes, sums.time_s, shape.choice);
    for (const auto& [shape, sums] : blocks_)
        text +=
            fmt::format("blocks {} {} {} {} {} {} {} {} {}\n", static_cast<int>(shape.collective),
                        shape.ranks, shape.size_bits, shape.nonblocking ? 1 : 0, sums.calls,
                        sums.time_s, sums.saved_s, sums.error_s, shape.choice);
    return text;
}

void CallLog::read(std::string_view text) {
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        CallSums sums;
        if (kind == "run") {
            double time_s = 0;
            if (words >> time_s)
                add_run(time_s);
            continue;
        }
        if (kind == "others") {
            if (words >> sums.calls >> sums.bytes >> sums.time_s)
                others_.add(sums);
            continue;
        }
        CallClass shape;
        int collective = 0;
        if (kind == "blocks") {
            BlockSums blocks;
            if (words >> collective >> shape.ranks >> shape.size_bits >> shape.nonblocking >>
                    blocks.calls >> blocks.time_s >> blocks.saved_s >> blocks.error_s &&
                std::getline(words >> std::ws, shape.choice)) {
                shape.collective = static_cast<Collective>(collective);
                add_blocks(shape, blocks);
            }
            continue;
        }
        if (words >> collective >> shape.ranks >> shape.size_bits >> shape.why >>
                shape.nonblocking >> sums.calls >> sums.bytes >> sums.time_s &&
            std::getline(words >> std::ws, shape.choice)) {
            shape.collective = static_cast<Collective>(collective);
            add(shape, sums);
        }
    }
}

} // namespace alltold::preload
