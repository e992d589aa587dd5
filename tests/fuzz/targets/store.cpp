// SPDX-License-Identifier: BSD-3-Clause
// A store's rows: a line for the network, then one a point with its times, tabs between.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "../../scratch.hpp"
#include "../fuzz.hpp"
#include "store/fit_campaign.hpp"

namespace {

using namespace alltold;

constexpr std::size_t most_points = 24, most_times = 6;

/// Cuts what comes before `separator`, or everything, off the front.
std::string cut(std::string_view& rest, char separator) {
    const auto part = rest.substr(0, rest.find(separator));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return std::string(part);
}

/// A store without rows, made once.
class Store {
  public:
    Store() : path_(scratch_ / "store.db") {
        const Provenance here{{"h0", "h1", "h2", "h3"}, Clusters({2, 2}), "MPI", "Linux", "clock"};
        fuzz::expect(bool(Campaign::resume(path_, here, 1)), "a store is made");
    }

    /// SQLite stores a text as the number it looks like where the column is of numbers, and as a
    /// text where it is none.
    void fill(std::string_view rows) {
        SQLite::Database database(path_, SQLite::OPEN_READWRITE);
        database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
        SQLite::Transaction transaction(database);
        database.exec("DELETE FROM sample; DELETE FROM point");
        SQLite::Statement network(database, "UPDATE network SET clusters = ?, start_mode = ?");
        auto line = cut(rows, '\n');
        std::string_view rest = line;
        network.bind(1, cut(rest, '\t'));
        network.bind(2, cut(rest, '\t'));
        network.exec();
        for (std::size_t id = 1; id <= most_points && !rows.empty(); ++id) {
            line = cut(rows, '\n');
            add(database, static_cast<std::int64_t>(id), line);
        }
        transaction.commit();
    }

    const std::filesystem::path& path() const { return path_; }

  private:
    static void add(SQLite::Database& database, std::int64_t id, std::string_view line) {
        SQLite::Statement point(database,
                                "INSERT OR IGNORE INTO point VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        point.bind(1, id);
        for (int column = 2; column <= 8; ++column)
            point.bind(column, cut(line, '\t'));
        if (point.exec() == 0)
            return;
        for (std::size_t i = 0; i < most_times && !line.empty(); ++i) {
            SQLite::Statement sample(database, "INSERT INTO sample VALUES (?, ?, 1, ?, 0, 0)");
            sample.bind(1, id);
            sample.bind(2, static_cast<std::int64_t>(i));
            sample.bind(3, cut(line, ' '));
            sample.exec();
        }
    }

    test::Scratch scratch_;
    std::filesystem::path path_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Store store;
    store.fill(fuzz::text_of(data, size));
    const auto campaign = Campaign::read(store.path());
    fuzz::expect(bool(campaign), "the store can be opened");
    if (const auto points = campaign->points())
        if (const auto profile = fit_campaign(*campaign, {.name = "fuzz", .source = "fuzz"}))
            fuzz::expect(profile->rules.size() < 1000, "rules are few");
    return 0;
}
