// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's component monitoring prints at the end what each rank has sent to each other. alltold
// call-once is one call of a collective of the MPI library, whose messages are counted.
#include "cli/rule_check.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "campaign/run/runner.hpp"
#include "cli/command_output.hpp"
#include "cli/subcommand.hpp"
#include "core/units.hpp"
#include "runtime/mpi/session.hpp"

namespace alltold::cli {
namespace {

/// `alltold call-once` prints this and the number of ranks on rank 0,
constexpr const char* ranks_line = "alltold: ranks";
/// and this on every rank that has the file in memory.
constexpr const char* mapped_line = "alltold: the file is mapped";

/// Bytes and messages from one rank to another.
using Messages = std::map<std::pair<int, int>, std::pair<std::uint64_t, std::uint64_t>>;

/// Lines such as "I	0	1	65536 bytes	1 msgs sent	...": internal to a
/// collective.
Messages messages_of(const std::string& text) {
    Messages messages;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind, unit;
        int from = 0, to = 0;
        std::uint64_t bytes = 0, count = 0;
        if (words >> kind >> from >> to >> bytes >> unit >> count && kind == "I" && unit == "bytes")
            messages[{from, to}] = {bytes, count};
    }
    return messages;
}

class Checker {
  public:
    Checker(const rulefile::Exported& exported, const rulefile::Target& target,
            const std::string& file, const std::vector<std::string>& launcher)
        : exported_(exported), target_(target), file_(file),
          command_(fmt::format("{} {} call-once", quoted(launcher), quoted(own_program()))) {}

    Result<std::vector<CheckedRule>> operator()() {
        ALLTOLD_TRY(text, run(Collective::bcast, 1, {}));
        const auto at = text->find(ranks_line);
        if (at == text->npos)
            return environment("the launcher's output has no number of ranks");
        ranks_ = std::atoi(text->c_str() + at + std::string(ranks_line).size());
        std::vector<CheckedRule> checked;
        for (const auto& band : exported_.bands)
            if (band.from_ranks <= ranks_ && ranks_ <= band.to_ranks)
                for (std::size_t i = 0; i < band.rules.size(); ++i)
                    if (!band.rules[i].choice.is_default()) {
                        ALLTOLD_TRY(rule, check(band, i));
                        checked.push_back(*rule);
                    }
        if (checked.empty())
            return refused(fmt::format(
                "no rule covers {} ranks; start as many ranks as a rule covers", ranks_));
        return checked;
    }

  private:
    /// A size that the rule covers, and none of its neighbours, even in other units.
    static std::uint64_t size_in(const rulefile::ExportedBand& band, std::size_t i) {
        const auto from = std::max<std::uint64_t>(band.rules[i].from_bytes, 1);
        const auto end = i + 1 < band.rules.size() ? band.rules[i + 1].from_bytes : 2 * from + 1;
        return from + (end - from) / 2;
    }

    Result<std::string> run(Collective collective, std::uint64_t size_bytes, Variables variables) {
        if (target_.library == MpiLibrary::open_mpi) {
            variables.emplace_back("OMPI_MCA_pml_monitoring_enable", "2");
            variables.emplace_back("OMPI_MCA_pml_monitoring_enable_output", "1");
        }
        return output_of(fmt::format("{} {} {} --file {} </dev/null 2>&1", command_,
                                     name_of(collective), size_bytes, quoted(file_)),
                         variables);
    }

    Result<Messages> count(Collective collective, std::uint64_t size_bytes,
                           const Variables& variables) {
        ALLTOLD_TRY(text, run(collective, size_bytes, variables));
        auto messages = messages_of(*text);
        if (messages.empty())
            return environment("Open MPI counts no messages here: it lacks its component "
                               "monitoring");
        return messages;
    }

    Variables with_file() const {
        Variables variables;
        for (const auto& [name, value] : settings_for(exported_, target_, file_))
            variables.emplace_back(name, value);
        return variables;
    }

    /// As with the file in all else.
    Variables forced(Collective collective, const Choice& choice) const {
        auto variables = with_file();
        std::erase_if(variables, [](const auto& variable) {
            return variable.first == "OMPI_MCA_coll_tuned_dynamic_rules_filename";
        });
        const auto row = find_library_algorithm(target_.library, collective, choice.library);
        const auto variable = fmt::format("OMPI_MCA_coll_tuned_{}_algorithm", name_of(collective));
        variables.emplace_back(variable, std::to_string(row ? (*row)->number : 0));
        variables.emplace_back(variable + "_segmentsize",
                               std::to_string(choice.parameters.segment_bytes));
        if (choice.parameters.window > 0)
            variables.emplace_back(variable + "_max_requests",
                                   std::to_string(choice.parameters.window));
        return variables;
    }

    Result<CheckedRule> check(const rulefile::ExportedBand& band, std::size_t i) {
        const auto& choice = band.rules[i].choice;
        CheckedRule rule{band.collective, ranks_, size_in(band, i), text_of(choice), {}};
        if (target_.library == MpiLibrary::mpich) {
            ALLTOLD_TRY(text, run(rule.collective, rule.size_bytes, with_file()));
            int mapped = 0;
            for (auto at = text->find(mapped_line); at != text->npos;
                 at = text->find(mapped_line, at + 1))
                ++mapped;
            rule.verdict =
                mapped == ranks_ ? CheckedRule::Verdict::read : CheckedRule::Verdict::ignored;
            return rule;
        }
        ALLTOLD_TRY(now, count(rule.collective, rule.size_bytes, with_file()));
        ALLTOLD_TRY(wanted,
                    count(rule.collective, rule.size_bytes, forced(rule.collective, choice)));
        ALLTOLD_TRY(before, count(rule.collective, rule.size_bytes, {}));
        rule.verdict = *now != *wanted   ? CheckedRule::Verdict::ignored
                       : *now == *before ? CheckedRule::Verdict::like_before
                                         : CheckedRule::Verdict::in_effect;
        return rule;
    }

    const rulefile::Exported& exported_;
    const rulefile::Target& target_;
    const std::string& file_;
    std::string command_;
    int ranks_ = 0;
};

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
    ALLTOLD_TRY_DONE(call(session->world(), *collective, *size_bytes));
    return ExitStatus::done;
}

} // namespace

Result<std::vector<CheckedRule>> check_rules(const rulefile::Exported& exported,
                                             const rulefile::Target& target,
                                             const std::string& file,
                                             const std::vector<std::string>& launcher) {
    return Checker(exported, target, file, launcher)();
}

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
