// SPDX-License-Identifier: BSD-3-Clause
#include "lab/node.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lab/state.hpp"

namespace alltold::lab {

namespace {

const char* const known_tcp = "/proc/sys/net/ipv4/tcp_available_congestion_control";

Status mount_over(const char* what, const std::string& where, const char* type, unsigned long flags,
                  const char* data = nullptr) {
    if (mount(what, where.c_str(), type, flags, data) != 0)
        return system_error("mounting over " + where);
    return Done{};
}

/// A private /dev/shm for the host that also contains the lab's state directory.
Status make_host_mounts() {
    const Fd state(open(state_dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!state.open())
        return system_error(state_dir);
    ALLTOLD_TRY_DONE(mount_over("tmpfs", private_dir, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"));
    if (mkdir(state_dir.c_str(), 0755) != 0)
        return system_error(state_dir);
    const std::string seen = fmt::format("/proc/self/fd/{}", state.get());
    ALLTOLD_TRY_DONE(mount_over(seen.c_str(), state_dir, nullptr, MS_BIND));
    // UCX looks for interfaces in /sys. If a container forbids a new mount, the old one stays.
    mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
    return Done{};
}

Status become_host(const std::string& name) {
    if (unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNS) != 0)
        return system_error("making the namespaces of a host");
    if (sethostname(name.c_str(), name.size()) != 0)
        return system_error("setting a host name");
    return make_host_mounts();
}

/// Forks; the child runs `become`, reports, and sleeps until it is killed.
Result<Node> hold(const std::string& name, const std::function<Status()>& become) {
    ALLTOLD_TRY(report, make_pipe());
    const pid_t pid = fork();
    if (pid < 0)
        return system_error("fork");
    if (pid == 0) {
        prctl(PR_SET_NAME, ("lab-" + name).c_str());
        const auto made = become();
        if (!made && write(report->write.get(), made.error().message.data(),
                           made.error().message.size()) < 0)
            _exit(1);
        report->write.reset();
        if (!made)
            _exit(1);
        for (;;)
            pause();
    }
    report->write.reset();
    const std::string complaint = drain(report->read.get());
    if (!complaint.empty())
        return environment(complaint);
    Node node{name, pid,
              Fd(open(fmt::format("/proc/{}/ns/net", pid).c_str(), O_RDONLY | O_CLOEXEC))};
    if (!node.network.open())
        return system_error("the network namespace of " + name);
    return node;
}

} // namespace

Result<Node> make_host(const std::string& name) {
    return hold(name, [&] { return become_host(name); });
}

Result<Node> make_network_node(const std::string& name) {
    return hold(name, [&]() -> Status {
        if (unshare(CLONE_NEWNET) != 0)
            return system_error("making a network namespace");
        return Done{};
    });
}

Status make_private_mounts(const std::string& hosts_file) {
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return system_error("making mounts private");
    ALLTOLD_TRY_DONE(mount_over("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC));
    ALLTOLD_TRY_DONE(mount_over("tmpfs", private_dir, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"));
    if (mkdir(state_dir.c_str(), 0755) != 0)
        return system_error(state_dir);
    const std::string ours = state_dir + "/hosts";
    ALLTOLD_TRY_DONE(write_text(ours, hosts_file));
    return mount_over(ours.c_str(), "/etc/hosts", nullptr, MS_BIND);
}

std::string usual_tcp() {
    const auto known = read_text(known_tcp);
    return !known || known->find("cubic") != std::string::npos ? "cubic" : "reno";
}

Status check_tcp(const std::string& tcp) {
    constexpr std::size_t longest =
        15; // TCP_CA_NAME_MAX without the final zero; the kernel truncates
    const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.open())
        return system_error("socket");
    if (tcp.size() <= longest && setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, tcp.data(),
                                            static_cast<socklen_t>(tcp.size())) == 0)
        return Done{};
    auto known = read_text(known_tcp);
    while (known && known->ends_with('\n'))
        known->pop_back();
    return environment(
        fmt::format("--tcp {}: this kernel has: {}", tcp, known ? *known : "cubic reno"));
}

Status set_network_habits() {
    const std::string net = "/proc/sys/net/";
    // A kernel without IPv6 needs no change.
    if (access((net + "ipv6").c_str(), F_OK) == 0)
        for (const auto* which : {"all", "default"})
            ALLTOLD_TRY_DONE(write_text(net + "ipv6/conf/" + which + "/disable_ipv6", "1"));
    // Loss on one connection must not slow down the next: all samples start in the same state.
    ALLTOLD_TRY_DONE(write_text(net + "ipv4/tcp_no_metrics_save", "1"));
    return write_text(net + "ipv4/ip_forward", "0");
}

} // namespace alltold::lab
