// SPDX-License-Identifier: BSD-3-Clause
// Reading host files line by line.
#include "topology/host_file.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/plain_text.hpp"
#include "core/split_at.hpp"
#include "topology/host_pattern.hpp"

namespace alltold {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";
constexpr std::string_view keyword = "cluster";

/// The text after "cluster:" or "cluster=" in a comment; nothing in any other comment.
std::optional<std::string_view> keyword_value(std::string_view comment) {
    auto rest = trimmed(comment, blanks);
    if (!rest.starts_with(keyword))
        return std::nullopt;
    rest = trimmed(rest.substr(keyword.size()), blanks);
    if (rest.empty() || (rest.front() != ':' && rest.front() != '='))
        return std::nullopt;
    return trimmed(rest.substr(1), blanks);
}

/// "n1" of "n1 slots=2", "user@n1" and "n1:2".
std::string host_of(std::string_view line) {
    auto name = line.substr(0, line.find_first_of(blanks));
    if (const auto at = name.find('@'); at != std::string_view::npos)
        name = name.substr(at + 1);
    // More than one colon is an IPv6 address.
    if (const auto colon = name.find(':'); colon == name.rfind(':'))
        name = name.substr(0, colon);
    return std::string(name);
}

} // namespace

bool same_host(std::string_view a, std::string_view b) {
    const auto dot_a = a.find('.');
    const auto dot_b = b.find('.');
    if (dot_a != std::string_view::npos && dot_b != std::string_view::npos)
        return a == b;
    return a.substr(0, dot_a) == b.substr(0, dot_b);
}

Result<HostFile> HostFile::parse(std::string_view text, std::string name) {
    HostFile file;
    file.file_ = std::move(name);
    std::string section;
    const auto wrong = [&](int line, std::string_view what) {
        return bad_input(fmt::format("{}: line {}: {}", file.file_, line, what));
    };
    int number = 0;
    for (std::size_t from = 0; from < text.size(); ++number) {
        const auto to = std::min(text.find('\n', from), text.size());
        const auto line = text.substr(from, to - from);
        from = to + 1;
        const auto hash = std::min(line.find('#'), line.size());
        const auto host = trimmed(line.substr(0, hash), blanks);
        const auto value = keyword_value(line.substr(std::min(hash + 1, line.size())));
        if (value && (value->empty() || value->find_first_of(blanks) != std::string_view::npos))
            return wrong(
                number + 1,
                fmt::format("'{}' is not a cluster name; write one word, such as # cluster: nancy",
                            trimmed(line.substr(hash), blanks)));
        for (const auto& name : {host_of(host), std::string(value.value_or(""))})
            if (plain_text(name) != name)
                return wrong(number + 1, fmt::format("'{}' has characters that no name has", name));
        if (host.empty())
            section = value ? std::string(*value) : section;
        else
            file.hosts_.push_back(
                {host_of(host), value ? std::string(*value) : section, number + 1});
    }
    if (file.silent())
        return file;
    std::map<std::string, const Host*> seen;
    for (const auto& host : file.hosts_) {
        if (host.cluster.empty())
            return wrong(host.line, fmt::format("host '{}' has no cluster although others do; "
                                                "write # cluster: NAME after it or above it",
                                                host.name));
        const auto& first = *seen.try_emplace(host.name, &host).first->second;
        if (first.cluster != host.cluster)
            return wrong(host.line,
                         fmt::format("host '{}' is in cluster '{}' here and in '{}' in line {}",
                                     host.name, host.cluster, first.cluster, first.line));
    }
    return file;
}

bool HostFile::silent() const {
    return std::ranges::all_of(hosts_, [](const auto& host) { return host.cluster.empty(); });
}

const HostFile::Host* HostFile::find(std::string_view host) const {
    const auto found = std::ranges::find_if(
        hosts_, [&](const auto& known) { return names_host(known.name, host); });
    return found == hosts_.end() ? nullptr : &*found;
}

Status HostFile::check_patterns() const {
    for (const auto& host : hosts_)
        if (auto right = check_host_pattern(host.name); !right)
            return bad_input(
                fmt::format("{}: line {}: {}", file_, host.line, right.error().message));
    return Done{};
}

Result<std::vector<int>> HostFile::clusters_of(std::span<const std::string> hosts) const {
    std::map<std::string, int> numbers;
    std::vector<int> cluster_of;
    for (const auto& wanted : hosts) {
        const auto* const found = find(wanted);
        if (!found)
            return bad_input(fmt::format(
                "{}: host '{}' runs a rank but is not in the file; add it to its cluster", file_,
                wanted));
        cluster_of.push_back(
            numbers.try_emplace(found->cluster, static_cast<int>(numbers.size())).first->second);
    }
    return cluster_of;
}

} // namespace alltold
