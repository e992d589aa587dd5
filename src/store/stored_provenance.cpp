// SPDX-License-Identifier: BSD-3-Clause
// Provenance as rows of tables.
#include "store/stored_provenance.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace alltold {

double unix_time_s() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

Result<Clusters> read_clusters(const std::filesystem::path& path, const std::string& text) {
    auto clusters = Clusters::parse(text);
    if (!clusters)
        return bad_input(fmt::format("{}: damaged: {}", path.string(), clusters.error().message));
    return clusters;
}

void insert_network(SQLite::Database& database, const Provenance& here) {
    SQLite::Statement network(database, "INSERT INTO network VALUES (?, ?)");
    network.bind(1, here.clusters.text());
    network.bind(2, here.mpi_library);
    network.exec();
    SQLite::Statement host(database, "INSERT INTO host VALUES (?, ?)");
    for (std::size_t rank = 0; rank < here.hosts.size(); ++rank) {
        host.bind(1, static_cast<std::int64_t>(rank));
        host.bind(2, here.hosts[rank]);
        host.exec();
        host.reset();
    }
    // A table of its own: stores from before it was kept followed silence.
    database.exec("CREATE TABLE start_mode (text TEXT NOT NULL)");
    SQLite::Statement start_mode(database, "INSERT INTO start_mode VALUES (?)");
    start_mode.bind(1, std::string(name_of(here.start_mode)));
    start_mode.exec();
}

std::int64_t insert_session(SQLite::Database& database, const Provenance& here,
                            std::uint64_t seed) {
    SQLite::Statement session(
        database,
        "INSERT INTO session (started_unix_s, seed, kernel, clock_method) VALUES (?, ?, ?, ?)");
    session.bind(1, unix_time_s());
    session.bind(2, std::to_string(seed)); // as text: SQLite's integers are signed
    session.bind(3, here.kernel);
    session.bind(4, here.clock_method);
    session.exec();
    const auto id = database.getLastInsertRowid();
    // A table of its own, so that stores from before it was kept stay what they are.
    database.exec("CREATE TABLE IF NOT EXISTS clusters_from (session INTEGER PRIMARY KEY "
                  "REFERENCES session (id), text TEXT NOT NULL)");
    SQLite::Statement from(database, "INSERT INTO clusters_from VALUES (?, ?)");
    from.bind(1, id);
    from.bind(2, here.clusters_from);
    from.exec();
    return id;
}

Result<std::optional<Provenance>> read_provenance(SQLite::Database& database,
                                                  const std::filesystem::path& path) {
    SQLite::Statement network(database, "SELECT clusters, mpi_library FROM network");
    if (!network.executeStep())
        return std::optional<Provenance>{};
    auto clusters = read_clusters(path, network.getColumn(0).getString());
    if (!clusters)
        return clusters.error();
    Provenance there;
    there.clusters = std::move(*clusters);
    there.mpi_library = network.getColumn(1).getString();
    SQLite::Statement hosts(database, "SELECT name FROM host ORDER BY rank");
    while (hosts.executeStep())
        there.hosts.push_back(hosts.getColumn(0).getString());
    SQLite::Statement session(database,
                              "SELECT kernel, clock_method FROM session ORDER BY id DESC LIMIT 1");
    if (session.executeStep()) {
        there.kernel = session.getColumn(0).getString();
        there.clock_method = session.getColumn(1).getString();
    }
    if (database.tableExists("clusters_from")) {
        SQLite::Statement from(database,
                               "SELECT text FROM clusters_from ORDER BY session DESC LIMIT 1");
        if (from.executeStep())
            there.clusters_from = from.getColumn(0).getString();
    }
    if (database.tableExists("start_mode")) {
        SQLite::Statement start_mode(database, "SELECT text FROM start_mode");
        if (start_mode.executeStep()) {
            const auto known = parse_start_mode(start_mode.getColumn(0).getString());
            if (!known)
                return bad_input(
                    fmt::format("{}: damaged: {}", path.string(), known.error().message));
            there.start_mode = *known;
        }
    }
    return std::optional(std::move(there));
}

} // namespace alltold
