// SPDX-License-Identifier: BSD-3-Clause
// fork, exec and two files for what the program says.
#include "program.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace alltold::test {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string everything_in(std::FILE* file) {
    std::rewind(file);
    std::string text;
    for (int character; (character = std::fgetc(file)) != EOF;)
        text += static_cast<char>(character);
    return text;
}

[[noreturn]] void become_alltold(const std::string& file, const std::vector<std::string>& arguments,
                                 const std::string& directory, bool as_nobody, unsigned limit_s,
                                 int output, int errors) {
    std::vector<char*> words{const_cast<char*>("alltold")};
    for (const auto& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    if (::chdir(directory.c_str()) != 0)
        ::_exit(126);
    // Open the program as root: nobody may not be able to reach its folder.
    const int program = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (as_nobody && (::setgid(65534) != 0 || ::setuid(65534) != 0))
        ::_exit(125);
    if (limit_s > 0) {
        const rlimit limit{limit_s, limit_s};
        ::setrlimit(RLIMIT_CPU, &limit);
        ::alarm(10 * limit_s);
    }
    ::fexecve(program, words.data(), environ);
    ::_exit(127);
}

} // namespace

Run run_program(const std::string& file, const std::vector<std::string>& arguments,
                const std::string& directory, bool as_nobody, unsigned limit_s) {
    const File output(std::tmpfile(), std::fclose), errors(std::tmpfile(), std::fclose);
    const pid_t child = ::fork();
    if (child == 0)
        become_alltold(file, arguments, directory, as_nobody, limit_s, ::fileno(output.get()),
                       ::fileno(errors.get()));
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            everything_in(output.get()), everything_in(errors.get())};
}

Run run_alltold(const std::vector<std::string>& arguments, const std::string& directory,
                bool as_nobody, unsigned limit_s) {
    return run_program(ALLTOLD_PROGRAM, arguments, directory, as_nobody, limit_s);
}

} // namespace alltold::test
