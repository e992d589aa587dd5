// SPDX-License-Identifier: BSD-3-Clause
// Bad input of every verb: one line that says what would be right, and the exit status it earns.
#include <fstream>
#include <functional>
#include <optional>
#include <ostream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "../scratch.hpp"
#include "program.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold {
namespace {

namespace fs = std::filesystem;
using test::run_alltold;

constexpr int no = 1, bad = 2, environment_cannot = 3;

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A small campaign: four ranks, six repetitions of one size.
void make_campaign(const fs::path& path) {
    const Surroundings here{{"h0", "h1", "h2", "h3"}, Clusters({4}), "MPI", "Linux", "clock"};
    auto campaign = Campaign::resume(path, here, 1);
    ASSERT_TRUE(campaign) << campaign.error().message;
    for (int i = 0; i < 6; ++i)
        ASSERT_TRUE(campaign->add({"alltoall", "mpi", Clusters({4}), 65536, -1, -1},
                                  0.01 + i * 1e-4, false));
}

/// `text` with the first `from` made `to`.
std::string edited(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// Files that are good, and files that are bad in every way we know.
void make_files(const fs::path& folder) {
    make_campaign(folder / "good.db");
    const auto good_db = contents(folder / "good.db");
    write_file(folder / "truncated.db", good_db.substr(0, good_db.size() / 2));
    write_file(folder / "text.db", "this is a text file, and long enough to have a header\n");
    write_file(folder / "empty.db", "");
    fs::copy_file(folder / "good.db", folder / "newer.db");
    SQLite::Database(folder / "newer.db", SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 9");
    SQLite::Database(folder / "foreign.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE recipe (cake)");
    ASSERT_TRUE(save_profile(*load_profile("@gigabit-ethernet-2007"), folder / "good.json"));
    const auto good = contents(folder / "good.json");
    write_file(folder / "truncated.json", good.substr(0, good.size() / 2));
    write_file(folder / "type.json", edited(good, "\"value\": 6e-05", "\"value\": \"60us\""));
    write_file(folder / "unit.json", edited(good, "\"alpha_s\"", "\"alpha_ms\""));
    write_file(folder / "range.json", edited(good, "\"value\": 4.3628", "\"value\": 0.5"));
    write_file(folder / "newer.json", edited(good, "\"version\": 2", "\"version\": 7"));
    write_file(folder / "other.json", "{\"cake\": true}");
    write_file(folder / "ragged.json", "[[0, 1], [2]]");
    write_file(folder / "negative.json", "[[0, -1], [2, 0]]");
    write_file(folder / "diagonal.json", "[[0, 1], [2, 5]]");
    fs::create_directory(folder / "folder");
    fs::permissions(folder, fs::perms(0755));
    fs::create_directory(folder / "locked");
    fs::permissions(folder / "locked", fs::perms(0555));
}

struct Case {
    const char* name;
    std::vector<std::string> arguments;
    int exit_status;
    const char* pattern; ///< of the one line, after "alltold: "
    bool as_nobody = false;
};

std::ostream& operator<<(std::ostream& out, const Case& row) {
    return out << row.name;
}

class BadInput : public testing::TestWithParam<Case> {
  protected:
    static void SetUpTestSuite() {
        folder.emplace();
        make_files(folder->directory());
    }
    static void TearDownTestSuite() { folder.reset(); }
    static std::optional<test::Scratch> folder;
};
std::optional<test::Scratch> BadInput::folder;

TEST_P(BadInput, gets_one_clear_line_and_its_status) {
    const auto& row = GetParam();
    if (row.as_nobody && ::geteuid() != 0)
        GTEST_SKIP() << "needs root to become a user without permission";
    const auto run = run_alltold(row.arguments, folder->directory(), row.as_nobody);
    EXPECT_EQ(run.exit_status, row.exit_status) << run.errors;
    EXPECT_EQ(run.output, "");
    ASSERT_FALSE(run.errors.empty());
    EXPECT_EQ(run.errors.find('\n'), run.errors.size() - 1) << "more than one line:\n"
                                                            << run.errors;
    EXPECT_THAT(run.errors, testing::MatchesRegex(std::string("alltold: ") + row.pattern + "\n"));
}

std::vector<std::string> predict(std::vector<std::string> more,
                                 const char* profile = "@gigabit-ethernet-2007") {
    std::vector<std::string> words{"predict", profile, "alltoall"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::vector<std::string> exchange(const char* digraph) {
    return {"predict", "@gigabit-ethernet-2007", "exchange", "--digraph", digraph};
}

std::string name_of(const testing::TestParamInfo<Case>& row) {
    return row.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, BadInput,
    testing::Values(Case{"no_verb", {}, bad, "a verb is missing: .*predict.*"},
                    Case{"unknown_verb",
                         {"predicct"},
                         bad,
                         "unknown verb 'predicct'; the verbs are .*predict.*"},
                    Case{"unknown_flag_before_verb", {"--fast"}, bad, ".*--help'"},
                    Case{"unknown_flag", predict({"--fast"}), bad,
                         "predict: .*not expected: --fast; see 'alltold predict --help'"},
                    Case{"missing_argument", {"predict"}, bad, "predict: profile is required; .*"},
                    Case{"flag_without_value", predict({"-n"}), bad, "predict: -n: 1 required.*"},
                    Case{"too_many_arguments",
                         {"validate", "good.db", "good.json", "more"},
                         bad,
                         "validate: .*not expected: more.*"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Predict, BadInput,
    testing::Values(
        Case{"no_profile",
             {"predict", "none.json", "alltoall", "-n", "4", "-m", "1"},
             bad,
             "none.json: no such file; expected a profile made by 'alltold fit'.*"},
        Case{"profile_is_a_folder", predict({"-n", "4", "-m", "1"}, "folder"), bad,
             "folder: is a directory; expected a profile.*"},
        Case{"profile_is_a_database", predict({"-n", "4", "-m", "1"}, "good.db"), bad,
             "good.db: not valid JSON: .*"},
        Case{"truncated_json", predict({"-n", "4", "-m", "1"}, "truncated.json"), bad,
             "truncated.json: not valid JSON: parse error at line [0-9]+, column [0-9]+: .*"},
        Case{"wrong_type", predict({"-n", "4", "-m", "1"}, "type.json"), bad,
             "type.json: /local/alpha_s/value: expected a number of seconds >= 0, got a string"},
        Case{"wrong_unit", predict({"-n", "4", "-m", "1"}, "unit.json"), bad,
             "unit.json: /local/alpha_s: missing; 'alpha_ms' is of another unit, give 'alpha_s'"},
        Case{"out_of_range", predict({"-n", "4", "-m", "1"}, "range.json"), bad,
             "range.json: /alltoall/gamma/value: expected a number >= 1, got 0.5"},
        Case{"newer_profile", predict({"-n", "4", "-m", "1"}, "newer.json"), bad,
             "newer.json: /version: another version than 1.*'alltold fit'"},
        Case{"other_json", predict({"-n", "4", "-m", "1"}, "other.json"), bad,
             "other.json: /format: missing"},
        Case{"unknown_builtin", predict({"-n", "4", "-m", "1"}, "@token-ring"), bad,
             "unknown built-in profile '@token-ring'; there are @fast-ethernet-2007, .*"},
        Case{
            "unknown_collective",
            {"predict", "good.json", "allgather", "-n", "4", "-m", "1"},
            bad,
            "unknown collective 'allgather'; there are alltoall, bcast, gather, scatter, exchange"},
        Case{"unknown_model", predict({"-n", "4", "-m", "1", "--model", "logp"}), bad,
             "--model: unknown model 'logp'; there are signature, gamma, linear, clement, "
             "congestion"},
        Case{"zero_processes", predict({"-n", "0", "-m", "1"}), bad,
             "-n: '0' is not a whole number of at least 1; .*"},
        Case{"negative_processes", predict({"-n", "-4", "-m", "1"}), bad,
             "-n: '-4' is not a whole number of at least 1; .*"},
        Case{"letters_for_processes", predict({"-n", "x", "-m", "1"}), bad,
             "-n: 'x' is not a whole number of at least 1; .*"},
        Case{"half_a_process", predict({"-n", "4.5", "-m", "1"}), bad, "-n: '4.5' is not a .*"},
        Case{"empty_in_list", predict({"-n", "4,,8", "-m", "1"}), bad, "-n: '' is not a .*"},
        Case{"too_many_processes", predict({"-n", "99999999999", "-m", "1"}), bad,
             "-n: '99999999999' is not a .*"},
        Case{"no_processes", predict({"-m", "1"}), bad, "-n is missing: .* -n 8 .*"},
        Case{"no_size", predict({"-n", "4"}), bad, "-m is missing: .* -m 64KiB .*"},
        Case{"unknown_unit", predict({"-n", "4", "-m", "12parsecs"}), bad,
             "-m: '12parsecs' is not a size: unknown unit 'parsecs'; write it like 64KiB.*"},
        Case{"negative_size", predict({"-n", "4", "-m", "-5"}), bad,
             "-m: '-5' is not a size: it is negative; .*"},
        Case{"half_a_byte", predict({"-n", "4", "-m", "0.5"}), bad,
             "-m: '0.5' is not a size: it is no whole number of bytes"},
        Case{"bad_in_list", predict({"-n", "4", "-m", "1KiB,big"}), bad,
             "-m: 'big' is not a size.*"},
        Case{"cluster_of_zero", predict({"--clusters", "0+3", "-m", "1"}), bad,
             "--clusters: clusters '0\\+3': '0' is not a cluster size; .*"},
        Case{"cluster_missing", predict({"--clusters", "3+", "-m", "1"}), bad, "--clusters: .*"},
        Case{"clusters_against_n", predict({"--clusters", "3+4", "-n", "8", "-m", "1"}), bad,
             "-n 8 is not the 7 processes of --clusters 3\\+4; .*"},
        Case{"no_wide_network", predict({"--clusters", "4+4", "-m", "1"}), bad,
             "@gigabit-ethernet-2007: has no alpha and beta between clusters, which 4\\+4 needs"},
        Case{"three_clusters", predict({"--clusters", "4+4+4", "-m", "1KiB"}, "@nancy-rennes-2007"),
             no,
             "@nancy-rennes-2007: no closed form for the 3 clusters of 4\\+4\\+4; the lower "
             "bound at 1 KiB is .*"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Exchange, BadInput,
    testing::Values(
        Case{"no_digraph", {"predict", "good.json", "exchange"}, bad, "--digraph is missing: .*"},
        Case{"missing_digraph", exchange("none.json"), bad,
             "none.json: no such file; expected a JSON matrix of bytes.*"},
        Case{"ragged_digraph", exchange("ragged.json"), bad,
             "ragged.json: /1: expected 2 entries, as many as there are rows, got 1"},
        Case{"negative_digraph", exchange("negative.json"), bad,
             "negative.json: /0/1: expected a number of bytes >= 0, got -1"},
        Case{"digraph_to_itself", exchange("diagonal.json"), bad,
             "diagonal.json: /1/1: a process sends nothing to itself; expected 0"},
        Case{"digraph_is_a_profile", exchange("good.json"), bad,
             "good.json: /: expected an array, got an object"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Validate, BadInput,
    testing::Values(
        Case{"missing",
             {"validate", "none.db", "good.json"},
             bad,
             "none.db: no such file; expected a campaign made by 'alltold measure'"},
        Case{"empty", {"validate", "empty.db", "good.json"}, bad, "empty.db: is empty; .*"},
        Case{"text",
             {"validate", "text.db", "good.json"},
             bad,
             "text.db: is no SQLite database, or its start is damaged; .*"},
        Case{"truncated",
             {"validate", "truncated.db", "good.json"},
             bad,
             "truncated.db: is damaged or truncated; expected a campaign.*"},
        Case{"foreign",
             {"validate", "foreign.db", "good.json"},
             bad,
             "foreign.db: is a database of another program; .*"},
        Case{"newer",
             {"validate", "newer.db", "good.json"},
             bad,
             "newer.db: is of format 9, and this alltold reads formats 1 to 2; .*"},
        Case{"folder", {"validate", "folder", "good.json"}, bad, "folder: is a directory; .*"},
        Case{"profile", {"validate", "good.db", "none.json"}, bad, "none.json: no such file; .*"},
        Case{"swapped",
             {"validate", "good.json", "good.db"},
             bad,
             "good.json: is no SQLite database, .*"},
        Case{"model",
             {"validate", "good.db", "good.json", "--model", "x"},
             bad,
             "--model: unknown model 'x'; .*"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Fit, BadInput,
    testing::Values(
        Case{"missing",
             {"fit", "none.db", "-o", "out.json"},
             bad,
             "none.db: no such file; expected a campaign made by 'alltold measure'"},
        Case{"text", {"fit", "text.db", "-o", "out.json"}, bad, "text.db: is no SQLite database.*"},
        Case{"truncated",
             {"fit", "truncated.db", "-o", "out.json"},
             bad,
             "truncated.db: is damaged or truncated; .*"},
        Case{"foreign",
             {"fit", "foreign.db", "-o", "out.json"},
             bad,
             "foreign.db: is a database of another program; .*"},
        Case{"no_output", {"fit", "good.db"}, bad, "fit: -o is required; .*"},
        Case{"output_without_directory",
             {"fit", "good.db", "-o", "no/such/out.json"},
             bad,
             "no/such/out.json: there is no directory no/such"},
        Case{"output_is_a_directory",
             {"fit", "good.db", "-o", "folder"},
             bad,
             "folder: is no regular file; .*"},
        Case{"output_not_writable",
             {"fit", "good.db", "-o", "locked/out.json"},
             environment_cannot,
             "locked/out.json: cannot be written: Permission denied",
             true},
        Case{"one_process", {"fit", "good.db", "-o", "out.json", "-n", "1"}, bad, "-n 1: .*"},
        Case{"letters_for_processes",
             {"fit", "good.db", "-o", "out.json", "-n", "x"},
             bad,
             "fit: .*-n.*x.*"},
        Case{"hold_out",
             {"fit", "good.db", "-o", "out.json", "--hold-out", "12parsecs"},
             bad,
             "--hold-out: '12parsecs' is not a size: .*"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Lab, BadInput,
    testing::Values(
        Case{
            "clusters", {"lab", "--clusters", "0+3", "--", "true"}, bad, "--clusters: .*'0' is .*"},
        Case{"rate", {"lab", "--nic", "fast", "--", "true"}, bad, "--nic: 'fast' is not a rate.*"},
        Case{"no_rate", {"lab", "--nic", "0Mbit", "--", "true"}, bad, "--nic: .*above zero.*"},
        Case{"buffer", {"lab", "--buffer", "-1", "--", "true"}, bad, "--buffer: '-1' is not a .*"},
        Case{"wan", {"lab", "--wan", "200Mbit", "--", "true"}, bad, "--wan: .*"},
        Case{"flag", {"lab", "--hosts=3", "--", "true"}, bad, "lab: .*--hosts.*"}),
    name_of);

#ifdef ALLTOLD_WITH_MPI
INSTANTIATE_TEST_SUITE_P(
    Run, BadInput,
    testing::Values(
        Case{"study_empty_cluster",
             {"study", "--clusters", "0+3"},
             bad,
             "--clusters: .*'0'.*6\\+6.*"},
        Case{"study_one_host", {"study", "--clusters", "1"}, bad, "--clusters: .*at least 2 hosts"},
        Case{"study_budget", {"study", "--budget", "12parsecs"}, bad, "--budget: .*'12parsecs'.*"},
        Case{"study_rate", {"study", "--nic", "50"}, bad, "--nic: .*unit is missing.*"},
        Case{"run_nothing", {"run"}, bad, "run: collective is required; .*"},
        Case{"run_without_mpirun",
             {"run", "alltoall", "-m", "1KiB"},
             bad,
             "run runs under mpirun or srun, like: mpirun .* alltold run alltoall .*"},
        Case{"run_collective",
             {"run", "allgather", "-m", "1KiB"},
             bad,
             "'allgather' is no collective that can be run; there are bcast, .*"},
        Case{"run_algorithm",
             {"run", "alltoall", "--algorithm", "alltoall.lgg", "-m", "1KiB"},
             bad,
             "no algorithm is called 'alltoall.lgg'; near it: alltoall.lg.*"},
        Case{"run_algorithm_of_another",
             {"run", "alltoall", "--algorithm", "mpi,bcast.flat", "-m", "1KiB"},
             bad,
             "bcast.flat is no algorithm for alltoall"},
        Case{"run_algorithm_twice",
             {"run", "bcast.flat", "--algorithm", "bcast.chain", "-m", "1KiB"},
             bad,
             "--algorithm bcast.chain beside bcast.flat: leave one of them out"},
        Case{"run_no_size", {"run", "bcast"}, bad, "-m is missing: .* -m 64KiB .*"},
        Case{"run_size",
             {"run", "bcast", "-m", "12parsecs"},
             bad,
             "-m: '12parsecs' is not a size: .*"},
        Case{"run_huge", {"run", "bcast", "-m", "2GiB"}, bad, "-m: 2GiB is more than 1GiB"},
        Case{"run_segment",
             {"run", "bcast", "-m", "1", "--segment", "0"},
             bad,
             "--segment 0: it must be at least 1 byte"},
        Case{"run_window",
             {"run", "gather", "-m", "1", "--window", "0"},
             bad,
             "--window 0: it must be at least 1"},
        Case{"run_clusters",
             {"run", "bcast", "-m", "1", "--clusters", "0+3"},
             bad,
             "--clusters: .*'0' is not a cluster size; .*"},
        Case{"run_budget",
             {"run", "bcast", "-m", "1", "--budget", "-1s"},
             bad,
             "--budget: .*'-1s' is not a time.*"},
        Case{"run_repetitions",
             {"run", "bcast", "-m", "1", "--repetitions", "0"},
             bad,
             "run: --repetitions: .*"},
        Case{"run_goodput",
             {"run", "bcast", "-m", "1", "--goodput", "fast"},
             bad,
             "--goodput: 'fast' is not a rate.*"},
        Case{"measure_without_mpirun",
             {"measure"},
             bad,
             "measure runs under mpirun or srun, like: mpirun .* alltold measure .*"}),
    name_of);
#endif

INSTANTIATE_TEST_SUITE_P(
    Schedules, BadInput,
    testing::Values(
        Case{"show_nothing", {"show"}, bad, "show: NAME is required; .*"},
        Case{"show_unknown",
             {"show", "nothing", "--clusters", "4"},
             bad,
             "no algorithm is called 'nothing'; .*"},
        Case{"show_cluster_of_zero",
             {"show", "alltoall.lg", "--clusters", "0+3"},
             bad,
             "--clusters: .*'0' is not a cluster size; .*"},
        Case{"show_one_cluster",
             {"show", "alltoall.lg", "--clusters", "3"},
             bad,
             "alltoall.lg needs at least 2 clusters .*"},
        Case{"show_size",
             {"show", "alltoall.lg", "--clusters", "2+2", "-m", "12parsecs"},
             bad,
             "-m: '12parsecs' is not a size: .*"},
        Case{"check_none", {"check", "--max-n", "0"}, bad, "check: --max-n: .*1 to 256.*"},
        Case{"list_more", {"list", "more"}, bad, "list: .*not expected: more; .*"}),
    name_of);

} // namespace
} // namespace alltold
