// SPDX-License-Identifier: BSD-3-Clause
// Runs alltold on bad inputs: each ends in time, with one line that names what is wrong, and
// changes no file.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    return {contents(folder / "good.json"), contents(folder / "good.db"),
            "bcast:-64KiB:n>=8 = bcast.binomial\nalltoall:any:clusters>=2 = alltoall.lg\n"
            "bcast:64KiB-:n<=8 = bcast.chain_segmented segment=8KiB\n",
            "# sizes\n0 64KiB 1\n4096 0 7\n8 9 0\n", "[[0, 64, 1], [64, 0, 5], [7, 8, 0]]"};
}

/// What is wrong with how the program took the input; empty: nothing.
std::optional<std::string> fault(const BadCommand& command, const Run& run, bool unchanged) {
    const bool good = run.exit_status == 0 || run.exit_status == 1;
    if (good && command.may_be_good)
        return std::nullopt;
    if (run.exit_status != 2 && run.exit_status != 3)
        return fmt::format("exit status {}", run.exit_status);
    if (!unchanged)
        return "a file changed";
    if (!run.output.empty())
        return "something on standard output";
    if (run.errors.empty() || run.errors.find('\n') != run.errors.size() - 1)
        return "not one line";
    if (run.errors.size() >= 300)
        return "300 characters or more";
    for (const auto& name : command.names)
        if (run.errors.find(name) != std::string::npos)
            return std::nullopt;
    return "names neither file, field nor option";
}

/// How many inputs of each exit status, and what was wrong; the number of the latter.
int run_all(unsigned seed, int count) {
    const Scratch scratch;
    BadInputs inputs(scratch.directory(), make_good(scratch.directory()), seed);
    std::map<int, int> by_status;
    int faults = 0;
    for (int i = 0; i < count; ++i) {
        const auto command = inputs.next();
        const auto before = files_in(scratch.directory());
        const auto run = run_alltold(command.words, scratch.directory(), false, limit_s);
        const bool unchanged = files_in(scratch.directory()) == before;
        ++by_status[run.exit_status];
        if (const auto wrong = fault(command, run, unchanged)) {
            ++faults;
            fmt::print("input {}: {}\n  alltold {}\n  {}\n", i, *wrong,
                       fmt::join(command.words, " "), run.errors.substr(0, 400));
        }
        fs::remove(scratch / "new.json");
    }
    for (const auto& [status, times] : by_status)
        fmt::print("exit status {}: {}\n", status, times);
    return faults;
}

} // namespace
} // namespace alltold::test

/// bad_inputs SEED COUNT
int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s SEED COUNT\n", argv[0]);
        return 2;
    }
    const auto seed = static_cast<unsigned>(std::atoi(argv[1]));
    return alltold::test::run_all(seed, std::atoi(argv[2])) == 0 ? 0 : 1;
}
