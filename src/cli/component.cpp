// SPDX-License-Identifier: BSD-3-Clause
// alltold component install, remove: Open MPI's component, where Open MPI looks for components.
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command_output.hpp"
#include "cli/installed.hpp"
#include "cli/subcommand.hpp"
#include "core/environment.hpp"

namespace alltold::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* component_file = "mca_coll_alltold.so";

/// The user's folder of components, or that of the Open MPI in `prefix`.
Result<fs::path> component_folder(const std::string& prefix) {
    if (prefix.empty()) {
        const auto home = alltold::variable("HOME");
        if (home.empty())
            return environment("component: HOME is not set; name Open MPI's folder with --prefix");
        return fs::path(home) / ".openmpi/components";
    }
    const auto command = quoted((fs::path(prefix) / "bin/ompi_info").string());
    ALLTOLD_TRY(told, output_of(command + " --parsable --path pkglibdir"));
    const auto folder = told->substr(told->rfind(':') + 1); // path:pkglibdir:/usr/lib/openmpi
    if (!folder.starts_with('/'))
        return environment(fmt::format("component: --prefix {}: ompi_info does not tell the folder "
                                       "of its components, but '{}'",
                                       prefix, *told));
    return fs::path(folder.substr(0, folder.find('\n')));
}

Error failed_with(const fs::path& file, const std::error_code& why) {
    return environment(fmt::format("component: {}: {}", file.string(), why.message()));
}

Result<ExitStatus> install(const std::string& prefix) {
    constexpr std::array mpi_libraries{"openmpi"};
    ALLTOLD_TRY(source, installed_library("component", component_file, mpi_libraries));
    ALLTOLD_TRY(folder, component_folder(prefix));
    const auto file = *folder / component_file;
    std::error_code failed;
    fs::create_directories(*folder, failed);
    if (failed)
        return failed_with(*folder, failed);
    // Programs that run have the earlier file mapped, so it is replaced and not written over.
    const auto part = *folder / fmt::format(".{}.{}", component_file, getpid());
    if (fs::copy_file(*source, part, fs::copy_options::overwrite_existing, failed); !failed)
        fs::rename(part, file, failed);
    if (failed) {
        std::error_code ignored;
        fs::remove(part, ignored);
        return failed_with(file, failed);
    }
    fmt::print("{}\n{} loads it from now on, and it runs what the profile or rules that a program "
               "is given say.\nTo take it out: {} component remove{}\n",
               file.string(),
               prefix.empty() ? "Every mpirun of yours" : "Every program on this Open MPI",
               command_name(), prefix.empty() ? "" : " --prefix " + quoted(prefix));
    return ExitStatus::done;
}

Result<ExitStatus> remove(const std::string& prefix) {
    ALLTOLD_TRY(folder, component_folder(prefix));
    const auto file = *folder / component_file;
    std::error_code failed;
    if (!fs::remove(file, failed))
        return failed ? failed_with(file, failed)
                      : bad_input(fmt::format("component: {} is not there", file.string()));
    fmt::print("{} is removed\n", file.string());
    return ExitStatus::done;
}

void declare(CLI::App& app, Action& chosen, const std::string& name, const std::string& about,
             Result<ExitStatus> (*run)(const std::string&)) {
    const auto prefix = std::make_shared<std::string>();
    auto& subcommand = add_subcommand(app, name, about, "alltold component " + name);
    subcommand.add_option("--prefix", *prefix,
                          "the Open MPI whose folder of components it is, with its bin/ompi_info, "
                          "such as /usr (default: the user's own, ~/.openmpi/components)");
    subcommand.callback(
        [prefix, run, &chosen] { chosen = [prefix, run] { return run(*prefix); }; });
}

} // namespace

void declare_component(CLI::App& app, Action& chosen) {
    auto& subcommand = add_subcommand(
        app, "component", "Puts alltold into Open MPI, as a component of its collectives",
        "alltold component install\n"
        "  mpirun -n 12 -x ALLTOLD_PROFILE=net.json ./program\n"
        "  alltold component remove");
    subcommand.require_subcommand(1);
    declare(subcommand, chosen, "install",
            "Copies the component to where Open MPI looks for components", install);
    declare(subcommand, chosen, "remove", "Takes it out again", remove);
}

} // namespace alltold::cli
