// SPDX-License-Identifier: BSD-3-Clause
// Bad input of the command line as such and of subcommands that predict: one line each, and its
// status.
#include "bad_input.hpp"

namespace alltold::test {
namespace {

std::vector<std::string> predict(std::vector<std::string> more,
                                 const char* profile = "@gigabit-ethernet-2007") {
    std::vector<std::string> words{"predict", profile, "alltoall"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::vector<std::string> exchange(const char* digraph) {
    return {"predict", "@gigabit-ethernet-2007", "exchange", "--digraph", digraph};
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, BadInput,
    testing::Values(Case{"no_verb", {}, bad, "a subcommand is missing; use one of .*predict.*"},
                    Case{"unknown_verb",
                         {"predicct"},
                         bad,
                         "unknown subcommand 'predicct'; use one of .*predict.*"},
                    Case{"unknown_flag_before_verb", {"--fast"}, bad, ".*--help'"},
                    Case{"unknown_flag", predict({"--fast"}), bad,
                         "predict: .*not expected: --fast; see 'alltold predict --help'"},
                    Case{"missing_argument", {"predict"}, bad, "predict: profile is required; .*"},
                    Case{"flag_without_value", predict({"-n"}), bad,
                         "predict: --ranks: 1 required.*"},
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
             "unit.json: /local/alpha_s: missing; 'alpha_ms' has another unit, use 'alpha_s'"},
        Case{"out_of_range", predict({"-n", "4", "-m", "1"}, "range.json"), bad,
             "range.json: /alltoall/gamma/value: expected a number >= 1, got 0.5"},
        Case{"newer_profile", predict({"-n", "4", "-m", "1"}, "newer.json"), bad,
             "newer.json: /version: another version than 3.*'alltold fit'"},
        Case{"other_json", predict({"-n", "4", "-m", "1"}, "other.json"), bad,
             "other.json: /format: missing"},
        Case{"number_too_large", predict({"-n", "4", "-m", "1"}, "huge.json"), bad,
             "huge.json: not valid JSON: number overflow.*"},
        Case{"key_twice", predict({"-n", "4", "-m", "1"}, "twice.json"), bad,
             "twice.json: 'version' is there twice in one object"},
        Case{"no_utf8", predict({"-n", "4", "-m", "1"}, "bytes.json"), bad,
             "bytes.json: not valid JSON: .*"},
        Case{"long_line", predict({"-n", "4", "-m", "1"}, "long.json"), bad,
             "long.json: not valid JSON: .*\\.\\.\\."},
        Case{"pipe", predict({"-n", "4", "-m", "1"}, "pipe.json"), bad,
             "pipe.json: is not a regular file; .*"},
        Case{"endless_device", predict({"-n", "4", "-m", "1"}, "/dev/zero"), bad,
             "/dev/zero: is not a regular file; .*"},
        Case{"unknown_builtin", predict({"-n", "4", "-m", "1"}, "@token-ring"), bad,
             "unknown built-in profile '@token-ring'; use one of @fast-ethernet-2007, .*"},
        Case{"unknown_collective",
             {"predict", "good.json", "allgather", "-n", "4", "-m", "1"},
             bad,
             "unknown collective 'allgather'; use alltoall, alltoallv, bcast, gather, scatter or "
             "exchange"},
        Case{"unknown_model", predict({"-n", "4", "-m", "1", "--model", "logp"}), bad,
             "--model: unknown model 'logp' of the library's alltoall; use one of congestion, "
             "signature, linear, gamma, slowdown, waves, latency, bm04, clement"},
        Case{"zero_processes", predict({"-n", "0", "-m", "1"}), bad,
             "-n: '0' is not an integer of at least 1; .*"},
        Case{"negative_processes", predict({"-n", "-4", "-m", "1"}), bad,
             "-n: '-4' is not an integer of at least 1; .*"},
        Case{"letters_for_processes", predict({"-n", "x", "-m", "1"}), bad,
             "-n: 'x' is not an integer of at least 1; .*"},
        Case{"half_a_process", predict({"-n", "4.5", "-m", "1"}), bad,
             "-n: '4.5' is not an integer of at least 1; .*"},
        Case{"empty_in_list", predict({"-n", "4,,8", "-m", "1"}), bad,
             "-n: '' is not an integer of at least 1; .*"},
        Case{"too_many_processes", predict({"-n", "99999999999", "-m", "1"}), bad,
             "-n: '99999999999' is not an integer of at least 1; .*"},
        Case{"a_billion_processes", predict({"-n", "1000000000", "-m", "1"}), bad,
             "-n: 1000000000 is above 1000000, the most there may be"},
        Case{"too_many_bytes", predict({"-n", "100000", "-m", "9e6GB"}), bad,
             "-m: alltoall among 100000 ranks with blocks of 8381903 GiB: these are 9e\\+25 bytes "
             "in "
             "all, too many to number; use smaller blocks"},
        Case{
            "too_many_pairs",
            {"predict", "good.json", "alltoallv", "-n", "100000", "-m", "1", "--matrix", "skewed"},
            bad,
            "-n 100000: an alltoallv, whose matrix has a size for each pair, may have at most 4096 "
            "ranks"},
        Case{"too_many_to_simulate",
             {"predict", "@fast-ethernet-1999", "bcast", "-n", "4000", "-m", "1GiB", "--algorithm",
              "chain_segmented", "--segment", "1"},
             bad,
             "@fast-ethernet-1999: bcast.chain_segmented among 4000 ranks .* too many to simulate; "
             ".*"},
        Case{"a_billion_to_rank",
             {"rank", "good.json", "alltoall", "-n", "1000000000", "-m", "1"},
             bad,
             "-n 1000000000: must be at most 1000000"},
        Case{"too_much_to_show",
             {"show", "alltoall.direct", "-n", "3000"},
             bad,
             "alltoall.direct among 3000 ranks takes about 1.8e\\+07 operations, and 1e\\+06 are "
             "the "
             "most to show; use fewer ranks"},
        Case{"too_much_to_show_as_json",
             {"show", "alltoall.direct", "-n", "600", "--json"},
             bad,
             "alltoall.direct among 600 ranks takes about .* are the most to show as JSON; .*"},
        Case{"too_small_a_segment",
             {"show", "bcast.chain_segmented", "-n", "4", "--segment", "1", "-m", "1GiB"},
             bad,
             "bcast.chain_segmented among 4 ranks takes about 1.1e\\+09 operations of one rank, .* "
             "use "
             "fewer ranks or larger segments"},
        Case{"too_wide_a_window",
             {"show", "alltoall.paced", "-n", "4", "--window", "2147483647"},
             bad,
             "window 2147483647: must be at least 1 and at most 536870912"},
        Case{"no_processes", predict({"-m", "1"}), bad, "-n is missing: .* -n 8 .*"},
        Case{"no_size", predict({"-n", "4"}), bad, "-m is missing: .* -m 64KiB .*"},
        Case{"unknown_unit", predict({"-n", "4", "-m", "12parsecs"}), bad,
             "-m: '12parsecs' is not a size: unknown unit 'parsecs'; write 64KiB.*"},
        Case{"negative_size", predict({"-n", "4", "-m", "-5"}), bad,
             "-m: '-5' is not a size: it is negative; .*"},
        Case{"half_a_byte", predict({"-n", "4", "-m", "0.5"}), bad,
             "-m: '0.5' is not a size: it is not a whole number of bytes"},
        Case{"bad_in_list", predict({"-n", "4", "-m", "1KiB,big"}), bad,
             "-m: 'big' is not a size.*"},
        Case{"cluster_of_zero", predict({"--clusters", "0+3", "-m", "1"}), bad,
             "--clusters: clusters '0\\+3': '0' is not a cluster size; .*"},
        Case{"cluster_missing", predict({"--clusters", "3+", "-m", "1"}), bad, "--clusters: .*"},
        Case{"clusters_against_n", predict({"--clusters", "3+4", "-n", "8", "-m", "1"}), bad,
             "-n 8 contradicts the 7 ranks of --clusters 3\\+4; .*"},
        Case{"no_wide_network", predict({"--clusters", "4+4", "-m", "1"}), bad,
             "@gigabit-ethernet-2007: has no alpha and beta between clusters, which clusters 4\\+4 "
             "need"}),
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
             "text.db: is not an SQLite database, or its start is damaged; .*"},
        Case{"truncated",
             {"validate", "truncated.db", "good.json"},
             bad,
             "truncated.db: is damaged or truncated; expected a campaign.*"},
        Case{"foreign",
             {"validate", "foreign.db", "good.json"},
             bad,
             "foreign.db: is another program's database; .*"},
        Case{"newer",
             {"validate", "newer.db", "good.json"},
             bad,
             "newer.db: has format 9, but this alltold reads format 3; .*"},
        Case{"folder", {"validate", "folder", "good.json"}, bad, "folder: is a directory; .*"},
        Case{"profile", {"validate", "good.db", "none.json"}, bad, "none.json: no such file; .*"},
        Case{"swapped",
             {"validate", "good.json", "good.db"},
             bad,
             "good.json: is not an SQLite database, .*"},
        Case{"model",
             {"validate", "good.db", "good.json", "--model", "x"},
             bad,
             "--model: unknown model 'x' of .*; use one of .*"}),
    name_of);

} // namespace
} // namespace alltold::test
