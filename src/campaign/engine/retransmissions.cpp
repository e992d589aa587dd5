// SPDX-License-Identifier: BSD-3-Clause
// Finds the column of a counter in /proc/net/snmp.
#include "campaign/engine/retransmissions.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fcntl.h>
#include <unistd.h>

namespace alltold::campaign {
namespace {

constexpr std::string_view protocol = "Tcp:", counter = "RetransSegs";

/// Takes the first line off `text`.
std::string_view next_line(std::string_view& text) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

std::string_view next_word(std::string_view& line) {
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    const auto word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

} // namespace

std::optional<std::uint64_t> retransmitted_in(std::string_view snmp) {
    while (!snmp.empty()) {
        auto names = next_line(snmp);
        if (next_word(names) != protocol)
            continue;
        auto values = next_line(snmp);
        next_word(values);
        while (!names.empty()) {
            const auto name = next_word(names), value = next_word(values);
            if (name != counter)
                continue;
            std::uint64_t count = 0;
            const auto [end, code] =
                std::from_chars(value.data(), value.data() + value.size(), count);
            const bool whole = code == std::errc{} && end == value.data() + value.size();
            return whole ? std::optional(count) : std::nullopt;
        }
        return std::nullopt;
    }
    return std::nullopt;
}

RetransmissionCounter::RetransmissionCounter()
    : file_(::open("/proc/self/net/snmp", O_RDONLY | O_CLOEXEC)) {}

RetransmissionCounter::~RetransmissionCounter() {
    if (file_ >= 0)
        ::close(file_);
}

std::optional<std::uint64_t> RetransmissionCounter::read() const {
    std::array<char, 4096> text; // today's files have 1 to 2 KiB
    const auto bytes = file_ < 0 ? -1 : ::pread(file_, text.data(), text.size(), 0);
    if (bytes <= 0)
        return std::nullopt;
    return retransmitted_in({text.data(), static_cast<std::size_t>(bytes)});
}

} // namespace alltold::campaign
