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
    SQLite::Statement network(database, "INSERT INTO network VALUES (?, ?, ?)");
    network.bind(1, here.clusters.text());
    network.bind(2, here.mpi_library);
    network.bind(3, std::string(name_of(here.start_mode)));
    network.exec();
    SQLite::Statement host(database, "INSERT INTO host VALUES (?, ?)");
    for (std::size_t rank = 0; rank < here.hosts.size(); ++rank) {
        host.bind(1, static_cast<std::int64_t>(rank));
        host.bind(2, here.hosts[rank]);
        host.exec();
        host.reset();
    }
}

std::int64_t insert_session(SQLite::Database& database, const Provenance& here,
                            std::uint64_t seed) {
    SQLite::Statement session(
        database, "INSERT INTO session (started_unix_s, seed, kernel, clock_method, clusters_from) "
                  "VALUES (?, ?, ?, ?, ?)");
    session.bind(1, unix_time_s());
    session.bind(2, std::to_string(seed)); // as text: SQLite's integers are signed
    session.bind(3, here.kernel);
    session.bind(4, here.clock_method);
    session.bind(5, here.clusters_from);
    session.exec();
    return database.getLastInsertRowid();
}

Result<std::optional<Provenance>> read_provenance(SQLite::Database& database,
                                                  const std::filesystem::path& path) {
    SQLite::Statement network(database, "SELECT clusters, mpi_library, start_mode FROM network");
    if (!network.executeStep())
        return std::optional<Provenance>{};
    auto clusters = read_clusters(path, network.getColumn(0).getString());
    if (!clusters)
        return clusters.error();
    Provenance there;
    there.clusters = std::move(*clusters);
    there.mpi_library = network.getColumn(1).getString();
    const auto start_mode = parse_start_mode(network.getColumn(2).getString());
    if (!start_mode)
        return bad_input(fmt::format("{}: damaged: {}", path.string(), start_mode.error().message));
    there.start_mode = *start_mode;
    SQLite::Statement hosts(database, "SELECT name FROM host ORDER BY rank");
    while (hosts.executeStep())
        there.hosts.push_back(hosts.getColumn(0).getString());
    SQLite::Statement session(database, "SELECT kernel, clock_method, clusters_from FROM session "
                                        "ORDER BY id DESC LIMIT 1");
    if (session.executeStep()) {
        there.kernel = session.getColumn(0).getString();
        there.clock_method = session.getColumn(1).getString();
        there.clusters_from = session.getColumn(2).getString();
    }
    return std::optional(std::move(there));
}

} // namespace alltold
