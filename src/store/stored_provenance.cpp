// SPDX-License-Identifier: BSD-3-Clause
#include "store/stored_provenance.hpp"

#include <chrono>

#include <fmt/format.h>

#include "core/text.hpp"
#include "store/database.hpp"
#include "topology/rank_order.hpp"

namespace alltold {
namespace {

std::string shortened(std::string_view text) {
    constexpr std::size_t most = 40;
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

} // namespace

double unix_time_s() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Result<Clusters> read_clusters(const std::filesystem::path& path, const std::string& text) {
    return in_context(path.string() + ": damaged", Clusters::parse(text));
}

Status check_text(const std::filesystem::path& path, std::string_view field, std::string_view text,
                  std::size_t most_bytes) {
    std::string shown(text);
    std::ranges::replace(shown, '\t', ' '); // MPICH's version has one
    if (text.size() <= most_bytes && plain_text(shown) == shown)
        return Done{};
    return bad_input(fmt::format("{}: damaged: {} '{}' is not a text of at most {} characters that "
                                 "can be shown",
                                 path.string(), field, shortened(text), most_bytes));
}

Status check_point(const std::filesystem::path& path, const Point& point, const Clusters& all) {
    const auto wrong = [&](std::string_view field, std::string_view value, std::string_view right) {
        return bad_input(fmt::format("{}: damaged: a point of probe '{}' has {} {}; expected {}",
                                     path.string(), point.probe, field, value, right));
    };
    for (const auto& [field, text] :
         {std::pair{"probe", &point.probe}, std::pair{"algorithm", &point.algorithm}})
        ALLTOLD_TRY_DONE(check_text(path, field, *text, most_name_bytes));
    const int ranks = all.ranks();
    if (point.clusters.ranks() > ranks)
        return wrong("clusters", point.clusters.text(), fmt::format("at most {} ranks", ranks));
    for (const auto& [name, rank] :
         {std::pair{"first_rank", point.first_rank}, std::pair{"second_rank", point.second_rank}})
        if (rank < -1 || rank >= ranks)
            return wrong(name, fmt::format("{}", rank), fmt::format("-1 to {}", ranks - 1));
    if (point.size_bytes > most_point_bytes)
        return wrong("size_bytes", fmt::format("{}", static_cast<std::int64_t>(point.size_bytes)),
                     fmt::format("0 to {}", most_point_bytes));
    if (point.count < 0)
        return wrong("count", fmt::format("{}", point.count), "0 or more");
    return Done{};
}

Status check_sample(const std::filesystem::path& path, const Point& point, const Sample& sample) {
    constexpr double year_10000_unix_s = 253402300800; // dates have four digits of years
    const bool timed = sample.value >= 0 && sample.value <= most_sample;
    if (timed && sample.taken_unix_s >= 0 && sample.taken_unix_s < year_10000_unix_s)
        return Done{};
    return bad_input(fmt::format("{}: damaged: repetition {} of probe '{}' has {} {}; expected a "
                                 "number of seconds, 0 or more",
                                 path.string(), sample.repetition, point.probe,
                                 timed ? "taken_unix_s" : "time_s",
                                 timed ? sample.taken_unix_s : sample.value));
}

void insert_network(SQLite::Database& database, const Provenance& here) {
    run(database, "INSERT INTO network VALUES (?, ?, ?)", here.clusters.text(), here.mpi_library,
        std::string(name_of(here.start_mode)));
    for (std::size_t rank = 0; rank < here.hosts.size(); ++rank)
        run(database, "INSERT INTO host VALUES (?, ?)", static_cast<std::int64_t>(rank),
            here.hosts[rank]);
}

void grow_network(SQLite::Database& database, const Provenance& there, const Provenance& grown) {
    database.exec("DELETE FROM network");
    database.exec("DELETE FROM host");
    insert_network(database, grown);
    if (there.clusters == grown.clusters)
        return;
    std::vector<std::array<std::int64_t, 3>> pairs;
    SQLite::Statement rows(database, "SELECT id, first_rank, second_rank FROM point "
                                     "WHERE first_rank >= 0 OR second_rank >= 0");
    while (rows.executeStep())
        pairs.push_back(
            {rows.getColumn(0).getInt64(), rows.getColumn(1).getInt(), rows.getColumn(2).getInt()});
    const auto moved = [&](std::int64_t rank) {
        return rank < 0 || rank >= there.clusters.ranks()
                   ? rank
                   : moved_rank(static_cast<int>(rank), there.clusters, grown.clusters);
    };
    // Backwards: ranks only grow, so that no pair gets the ranks of one that is still to come.
    std::ranges::sort(pairs, std::ranges::greater(),
                      [](const auto& pair) { return std::pair(pair[1], pair[2]); });
    for (const auto& [id, first, second] : pairs)
        run(database, "UPDATE point SET first_rank = ?, second_rank = ? WHERE id = ?", moved(first),
            moved(second), id);
}

std::int64_t insert_session(SQLite::Database& database, const Provenance& here,
                            std::uint64_t seed) {
    run(database,
        "INSERT INTO session (started_unix_s, seed, kernel, clock_method, clusters_from) "
        "VALUES (?, ?, ?, ?, ?)",
        unix_time_s(), std::to_string(seed), // as text: SQLite's integers are signed
        here.kernel, here.clock_method, here.clusters_from);
    return database.getLastInsertRowid();
}

Result<std::optional<Provenance>> read_provenance(SQLite::Database& database,
                                                  const std::filesystem::path& path) {
    SQLite::Statement network(database, "SELECT clusters, mpi_library, start_mode FROM network");
    if (!network.executeStep())
        return std::optional<Provenance>{};
    ALLTOLD_TRY(clusters, read_clusters(path, network.getColumn(0).getString()));
    Provenance there;
    there.clusters = std::move(*clusters);
    there.mpi_library = network.getColumn(1).getString();
    ALLTOLD_TRY_INTO(there.start_mode,
                     in_context(path.string() + ": damaged",
                                parse_start_mode(network.getColumn(2).getString())));
    SQLite::Statement hosts(database, "SELECT name FROM host ORDER BY rank");
    while (hosts.executeStep())
        there.hosts.push_back(hosts.getColumn(0).getString());
    for (const auto& host : there.hosts)
        ALLTOLD_TRY_DONE(check_text(path, "host", host, most_name_bytes));
    if (static_cast<std::size_t>(there.clusters.ranks()) != there.hosts.size())
        return bad_input(fmt::format("{}: damaged: clusters {} have {} ranks, but {} hosts are "
                                     "recorded",
                                     path.string(), there.clusters.text(), there.clusters.ranks(),
                                     there.hosts.size()));
    SQLite::Statement session(database, "SELECT kernel, clock_method, clusters_from FROM session "
                                        "ORDER BY id DESC LIMIT 1");
    if (session.executeStep()) {
        there.kernel = session.getColumn(0).getString();
        there.clock_method = session.getColumn(1).getString();
        there.clusters_from = session.getColumn(2).getString();
    }
    for (const auto& [field, text] :
         {std::pair{"mpi_library", &there.mpi_library}, std::pair{"kernel", &there.kernel},
          std::pair{"clock_method", &there.clock_method},
          std::pair{"clusters_from", &there.clusters_from}})
        ALLTOLD_TRY_DONE(check_text(path, field, *text, most_text_bytes));
    return std::optional(std::move(there));
}

} // namespace alltold
