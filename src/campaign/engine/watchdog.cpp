// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/watchdog.hpp"

#include <array>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/environment.hpp"
#include "core/parallel.hpp"
#include "core/result.hpp"
#include "core/text.hpp"

namespace alltold::campaign {
namespace {

/// Empty unless the peer owes acknowledgements for so long.
std::string silent_peer_of(int descriptor, std::chrono::milliseconds at_least) {
    tcp_info info{};
    socklen_t length = sizeof info;
    if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        info.tcpi_unacked == 0 || std::chrono::milliseconds(info.tcpi_last_ack_recv) < at_least)
        return {};
    sockaddr_storage peer{};
    length = sizeof peer;
    std::array<char, 64> address{};
    auto* const general = reinterpret_cast<sockaddr*>(&peer);
    if (::getpeername(descriptor, general, &length) != 0 ||
        ::getnameinfo(general, length, address.data(), address.size(), nullptr, 0,
                      NI_NUMERICHOST) != 0)
        return {};
    return address.data();
}

} // namespace

std::vector<std::string> silent_peers(std::chrono::milliseconds at_least) {
    std::vector<std::string> peers;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry("/proc/self/fd", failed), end;
         !failed && entry != end; entry.increment(failed)) {
        const auto name = entry->path().filename().string();
        int descriptor = -1;
        std::from_chars(name.data(), name.data() + name.size(), descriptor);
        auto peer = silent_peer_of(descriptor, at_least);
        if (!peer.empty() && std::ranges::find(peers, peer) == peers.end())
            peers.push_back(std::move(peer));
    }
    return peers;
}

Watchdog::Watchdog(int rank, std::chrono::seconds end_after, std::chrono::milliseconds notice_after)
    : rank_(rank), end_after_(end_after), notice_after_(notice_after), fed_(Clock::now()),
      thread_(side_thread([this] { watch(); })) {}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    ending_.notify_one();
    thread_.join();
}

void Watchdog::feed() {
    const std::lock_guard lock(mutex_);
    fed_ = Clock::now();
}

void Watchdog::begin(std::string what) {
    const std::lock_guard lock(mutex_);
    fed_ = Clock::now();
    what_ = std::move(what);
}

void Watchdog::watch() {
    constexpr std::chrono::seconds between_looks(1); // once something was said
    bool told = false;
    for (std::unique_lock lock(mutex_); !ended_;) {
        const auto now = Clock::now();
        if (now - fed_ >= end_after_)
            end();
        if (told && now - fed_ < notice_after_) {
            if (rank_ == 0)
                say("alltold: it goes on\n");
            told = false;
        } else if (!told && now - fed_ >= notice_after_ && (rank_ != 0 || !what_.empty())) {
            tell();
            told = true;
        }
        // It sees when it wakes whether it was fed.
        const auto next = fed_ + std::min<std::chrono::milliseconds>(notice_after_, end_after_);
        ending_.wait_until(lock, std::max(next, now + between_looks));
    }
}

void Watchdog::tell() const {
    const auto for_s = std::chrono::duration_cast<std::chrono::seconds>(notice_after_).count();
    const auto silent = silent_peers(notice_after_ / 2);
    const auto who = silent.empty() ? std::string()
                                    : fmt::format("rank {} on {} gets no answer from {}", rank_,
                                                  host_name(), fmt::join(silent, ", "));
    if (rank_ == 0)
        say(fmt::format("alltold: nothing came from the other ranks for {} s, at {}{}{}; ranks "
                        "stop after {} s\n",
                        for_s, what_, who.empty() ? "" : "; ", who, end_after_.count()));
    else if (!who.empty())
        say(fmt::format("alltold: {}\n", who));
}

void Watchdog::end() const {
    say(fmt::format("alltold: rank {} received nothing from the other ranks for {} s and stops; "
                    "another rank may have died\n",
                    rank_, end_after_.count()));
    ::_exit(static_cast<int>(ExitStatus::environment));
}

} // namespace alltold::campaign
