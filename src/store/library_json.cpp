// SPDX-License-Identifier: BSD-3-Clause
// Times of the library's own collectives as JSON.
#include <cmath>

#include <fmt/format.h>

#include "core/limits.hpp"
#include "store/profile_fields.hpp"

namespace alltold {

using nlohmann::ordered_json;

namespace {

Collective read_collective(JsonCursor at) {
    const auto collective = parse_collective(at.text(), uniform_collectives);
    if (!collective)
        at.complain(collective.error().message);
    return collective ? *collective : Collective::alltoall;
}

} // namespace

std::uint64_t read_size_bytes(JsonCursor at) {
    const double size_bytes = at.number(in_bytes);
    if (size_bytes != std::floor(size_bytes) || size_bytes > static_cast<double>(most_size_bytes))
        at.complain(fmt::format("expected a whole number of bytes of at most {}, got {}",
                                most_size_bytes, size_bytes));
    return at.error() ? 0 : static_cast<std::uint64_t>(size_bytes);
}

ordered_json to_json(const std::vector<LibraryTime>& library) {
    auto list = ordered_json::array();
    for (const auto& [collective, clusters, size_bytes, time_s, algorithm] : library)
        list.push_back({{"collective", name_of(collective)},
                        {"algorithm", algorithm},
                        {"clusters", clusters.text()},
                        {"size_bytes", size_bytes},
                        {"time_s", to_json(time_s)}});
    return list;
}

std::vector<LibraryTime> read_library_times(JsonCursor at) {
    std::vector<LibraryTime> library;
    for (auto item : at.items()) {
        LibraryTime one;
        one.collective = read_collective(item.member("collective"));
        if (auto algorithm = item.optional_member("algorithm"))
            one.algorithm = algorithm->text();
        auto field = item.member("clusters");
        if (auto clusters = Clusters::parse(field.text()))
            one.clusters = std::move(*clusters);
        else
            field.complain(clusters.error().message);
        one.size_bytes = read_size_bytes(item.member("size_bytes"));
        one.time_s = read_estimate(item.member("time_s"), in_seconds);
        item.only({"collective", "algorithm", "clusters", "size_bytes", "time_s"});
        library.push_back(std::move(one));
    }
    return library;
}

} // namespace alltold
