// SPDX-License-Identifier: BSD-3-Clause
// Linux helpers for the lab: descriptors, tools that read text from stdin, namespaces.
#pragma once

#include <functional>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

#include "core/result.hpp"

namespace alltold::lab {

/// A file descriptor that the destructor closes.
class Fd {
  public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Fd() { reset(); }

    int get() const { return fd_; }
    bool open() const { return fd_ >= 0; }
    void reset() {
        if (fd_ >= 0)
            ::close(std::exchange(fd_, -1));
    }

  private:
    int fd_ = -1;
};

struct Pipe {
    Fd read, write;
};
/// Both ends closed on exec.
Result<Pipe> make_pipe();

/// "what: No such file or directory", an environment error.
Error system_error(const std::string& what);

/// Runs `argv` (found through PATH) with `input` on its standard input. Returns its output, or an
/// environment error with its last line of error output. With `netns` >= 0, runs in that network.
Result<std::string> run_tool(const std::vector<std::string>& argv, const std::string& input,
                             int netns = -1);

/// Runs `work` with this thread moved to the network namespace `netns`, and moves back.
Status inside_network(int netns, const std::function<Status()>& work);

/// The contents of the file; environment error if it cannot be read.
Result<std::string> read_text(const std::string& path);
Status write_text(const std::string& path, const std::string& text, mode_t mode = 0644);
/// Reads to the end of a pipe.
std::string drain(int fd);

} // namespace alltold::lab
