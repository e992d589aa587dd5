// SPDX-License-Identifier: BSD-3-Clause
// What a lab does for those who are not root: plain users, and users who may do nothing.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "../scratch.hpp"
#include "lab/lab.hpp"
#include "run.hpp"

namespace alltold::lab_tests {
namespace {

namespace fs = std::filesystem;

/// Copies of programs that a plain user may read, in a folder that goes with this.
class Public {
  public:
    Public() {
        fs::permissions(folder_.directory(), fs::perms(0755));
        copy(ALLTOLD_BINARY, "alltold");
    }

    void copy(const std::string& from, const std::string& to) const {
        fs::copy_file(from, folder_ / to);
        fs::permissions(folder_ / to, fs::perms(0755));
    }
    std::string path(const std::string& name) const { return folder_ / name; }

    /// The shell command, run by a plain user with nothing of root's environment, in /.
    Ran run(const std::string& command) const {
        const std::string user =
            geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "
                           : "";
        return run_shell("cd / && timeout 60 env HOME=/nonexistent " + user + command);
    }

  private:
    test::Scratch folder_;
};

/// Skips the test where plain users may not make user namespaces.
#define NEEDS_USER_NAMESPACES(open)                                                                \
    if (const auto tried = (open).run("unshare -Urn true"); tried.status != 0)                     \
    GTEST_SKIP() << "no user namespaces here: " << tried.out

TEST(PlainUser, HasAClusterWithOpenMpi) {
    const Public open;
    NEEDS_USER_NAMESPACES(open);
    const auto built = run_shell("mpicc.openmpi " HELLO_SOURCE " -o " + open.path("hello"));
    if (built.status != 0)
        GTEST_SKIP() << "mpicc.openmpi is missing: " << built.out;
    const auto ran = open.run(open.path("alltold") + " lab --clusters 3 -- mpirun.openmpi -n 3 " +
                              open.path("hello"));
    EXPECT_EQ(ran.status, 0) << ran.out;
    for (const auto* line : {"0 a1 3\n", "1 a2 3\n", "2 a3 3\n"})
        EXPECT_NE(ran.out.find(line), std::string::npos) << ran.out;
}

TEST(PlainUser, HasClustersWithoutTun) {
    const Public open;
    NEEDS_USER_NAMESPACES(open);
    open.copy(LAB_PROBE, "probe");
    // A mount namespace without devices for tunnels.
    const auto ran = open.run("unshare -Urm sh -c 'mount -t tmpfs none /dev/net && exec " +
                              open.path("alltold") + " lab --clusters 1+1 -- sh -c \"ssh b1 " +
                              open.path("probe") + " tcp-sink 5001 100000 & ssh a1 " +
                              open.path("probe") + " tcp-source b1 5001 100000; wait\"'");
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_GT(number(ran.out), 1e4) << ran.out;
}

TEST(PlainUser, IsToldThatNamespacesAreDenied) {
    const Public open;
    NEEDS_USER_NAMESPACES(open);
    // A user namespace in which no further one may be made, and no right is left.
    const auto ran = open.run("unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces; "
                              "exec setpriv --bounding-set=-all --inh-caps=-all " +
                              open.path("alltold") + " lab --clusters 1 -- true'");
    EXPECT_EQ(ran.status, 3) << ran.out;
    EXPECT_NE(ran.out.find("user namespaces"), std::string::npos) << ran.out;
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
}

} // namespace
} // namespace alltold::lab_tests
