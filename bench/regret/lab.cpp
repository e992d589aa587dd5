// SPDX-License-Identifier: BSD-3-Clause
// Reads lab.json, with the times that `bench/regret.sh pack` added.
#include "regret/lab.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/hash.hpp"
#include "core/text_file.hpp"
#include "network/json/json_cursor.hpp"

namespace alltold::regret {
namespace {

/// The value that a text stands for; where it stands for none, the document's error says why.
template <class Read>
auto read_as(JsonCursor at, Read read) {
    auto value = read(at.text());
    if (!value)
        at.complain(value.error().message);
    return value;
}

TimedChoice read_row(JsonCursor at, Collective collective) {
    TimedChoice row;
    if (auto choice = read_as(at.member("choice"), [&](const std::string& text) {
            return parse_choice(text, collective);
        }))
        row.choice = *choice;
    for (auto time_s : at.member("times_s").items())
        row.times_s.push_back(time_s.number(seconds_above_zero));
    if (auto by_rules = at.optional_member("auto"))
        row.by_rules = by_rules->boolean();
    if (auto dropped = at.optional_member("dropped"))
        row.dropped = dropped->boolean();
    return row;
}

TimedCall read_call(JsonCursor at) {
    TimedCall call;
    if (const auto collective = read_as(at.member("collective"), [](const std::string& text) {
            return parse_collective(text);
        }))
        call.collective = *collective;
    if (auto clusters = read_as(at.member("clusters"), Clusters::parse))
        call.clusters = std::move(*clusters);
    if (const auto start = read_as(at.member("start"), parse_start_mode))
        call.start = *start;
    call.size_bytes = static_cast<std::uint64_t>(at.member("size_bytes").whole_number(0));
    for (auto row : at.member("timed").items())
        call.timed.push_back(read_row(row, call.collective));
    return call;
}

} // namespace

int Lab::half() const {
    Hash hash;
    hash.add(name);
    // By a remainder: names that differ in their last letter only have most bits in common.
    return 1 + static_cast<int>(hash.value() % 1'000'003 % 2);
}

Result<Lab> read_lab(const std::filesystem::path& folder) {
    const auto file = folder / "times.json";
    const auto text = read_text_file(file, "the times of a lab, unpacked by bench/regret.sh");
    if (!text)
        return text.error();
    auto root = JsonCursor::parse(*text, file.string());
    Lab lab{folder.filename().string(),
            root.member("options").text(),
            root.member("busy").boolean(),
            folder / "study.db",
            {}};
    for (auto call : root.member("calls").items())
        lab.calls.push_back(read_call(call));
    if (root.error())
        return *root.error();
    return lab;
}

} // namespace alltold::regret
