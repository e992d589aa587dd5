// SPDX-License-Identifier: BSD-3-Clause
// A process of ours with all it started: its output, its descendants, ways to end it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace alltold::campaign_tests {

/// Runs words in a process group of its own; kills what is left of it when it goes.
class Job {
  public:
    /// Standard output goes to `out`, standard error to `out` with ".err" behind.
    Job(const std::vector<std::string>& words, const std::filesystem::path& out);
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    pid_t pid() const { return pid_; }
    /// The exit status, 128 + signal, or -1 when it still runs after `within_s`.
    int wait(double within_s);
    /// Whether its standard output holds `lines` lines within `within_s`.
    bool printed(int lines, double within_s) const;
    /// Every process that inherited this job's mark, but not itself.
    std::vector<pid_t> others() const;
    /// Whether all of them are gone within `within_s`.
    bool vanished(double within_s) const;
    /// The rank's process: that whose environment holds its number; -1 when there is none.
    pid_t rank(int number) const;
    /// Whether that rank has a handler for `signal` within `within_s`.
    bool catches(int rank, int signal, double within_s) const;
    /// Sends `signal` to the job's first process or to one of the others, and to nothing else: kill
    /// itself would take a -1 for every process there is. False when `pid` is none of them.
    bool signal(pid_t pid, int signal) const;

    std::string output() const;
    std::string errors() const;

  private:
    pid_t pid_ = -1;
    bool reaped_ = false;
    std::string mark_;
    std::filesystem::path out_;
};

} // namespace alltold::campaign_tests
