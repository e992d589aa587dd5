// SPDX-License-Identifier: BSD-3-Clause
// alltold call-once: one call of a collective of the MPI library; `export --check` counts its
// messages.
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "campaign/run/runner.hpp"
#include "cli/rule_check.hpp"
#include "cli/subcommand.hpp"
#include "core/units.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::cli {
namespace {

struct CallArguments {
    std::string collective, size, file;
};

/// Whether this process has read the file in: MPICH maps its selection tree and never unmaps it.
bool mapped(const std::string& file) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.ends_with(" " + file))
            return true;
    return false;
}

Status call(const mpi::ManagedCommunicator& world, Collective collective,
            std::uint64_t size_bytes) {
    const auto specification = Specification::of(collective, world.size(), 0, size_bytes);
    campaign::Buffers buffers(specification, world.rank());
    buffers.fill(specification, 0);
    const auto runner = campaign::Runner::make(world, {}, collective, Clusters({world.size()}));
    return runner ? runner->run(specification, buffers) : runner.error();
}

Result<ExitStatus> run_call(const CallArguments& asked) {
    ALLTOLD_TRY(collective, parse_collective(asked.collective, uniform_collectives));
    ALLTOLD_TRY(size_bytes, parse_size(asked.size));
    ALLTOLD_TRY(session, mpi::Session::open());
    if (session->world().rank() == 0)
        fmt::print("{} {}\n", ranks_line, session->world().size());
    if (!asked.file.empty() && mapped(asked.file))
        fmt::print("{}\n", mapped_line);
    const auto called = call(session->world(), *collective, *size_bytes);
    return called ? Result<ExitStatus>(ExitStatus::done) : called.error();
}

} // namespace

void declare_call_once(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<CallArguments>();
    auto& subcommand = add_subcommand(app, "call-once", "One call of the MPI library's collective",
                                      "mpirun -n 4 alltold call-once bcast 64KiB");
    subcommand.group(""); // for export --check, not for users
    subcommand.add_option("collective", asked->collective)->required();
    subcommand.add_option("size", asked->size)->required();
    subcommand.add_option("--file", asked->file);
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_call(*asked); }; });
}

} // namespace alltold::cli
