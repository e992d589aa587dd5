// SPDX-License-Identifier: BSD-3-Clause
// A profile that was edited or cut off says where it is wrong and what would be right.
#include <gtest/gtest.h>

#include "scratch.hpp"
#include "store/profile.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;
using test::contents;
using test::Scratch;
using test::write_file;

/// "@nancy-rennes-2007" with a pLogP and links, for edits.
ordered_json richer_json() {
    auto profile = *load_profile("@nancy-rennes-2007");
    profile.network.plogp =
        PLogP{Estimate::exact(6e-5), SizeCurve({{0, 1e-5}, {100, {2e-5, 1e-5, 3e-5}}}), {}, {}};
    profile.network.links = LinkNetwork{{1e8, 1e-4, 65536}, Link{1e7, 5e-3, 0}};
    return profile_to_json(profile);
}

struct Edit {
    const char* name;
    void (*edit)(ordered_json&);
    const char* expected;
};
class EditedProfile : public testing::TestWithParam<Edit> {};

TEST_P(EditedProfile, names_file_field_and_what_is_right) {
    auto json = richer_json();
    GetParam().edit(json);
    const auto profile = profile_from_json(json.dump(), "net.json");
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().message, std::string("net.json: ") + GetParam().expected);
    EXPECT_EQ(profile.error().status, ExitStatus::bad_input);
}

TEST(EditedProfileText, HasNothingThatATerminalObeys) {
    auto json = richer_json();
    json["assumed"] = "all \x1b[31mred\x1b[0m\n\xe2\x80\xae";
    const auto profile = profile_from_json(json.dump(), "net.json");
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->network.assumed, "all  [31mred [0m \xef\xbf\xbd");
}

void rename(ordered_json& object, const char* from, const char* to) {
    object[to] = object[from];
    object.erase(from);
}

INSTANTIATE_TEST_SUITE_P(
    Profile, EditedProfile,
    testing::Values(
        Edit{"text_for_number", [](auto& j) { j["local"]["alpha_s"]["value"] = "60us"; },
             "/local/alpha_s/value: expected a number of seconds >= 0, got a string"},
        Edit{"negative", [](auto& j) { j["local"]["alpha_s"]["value"] = -1; },
             "/local/alpha_s/value: expected a number of seconds >= 0, got -1"},
        Edit{"zero_beta", [](auto& j) { j["inter_cluster"]["beta_s_per_byte"]["value"] = 0; },
             "/inter_cluster/beta_s_per_byte/value: expected a number of seconds per byte > 0, got "
             "0"},
        Edit{"other_unit", [](auto& j) { rename(j["local"], "alpha_s", "alpha_ms"); },
             "/local/alpha_s: missing; 'alpha_ms' has another unit, use 'alpha_s'"},
        Edit{"other_unit_of_rate",
             [](auto& j) { rename(j["alltoall"]["network"], "beta_s_per_byte", "beta_us_per_kb"); },
             "/alltoall/network/beta_s_per_byte: missing; 'beta_us_per_kb' has another unit, use "
             "'beta_s_per_byte'"},
        Edit{"missing", [](auto& j) { j["alltoall"].erase("gamma"); }, "/alltoall/gamma: missing"},
        Edit{"plain_number", [](auto& j) { j["alltoall"]["gamma"] = 2; },
             "/alltoall/gamma: expected an object, got 2"},
        Edit{"gamma_below_one", [](auto& j) { j["alltoall"]["gamma"]["value"] = 0.9; },
             "/alltoall/gamma/value: expected a number >= 1, got 0.9"},
        Edit{"interval_apart", [](auto& j) { j["alltoall"]["delta_s"]["low"] = 1; },
             "/alltoall/delta_s: expected low <= value <= high, got 1, 0.005039, 0.005039"},
        Edit{"unknown_field", [](auto& j) { j["alltoall"]["gamma"]["mean"] = 2; },
             "/alltoall/gamma: unknown field 'mean'; the fields are value, low, high"},
        Edit{"half_a_process", [](auto& j) { j["alltoall"]["reference_n"] = 2.5; },
             "/alltoall/reference_n: expected a whole number >= 0, got 2.5"},
        Edit{"saturation", [](auto& j) { j["alltoall"]["saturation"] = "maybe"; },
             "/alltoall/saturation: expected \"saturated\", \"not saturated\" or \"unknown\", got "
             "\"maybe\""},
        Edit{"clusters", [](auto& j) { j["provenance"]["clusters"] = "0+3"; },
             "/provenance/clusters: clusters '0+3': '0' is not a cluster size; write hosts per "
             "cluster, each at least 1, such as 12, 6+6 or 4+8+4, or hosts x ranks per host, such "
             "as 6x4+3x8"},
        Edit{"hosts",
             [](auto& j) {
                 j["provenance"]["hosts"] = {"a", "b"};
             },
             "/provenance/clusters: expected 2 ranks, one per entry of hosts, got 60"},
        Edit{"sizes",
             [](auto& j) {
                 j["alltoall"]["sizes_bytes"] = {64, true};
             },
             "/alltoall/sizes_bytes/1: expected a number of bytes >= 0, got true or false"},
        Edit{"version", [](auto& j) { j["version"] = 2; },
             "/version: another version than 3, which this alltold reads; make the profile again "
             "with 'alltold fit'"},
        Edit{"curve_out_of_order", [](auto& j) { j["plogp"]["g_s"][1]["size_bytes"] = 0; },
             "/plogp/g_s/1: expected a size_bytes above 0 of the point before, got 0"},
        Edit{"curve_interval", [](auto& j) { j["plogp"]["g_s"][1]["time_s"]["low"] = 1; },
             "/plogp/g_s/1/time_s: expected low <= value <= high, got 1, 2e-05, 3e-05"},
        Edit{"curve_unit", [](auto& j) { rename(j["plogp"]["g_s"][0], "time_s", "time_us"); },
             "/plogp/g_s/0/time_s: missing; 'time_us' has another unit, use 'time_s'"},
        Edit{"curve_empty", [](auto& j) { j["plogp"]["g_s"] = ordered_json::array(); },
             "/plogp/g_s: expected at least one point {size_bytes, time_s}"},
        Edit{"backbone_rate", [](auto& j) { j["links"]["backbone"]["goodput_bytes_per_s"] = 0; },
             "/links/backbone/goodput_bytes_per_s: expected a number of bytes per second > 0, got "
             "0"},
        Edit{"size_of_library_time",
             [](auto& j) {
                 j["library"] = {{{"collective", "bcast"},
                                  {"algorithm", "mpi"},
                                  {"clusters", "4"},
                                  {"size_bytes", 1e300},
                                  {"time_s", {{"value", 1}, {"low", 1}, {"high", 1}}}}};
             },
             "/library/0/size_bytes: expected a whole number of bytes of at most "
             "9000000000000000, got 1e+300"},
        Edit{"where_algorithm_errors_are",
             [](auto& j) {
                 j["algorithm_errors"] = {{{"algorithm", "alltoall.lg"},
                                           {"on", "two clusters"},
                                           {"calls", 1},
                                           {"models", ordered_json::array()}}};
             },
             "/algorithm_errors/0/on: expected \"one cluster\" or \"several clusters\""},
        Edit{"not_ours", [](auto& j) { j.erase("format"); }, "/format: missing"},
        Edit{"array", [](auto& j) { j = ordered_json::array(); },
             "/: expected an object, got an array"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Profile, malformed_files_are_told_with_line_and_column) {
    const Scratch scratch;
    ASSERT_TRUE(save_profile(builtin_profiles().front(), scratch / "net.json"));
    const auto whole = contents(scratch / "net.json");
    for (std::size_t length = 0; length + 2 < whole.size(); length += 37) {
        write_file(scratch / "cut.json", whole.substr(0, length));
        const auto cut = load_profile((scratch / "cut.json").string());
        ASSERT_FALSE(cut);
        EXPECT_EQ(cut.error().message.find((scratch / "cut.json").string() +
                                           (length == 0 ? ": not valid JSON: the file is empty"
                                                        : ": not valid JSON: line ")),
                  0U)
            << cut.error().message;
        EXPECT_EQ(cut.error().message.find('\n'), std::string::npos);
    }
    const auto missing = load_profile("no/such.json");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message.find("no/such.json: no such file; expected a profile made"),
              0U);
    EXPECT_FALSE(load_profile(scratch.directory().string()));
}

} // namespace
} // namespace alltold
