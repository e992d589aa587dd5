// SPDX-License-Identifier: BSD-3-Clause
// alltold site: folders made, extended, listed, and what is wrong with the arguments.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "program.hpp"

namespace alltold::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SiteCommand : public testing::Test {
  protected:
    SiteCommand() { ::setenv("ALLTOLD_SITE", (folder_ / "site").c_str(), 1); }
    ~SiteCommand() override { ::unsetenv("ALLTOLD_SITE"); }

    void write_profile(const std::string& name, const std::string& hosts,
                       const std::string& library, const std::string& rules) {
        std::ofstream(folder_ / name)
            << R"({"format": "alltold profile", "version": 3, "source": "by hand", "assumed": "",
                   "provenance": {"hosts": [)"
            << hosts << R"(], "clusters": "2", "clusters_from": "", "mpi_library": ")" << library
            << R"(", "kernel": "", "clock_method": "", "start": "silence"}, "rules": [)" << rules
            << R"(], "refused": []})";
    }
    alltold::test::Run run(const std::vector<std::string>& arguments) const {
        return run_alltold(arguments, folder_.directory());
    }

    Scratch folder_;
    const std::string rule_ = R"("alltoall:any = alltoall.direct")";
};

TEST_F(SiteCommand, profiles_go_to_the_network_that_names_their_hosts) {
    write_profile("a.json", R"("n1", "n2")", "Open MPI v4.1.4, package: Debian", rule_);
    write_profile("b.json", R"("n7", "n9")", "MPICH Version:      4.0.2", rule_);
    write_profile("c.json", R"("m1", "m2")", "Open MPI v4.1.4", rule_);
    ASSERT_EQ(run({"site", "init", "site", "a.json"}).exit_status, 0);
    EXPECT_THAT(contents(folder_ / "site/network/hosts"), HasSubstr("\nn[1-]\n"));
    ASSERT_EQ(run({"site", "init", "site", "b.json"}).exit_status, 0);
    const auto other = run({"site", "init", "site", "c.json"});
    EXPECT_EQ(other.exit_status, 2);
    EXPECT_THAT(other.errors, HasSubstr("hosts: does not name host m1; add it, or name another "
                                        "network with --network"));
    ASSERT_EQ(run({"site", "init", "site", "c.json", "--network", "fast"}).exit_status, 0);
    const auto shown = run({"site", "show"});
    EXPECT_EQ(shown.exit_status, 0);
    for (const auto* part : {"(ALLTOLD_SITE)", "network fast: ", "network network: ",
                             "network/mpich-4.0.2.json", "fast/openmpi-4.1.4.json"})
        EXPECT_THAT(shown.output, HasSubstr(part));
    EXPECT_THAT(run({"site", "show", "--json"}).output, HasSubstr(R"("version": "4.0.2")"));
}

TEST_F(SiteCommand, without_a_study_this_host_is_named) {
    const auto made = run({"site", "init", "site"});
    EXPECT_EQ(made.exit_status, 0);
    EXPECT_THAT(made.output, HasSubstr("site init site STUDY_FOLDER"));
    EXPECT_THAT(run({"site", "show"}).output, HasSubstr("no profile"));
}

TEST_F(SiteCommand, says_what_is_wrong) {
    write_profile("unknown.json", R"("n1", "n2")", "not known", rule_);
    write_profile("no_rules.json", R"("n1", "n2")", "Open MPI v4.1.4", "");
    std::ofstream(folder_ / "file") << "text";
    for (const auto& [arguments, status, error] : {
             std::tuple{std::vector<std::string>{"site", "init", "site", "none.json"}, 2,
                        "none.json: no such file"},
             {{"site", "init", "site", "unknown.json"}, 2, "provenance: mpi_library: 'not known'"},
             {{"site", "init", "site", "no_rules.json"}, 2, "has no rules; run 'alltold rules"},
             {{"site", "init", "file"}, 3, "file: cannot make this folder"},
             {{"site", "init", "site", "--network", "../x"}, 2, "is a name, not a path"},
             {{"site", "show"}, 2, "expected a site folder, made by 'alltold site init'"},
             {{"site", "nosuch"}, 2, "unknown subcommand 'nosuch'"},
         }) {
        const auto got = run(arguments);
        EXPECT_EQ(got.exit_status, status) << got.errors;
        EXPECT_THAT(got.errors, HasSubstr(error));
    }
    EXPECT_FALSE(fs::exists(folder_ / "site"));
}

} // namespace
} // namespace alltold::test
