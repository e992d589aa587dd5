// SPDX-License-Identifier: BSD-3-Clause
// The network and the sessions of a campaign's file. All functions propagate SQLite's exceptions.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "store/campaign.hpp"

namespace alltold {

/// Seconds since 1970, the time stamp of samples, notes and sessions.
double unix_time_s();

/// Fails, naming the file as damaged.
Result<Clusters> read_clusters(const std::filesystem::path& path, const std::string& text);

/// Fails, naming file and field, unless the text has at most so many bytes, all of which can be
/// shown.
Status check_text(const std::filesystem::path& path, std::string_view field, std::string_view text,
                  std::size_t most_bytes);

/// Fails, naming file and field, where a point cannot be one of the network of clusters `all`.
Status check_point(const std::filesystem::path& path, const Point& point, const Clusters& all);
/// Fails, naming file and point, unless the time is a number, not negative and not absurdly large.
Status check_sample(const std::filesystem::path& path, const Point& point, const Sample& sample);

/// Stores the properties shared by all sessions of a campaign, once.
void insert_network(SQLite::Database& database, const Provenance& here);

/// Stores that the network, which was `there`, has become `grown`; ranks of points are renumbered.
void grow_network(SQLite::Database& database, const Provenance& there, const Provenance& grown);

/// Stores that a session begins; its number.
std::int64_t insert_session(SQLite::Database& database, const Provenance& here, std::uint64_t seed);

/// The provenance of the last session; empty for a new file without a network. Fails, naming the
/// file, if it is damaged.
Result<std::optional<Provenance>> read_provenance(SQLite::Database& database,
                                                  const std::filesystem::path& path);

} // namespace alltold
