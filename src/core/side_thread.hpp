// SPDX-License-Identifier: BSD-3-Clause
// Threads beside the one that works.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace alltold {

/// A thread that runs `work`; signals go to the others.
template <typename Work>
std::thread side_thread(Work&& work) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread(std::forward<Work>(work));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

} // namespace alltold
