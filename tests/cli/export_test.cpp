// SPDX-License-Identifier: BSD-3-Clause
// Exported rules take effect in the MPI library, and the proof of it notices when they do not.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "program.hpp"
#include "store/profile.hpp"

namespace alltold::test {
namespace {

/// A network on which `algorithm` takes half the time of the library's own choice on 2 to 8 ranks.
std::filesystem::path profile_in(const std::filesystem::path& folder, Collective collective,
                                 const std::string& algorithm, const std::string& library) {
    Profile profile;
    profile.source = "made for a test";
    profile.provenance.clusters = Clusters({4});
    profile.provenance.mpi_library = library;
    for (const int ranks : {2, 4, 8})
        for (const std::uint64_t size : {1024, 16384, 262144}) {
            const double time_s = 1e-6 * static_cast<double>(size) * ranks;
            profile.network.library.push_back(
                {collective, Clusters({ranks}), size, {time_s, 0.99 * time_s, 1.01 * time_s}});
            const double half_s = time_s / 2;
            profile.network.library.push_back({collective,
                                               Clusters({ranks}),
                                               size,
                                               {half_s, 0.99 * half_s, 1.01 * half_s},
                                               algorithm});
        }
    const auto path = folder / "net.json";
    const auto saved = save_profile(profile, path);
    EXPECT_TRUE(saved) << (saved ? "" : saved.error().message);
    return path;
}

TEST(Export, WritesAFileThatLintFindsNothingIn) {
    const Scratch scratch;
    const auto net = profile_in(scratch.directory(), Collective::bcast, "mpi.pipeline segment=8KiB",
                                "Open MPI v4.1.4, package: Debian OpenMPI");
    for (const auto& [version, name] : {std::pair{"", "openmpi.rules"},
                                        std::pair{"5.0", "o5.rules"}, std::pair{"6.0", "o.json"}}) {
        const auto file = (scratch.directory() / name).string();
        std::vector<std::string> line{"export", "openmpi", net.string(), "-o", file};
        if (*version)
            line.insert(line.end(), {"--version", version});
        const auto run = run_alltold(line);
        EXPECT_EQ(run.exit_status, 0) << run.errors;
        EXPECT_NE(run.output.find("OMPI_MCA_coll_tuned_dynamic_rules_filename=" + file),
                  std::string::npos)
            << run.output;
        EXPECT_EQ(run.output.find("han_priority") == std::string::npos, !*version) << run.output;
        EXPECT_EQ(run.errors.find("was measured with openmpi-4.1.4") == std::string::npos,
                  !*version)
            << run.errors;
        const auto lint = run_alltold(
            {"lint", file, "--for", std::string("openmpi-") + (*version ? version : "4.1")});
        EXPECT_EQ(lint.exit_status, 0) << lint.output << lint.errors;
    }
}

TEST(Export, SaysThatTheWorkingDirectoryIsGone) {
    const Scratch scratch;
    const auto profile =
        profile_in(scratch.directory(), Collective::bcast, "mpi.binomial", "Open MPI v4.1.4");
    const auto run =
        run_program("/bin/sh",
                    {"-c", "mkdir gone && cd gone && rmdir ../gone && exec " ALLTOLD_PROGRAM
                           " export openmpi " +
                               profile.string() + " -o x"},
                    scratch.directory());
    EXPECT_EQ(run.exit_status, 3);
    EXPECT_EQ(run.errors,
              "alltold: the working directory has been removed; change to another one\n");
}

TEST(Export, RefusesWhatTheProfileSaysNothingOf) {
    const Scratch scratch;
    const auto net = profile_in(scratch.directory(), Collective::bcast, "mpi.pipeline segment=8KiB",
                                "Open MPI v4.1.4");
    const auto other = run_alltold({"export", "mpich", net.string()});
    EXPECT_EQ(other.exit_status, 1);
    EXPECT_NE(other.errors.find("measured with Open MPI; rules for MPICH need a campaign"),
              std::string::npos)
        << other.errors;
    const auto nothing =
        profile_in(scratch.directory(), Collective::bcast, "mpi", "Open MPI v4.1.4");
    const auto file = (scratch.directory() / "rules").string();
    const auto none = run_alltold({"export", "openmpi", nothing.string(), "-o", file});
    EXPECT_EQ(none.exit_status, 1);
    EXPECT_NE(none.errors.find("is known to be quicker than its own choice"), std::string::npos)
        << none.errors;
    std::ofstream(file) << "mine\n"; // which is found before the work
    const auto mine = run_alltold({"export", "openmpi", nothing.string(), "-o", file});
    EXPECT_EQ(mine.exit_status, 2);
    EXPECT_NE(mine.errors.find("rules: exists and is not"), std::string::npos) << mine.errors;
}

TEST(Lint, ExitStatusAndPlace) {
    const Scratch scratch;
    const auto file = (scratch.directory() / "rules").string();
    std::ofstream(file) << "1\n7 1\n0 1\n8 6 0 0\n";
    const auto run = run_alltold({"lint", file});
    EXPECT_EQ(run.exit_status, 1);
    EXPECT_NE(run.output.find(file + ":4: the first rule begins at 8 B"), std::string::npos)
        << run.output;
    EXPECT_NE(run_alltold({"lint", file, "--json"}).output.find("\"line\": 4"), std::string::npos);
    EXPECT_EQ(run_alltold({"lint", "/nowhere/rules"}).exit_status, 2);
    EXPECT_EQ(run_alltold({"lint", file, "--for", "mpich"}).exit_status, 2);
    EXPECT_EQ(run_alltold({"lint", file, "--for", "lam"}).exit_status, 2);
}

#ifdef ALLTOLD_WITH_MPI
bool with_open_mpi() {
    return std::string(ALLTOLD_MPIEXEC).find("mpich") == std::string::npos &&
           std::string(ALLTOLD_MPIEXEC).find("hydra") == std::string::npos;
}

/// As a profile names it: "MPICH 4.0.2".
std::string mpich_here() {
    const auto says = run_alltold({"--version"}).output;
    const auto at = says.find("MPICH ");
    return says.substr(at, says.find_first_not_of("0123456789.", at + 6) - at);
}

/// Exports and proves it on 4 ranks; `before` runs in a shell ahead of each launch.
Run checked(const std::filesystem::path& net, const std::string& file, const std::string& before) {
    const std::string launch =
        before + std::string("; exec ") + ALLTOLD_MPI_LAUNCH + " " + ALLTOLD_MPIEXEC + " 4 \"$@\"";
    return run_alltold({"export", with_open_mpi() ? "openmpi" : "mpich", net.string(), "-o", file,
                        "--check", "--", "sh", "-c", launch, "sh"});
}

TEST(Export, RulesTakeEffectInOpenMpi) {
    if (!with_open_mpi())
        return;
    const Scratch scratch;
    const auto file = (scratch.directory() / "openmpi.rules").string();
    const auto net = profile_in(scratch.directory(), Collective::bcast, "mpi.pipeline segment=8KiB",
                                "Open MPI v4.1.4");
    const auto run = checked(net, file, "true");
    EXPECT_EQ(run.exit_status, 0) << run.output << run.errors;
    EXPECT_NE(run.output.find("mpi.pipeline segment=8KiB: in effect"), std::string::npos)
        << run.output;
    // The same file with a first rule that is not for 0 B is dropped without a word.
    const auto broken =
        checked(net, file, "sed -i 's/^    0 \\([0-9]\\)/    1 \\1/' '" + file + "'");
    EXPECT_EQ(broken.exit_status, 1) << broken.output << broken.errors;
    EXPECT_NE(broken.output.find("NOT in effect"), std::string::npos) << broken.output;
    EXPECT_EQ(run_alltold({"lint", file}).exit_status, 1) << contents(file);
}

/// Messages that MPICH hands to UCX in a job of 4 ranks with one all-to-all of 4 KiB blocks.
long ucp_sends(const std::string& variables) {
    const auto command = std::string("env MPIR_CVAR_NOLOCAL=1 LD_PRELOAD=") + ALLTOLD_UCP_SENDS +
                         " " + variables + " " + ALLTOLD_MPI_LAUNCH + " " + ALLTOLD_MPIEXEC +
                         " 4 " + ALLTOLD_PROGRAM + " call-once alltoall 4096";
    FILE* const pipe = ::popen(command.c_str(), "r");
    const std::string mark = "ucp sends ";
    long sends = 0;
    for (char line[256]; std::fgets(line, sizeof line, pipe);)
        if (const auto* at = std::strstr(line, mark.c_str()))
            sends += std::atol(at + mark.size());
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return sends;
}

TEST(Export, RulesTakeEffectInMpich) {
    if (with_open_mpi())
        return;
    const Scratch scratch;
    const auto file = (scratch.directory() / "mpich.json").string();
    const auto net =
        profile_in(scratch.directory(), Collective::alltoall, "mpi.brucks", mpich_here());
    ASSERT_EQ(run_alltold({"export", "mpich", net.string(), "-o", file}).exit_status, 0);
    const auto before = ucp_sends("");
    if (before == 0)
        return; // not over UCX
    // To all 4 ranks without the file; by Bruck's algorithm two messages.
    const auto tree = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" + file;
    EXPECT_EQ(before - ucp_sends(tree), 4 * (4 - 2));
    EXPECT_EQ(ucp_sends("MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=brucks"), ucp_sends(tree));
}

TEST(Export, MpichReadsTheTree) {
    if (with_open_mpi())
        return;
    const Scratch scratch;
    const auto file = (scratch.directory() / "mpich.json").string();
    const auto net =
        profile_in(scratch.directory(), Collective::alltoall, "mpi.pairwise", mpich_here());
    const auto run = checked(net, file, "true");
    EXPECT_EQ(run.exit_status, 0) << run.output << run.errors;
    EXPECT_NE(run.output.find("every rank has read the file"), std::string::npos) << run.output;
    const auto moved = checked(net, file, "unset MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE");
    EXPECT_EQ(moved.exit_status, 1) << moved.output << moved.errors;
    // A condition that MPICH does not know ends the program; lint knows why.
    const auto broken = checked(net, file, "sed -i 's/comm_size<=/ranks<=/' '" + file + "'");
    EXPECT_EQ(broken.exit_status, 3) << broken.output << broken.errors;
    EXPECT_EQ(run_alltold({"lint", file}).exit_status, 1);
}
#endif

} // namespace
} // namespace alltold::test
