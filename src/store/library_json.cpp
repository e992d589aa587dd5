// SPDX-License-Identifier: BSD-3-Clause
// Times of the library's own collectives as JSON.
#include "store/profile_parts.hpp"

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
        one.size_bytes = static_cast<std::uint64_t>(item.member("size_bytes").number(in_bytes));
        one.time_s = read_estimate(item.member("time_s"), in_seconds);
        item.only({"collective", "algorithm", "clusters", "size_bytes", "time_s"});
        library.push_back(std::move(one));
    }
    return library;
}

} // namespace alltold
