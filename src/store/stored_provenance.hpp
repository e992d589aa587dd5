// SPDX-License-Identifier: BSD-3-Clause
// The network and the sessions of a campaign's file. All let exceptions of SQLite through.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

#include "store/campaign.hpp"

namespace alltold {

/// Seconds since 1970, as samples, notes and sessions are stamped.
double unix_time_s();

/// Fails, naming the file as damaged.
Result<Clusters> read_clusters(const std::filesystem::path& path, const std::string& text);

/// Stores what every session of a campaign shares, once.
void insert_network(SQLite::Database& database, const Provenance& here);

/// Stores that a session begins; its number.
std::int64_t insert_session(SQLite::Database& database, const Provenance& here, std::uint64_t seed);

/// Of the last session; nothing where the file is new and no network was stored yet. Fails, naming
/// the file, where it is damaged.
Result<std::optional<Provenance>> read_provenance(SQLite::Database& database,
                                                  const std::filesystem::path& path);

} // namespace alltold
