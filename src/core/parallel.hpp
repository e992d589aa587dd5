// SPDX-License-Identifier: BSD-3-Clause
// Threads: independent computations on all processors, and one beside the thread that works.
#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <future>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace alltold {

/// f(0), f(1), ..., f(count - 1), by as many threads as this process has processors, or fewer where
/// the system gives it no more. Concurrent calls of f must be independent of each other. If one
/// throws, its exception is rethrown after all have ended.
template <typename F>
auto in_parallel(std::size_t count, const F& f) {
    std::vector<std::invoke_result_t<const F&, std::size_t>> values(count);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (auto i = next++; i < count; i = next++)
            values[i] = f(i);
    };
    std::vector<std::future<void>> workers;
    const auto threads = std::min<std::size_t>(count, std::thread::hardware_concurrency());
    try {
        for (std::size_t i = 1; i < threads; ++i)
            workers.push_back(std::async(std::launch::async, work));
    } catch (const std::system_error&) { // a limit on processes or on memory
    }
    work();
    for (auto& worker : workers)
        worker.get();
    return values;
}

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
