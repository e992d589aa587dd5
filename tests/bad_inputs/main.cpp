// SPDX-License-Identifier: BSD-3-Clause
// Runs alltold on bad inputs: each ends in time, with one line that names what is wrong, and
// changes no file.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "../cli/program.hpp"
#include "../scratch.hpp"
#include "inputs.hpp"
#include "store/campaign.hpp"
#include "store/profile.hpp"

namespace alltold::test {
namespace {

namespace fs = std::filesystem;

constexpr unsigned limit_s = 20;

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

using Files = std::map<std::string, std::string>;

Files files_in(const fs::path& folder) {
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[fs::relative(entry.path(), folder)] = contents(entry.path());
    return files;
}

GoodFiles make_good(const fs::path& folder) {
    const Provenance here{{"h0", "h1", "h2", "h3"}, Clusters({2, 2}), "MPI", "Linux", "clock"};
    if (auto campaign = Campaign::resume(folder / "good.db", here, 1))
        for (const std::uint64_t size : {1024, 16384, 65536})
            for (int i = 0; i < 5; ++i) {
                const double factor = 1 + 0.01 * i, bytes = static_cast<double>(size);
                static_cast<void>(campaign->add({"alltoall", "mpi", Clusters({2, 2}), size, -1, -1},
                                                factor * (1e-4 + 6e-8 * bytes), false));
                static_cast<void>(campaign->add({"pingpong", "mpi", Clusters({2}), size, 0, 1},
                                                factor * (5e-5 + 1e-8 * bytes), false));
            }
    if (auto profile = load_profile("@gigabit-ethernet-2007"))
        static_cast<void>(save_profile(*profile, folder / "good.json"));
    fs::create_directory(folder / "folder");
    ::mkfifo((folder / "pipe").c_str(), 0600);
    std::ofstream(folder / "good.osu")
        << "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n8         1.0\n";
    std::ofstream(folder / "good.rules") << "1\n3\n1\n4\n1\n0 1 0 0\n";
    return {contents(folder / "good.json"), contents(folder / "good.db"),
            "bcast:-64KiB:n>=8 = bcast.binomial\nalltoall:any:clusters>=2 = alltoall.lg\n"
            "bcast:64KiB-:n<=8 = bcast.chain_segmented segment=8KiB\n",
            "# sizes\n0 64KiB 1\n4096 0 7\n8 9 0\n", "[[0, 64, 1], [64, 0, 5], [7, 8, 0]]"};
}

/// What is wrong with how the program took the input; empty: nothing.
std::optional<std::string> fault(const BadCommand& command, const Run& run,
                                 const std::string& changed) {
    if (!changed.empty())
        return "changed " + changed;
    const bool good = run.exit_status == 0 || run.exit_status == 1;
    if (good && command.may_be_good)
        return std::nullopt;
    if (run.exit_status != 2 && run.exit_status != 3)
        return fmt::format("exit status {}", run.exit_status);
    if (!run.output.empty())
        return "something on standard output";
    if (command.streams.starts_with("2>"))
        return std::nullopt;
    if (run.errors.empty() || run.errors.find('\n') != run.errors.size() - 1)
        return "not one line";
    if (run.errors.size() >= 300)
        return "300 characters or more";
    // A build without MPI lacks some subcommands.
    const auto lacks = fmt::format("unknown subcommand '{}'", command.words.front());
    if (!ALLTOLD_HAS_MPI && run.errors.find(lacks) != std::string::npos)
        return std::nullopt;
    for (const auto& name : command.names)
        if (run.errors.find(name) != std::string::npos)
            return std::nullopt;
    return "names neither file, field nor option";
}

/// A file that is not as it was, and that the command may write only if it succeeds; empty: none.
std::string changed_file(const Files& before, const Files& after, const BadCommand& command,
                         bool succeeded) {
    const auto may = [&](const std::string& name) {
        return succeeded && std::ranges::count(command.outputs, name) > 0;
    };
    for (const auto& [name, text] : before)
        if (const auto found = after.find(name);
            !may(name) && (found == after.end() || found->second != text))
            return name;
    for (const auto& [name, text] : after)
        if (!may(name) && !before.contains(name))
            return name;
    return "";
}

Run run_it(const BadCommand& command, const fs::path& folder) {
    if (command.streams.empty())
        return run_alltold(command.words, folder, false, limit_s);
    std::vector<std::string> words{"-c", "exec \"$0\" \"$@\" " + command.streams, ALLTOLD_PROGRAM};
    words.insert(words.end(), command.words.begin(), command.words.end());
    return run_program("/bin/sh", words, folder, false, limit_s);
}

/// Copies of the files of an input that was taken wrongly.
void keep_files(const fs::path& folder, const fs::path& kept) {
    fs::create_directories(kept);
    for (const auto& [name, text] : files_in(folder))
        if (name.find('/') == name.npos)
            std::ofstream(kept / name, std::ios::binary) << text;
}

/// How many inputs of each exit status, and what was wrong; the number of the latter. Files of
/// those are kept in folders `kept`/INPUT unless it is empty.
int run_all(unsigned seed, int count, const fs::path& kept) {
    const Scratch scratch;
    BadInputs inputs(scratch.directory(), make_good(scratch.directory()), seed);
    std::map<int, int> by_status;
    int faults = 0;
    for (int i = 0; i < count; ++i) {
        const auto command = inputs.next();
        const auto before = files_in(scratch.directory());
        if (!command.variable.empty())
            ::setenv(command.variable.c_str(), "3", 1);
        const auto run = run_it(command, scratch.directory());
        if (!command.variable.empty())
            ::unsetenv(command.variable.c_str());
        const auto changed = changed_file(before, files_in(scratch.directory()), command,
                                          run.exit_status == 0 || run.exit_status == 1);
        ++by_status[run.exit_status];
        if (const auto wrong = fault(command, run, changed)) {
            ++faults;
            if (!kept.empty())
                keep_files(scratch.directory(), kept / std::to_string(i));
            fmt::print("input {}: {}\n  alltold {} {} {}\n  {}\n", i, *wrong,
                       fmt::join(command.words, " "), command.streams, command.variable,
                       run.errors.substr(0, 400));
        }
        for (const auto& [name, text] : files_in(scratch.directory()))
            if (!before.contains(name))
                fs::remove(scratch / name);
    }
    for (const auto& [status, times] : by_status)
        fmt::print("exit status {}: {}\n", status, times);
    return faults;
}

} // namespace
} // namespace alltold::test

/// bad_inputs SEED COUNT [FOLDER]
int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) {
        std::fprintf(stderr, "usage: %s SEED COUNT [FOLDER for the files of what is found]\n",
                     argv[0]);
        return 2;
    }
    const auto seed = static_cast<unsigned>(std::atoi(argv[1]));
    return alltold::test::run_all(seed, std::atoi(argv[2]), argc == 4 ? argv[3] : "") == 0 ? 0 : 1;
}
