// SPDX-License-Identifier: BSD-3-Clause
// alltold export openmpi, mpich: writes the library's own algorithms that win as a rules file that
// it reads itself.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/input_files.hpp"
#ifdef ALLTOLD_WITH_MPI
#include "cli/rule_check.hpp"
#endif
#include "cli/subcommand.hpp"
#include "core/result.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/text_table.hpp"
#include "rulefile/exported.hpp"
#include "store/json_text.hpp"
#include "store/profile.hpp"

namespace alltold::cli {
namespace {

struct ExportArguments {
    std::string library, profile, output, version;
    std::vector<std::string> launcher;
    bool check = false, json = false;
};

/// The library in the version asked for, or in the one that the profile was measured with.
Result<rulefile::Target> target_for(const ExportArguments& asked, const Profile& profile) {
    const auto measured = rulefile::target_of(profile.provenance.mpi_library);
    ALLTOLD_TRY(wanted, in_context("--version", rulefile::parse_target(asked.version.empty()
                                                                           ? asked.library
                                                                           : asked.library + "-" +
                                                                                 asked.version)));
    if (measured.library != wanted->library)
        return refused(fmt::format(
            "{}: measured with {}; rules for {} need a campaign measured with it", asked.profile,
            measured.library == MpiLibrary::other ? "another MPI library"
                                                  : name_of(measured.library),
            name_of(wanted->library)));
    return asked.version.empty() ? measured : *wanted;
}

std::string file_name(const ExportArguments& asked, const rulefile::Target& target) {
    if (!asked.output.empty())
        return asked.output;
    return target.library == MpiLibrary::mpich ? "mpich.json"
           : target.from(6)                    ? "openmpi.json"
                                               : "openmpi.rules";
}

FileKind kind_of(const rulefile::Target& target) {
    return {"a rules file of that library", target.library == MpiLibrary::mpich ? "\"collective="
                                            : target.from(6) ? "\"rule_file_version\""
                                                             : "# rules of alltold"};
}

/// "from 64 KiB", "8 KiB to 64 KiB".
std::string sizes_of(const rulefile::ExportedBand& band, std::size_t i) {
    const auto from = band.rules[i].from_bytes;
    if (i + 1 == band.rules.size())
        return from == 0 ? "all" : fmt::format("from {}", format_size(from));
    return fmt::format("{} to {}", format_size(from),
                       format_size(band.rules[i + 1].from_bytes - 1));
}

std::string table_of(const rulefile::Exported& exported) {
    TextTable table;
    table.columns({"collective", "ranks", "bytes per block", "the library's algorithm"},
                  TextTable::Align::left);
    for (const auto& band : exported.bands)
        for (std::size_t i = 0; i < band.rules.size(); ++i)
            if (!band.rules[i].choice.is_default())
                table.row({std::string(name_of(band.collective)),
                           band.from_ranks == band.to_ranks
                               ? std::to_string(band.from_ranks)
                               : fmt::format("{} to {}", band.from_ranks, band.to_ranks),
                           sizes_of(band, i), text_of(band.rules[i].choice)});
    return table.text();
}

std::string page_of(const rulefile::Exported& exported, const rulefile::Target& target,
                    const std::string& file) {
    auto text = fmt::format("{}\nElsewhere the library decides as before.\n", table_of(exported));
    for (const auto& note : exported.notes)
        text += fmt::format("Not written: {}.\n", note);
    text += fmt::format("\nWrote {} for {}. To use it:\n", file, target.text());
    for (const auto& [name, value] : settings_for(exported, target, file))
        text += fmt::format("    export {}={}\n", name, value);
    return text;
}

nlohmann::ordered_json json_of(const rulefile::Exported& exported, const rulefile::Target& target,
                               const std::string& file) {
    auto rules = nlohmann::ordered_json::array();
    for (const auto& band : exported.bands)
        for (const auto& rule : band.rules)
            rules.push_back({{"collective", name_of(band.collective)},
                             {"from_ranks", band.from_ranks},
                             {"to_ranks", band.to_ranks},
                             {"from_bytes", rule.from_bytes},
                             {"algorithm", text_of(rule.choice)}});
    nlohmann::ordered_json settings;
    for (const auto& [name, value] : settings_for(exported, target, file))
        settings[name] = value;
    return {{"file", file},
            {"for", target.text()},
            {"settings", std::move(settings)},
            {"rules", std::move(rules)},
            {"notes", exported.notes}};
}

#ifdef ALLTOLD_WITH_MPI
const char* words_of(CheckedRule::Verdict verdict) {
    switch (verdict) {
    case CheckedRule::Verdict::in_effect:
        return "in effect: the messages are those of the algorithm, and differ without the file";
    case CheckedRule::Verdict::like_before:
        return "undecided: the same messages with and without the file";
    case CheckedRule::Verdict::read:
        return "every rank has read the file; MPICH does not count messages";
    case CheckedRule::Verdict::ignored:
        break;
    }
    return "NOT in effect";
}

/// Fails unless every rule is in effect as far as can be told, and one certainly.
Result<ExitStatus> check(const ExportArguments& asked, const rulefile::Exported& exported,
                         const rulefile::Target& target, const std::string& file) {
    ALLTOLD_TRY(checked, check_rules(exported, target, file, asked.launcher));
    bool ignored = false, certain = false;
    for (const auto& rule : *checked) {
        fmt::print("{} on {} ranks, {}, {}: {}\n", name_of(rule.collective), rule.ranks,
                   format_size(rule.size_bytes), rule.algorithm, words_of(rule.verdict));
        ignored = ignored || rule.verdict == CheckedRule::Verdict::ignored;
        certain = certain || rule.verdict == CheckedRule::Verdict::in_effect ||
                  rule.verdict == CheckedRule::Verdict::read;
    }
    return ignored || !certain ? ExitStatus::no : ExitStatus::done;
}
#else
Result<ExitStatus> check(const ExportArguments&, const rulefile::Exported&, const rulefile::Target&,
                         const std::string&) {
    return environment("--check: this alltold was built without MPI");
}
#endif

Result<ExitStatus> run_export(const ExportArguments& asked) {
    if (asked.check == asked.launcher.empty())
        return bad_input(asked.check
                             ? "--check: give the launcher after --, such as -- mpirun -n 12"
                             : "only --check takes a launcher");
    if (asked.check && asked.json)
        return bad_input("--check and --json exclude each other");
    ALLTOLD_TRY(profile, read_profile(asked.profile));
    ALLTOLD_TRY(target, target_for(asked, *profile));
    const auto file = std::filesystem::absolute(file_name(asked, *target)).string();
    ALLTOLD_TRY_DONE(may_replace(file, kind_of(*target))); // before the long work
    const auto exported =
        rulefile::exported(profile->network, profile->provenance.clusters, *target);
    if (exported.bands.empty())
        return refused(fmt::format(
            "{}: no algorithm of {} is known to be quicker than its own choice{}{}", asked.profile,
            name_of(target->library), exported.notes.empty() ? "" : "; not written: ",
            exported.notes.empty() ? "" : exported.notes.front()));
    ALLTOLD_TRY_DONE(replace_text_file(file, text_of(exported, *target), kind_of(*target)));
    fmt::print("{}", asked.json ? json_text(json_of(exported, *target, file))
                                : page_of(exported, *target, file));
    if (!asked.version.empty() &&
        rulefile::target_of(profile->provenance.mpi_library).text() != target->text())
        say(fmt::format("alltold: {} was measured with {}; what {} chooses by itself may differ, "
                        "and so may the gain\n",
                        asked.profile, rulefile::target_of(profile->provenance.mpi_library).text(),
                        target->text()));
    return asked.check ? check(asked, exported, *target, file) : ExitStatus::done;
}

} // namespace

void declare_export_rules(CLI::App& app, Action& chosen) {
    for (const auto library : {MpiLibrary::open_mpi, MpiLibrary::mpich}) {
        auto asked = std::make_shared<ExportArguments>();
        asked->library = library == MpiLibrary::mpich ? "mpich" : "openmpi";
        auto& subcommand = add_subcommand(
            app, asked->library,
            fmt::format("Writes a rules file that makes {} run its own fastest algorithms, "
                        "and the settings it needs",
                        name_of(library)),
            fmt::format("alltold export {0} net.json -o rules\n"
                        "  alltold export {0} net.json --check -- mpirun -n 12 --hostfile hosts",
                        asked->library));
        subcommand.add_option("profile", asked->profile, "profile.json")->required();
        subcommand.add_option("-o,--output", asked->output,
                              library == MpiLibrary::mpich
                                  ? "file to write (default: mpich.json)"
                                  : "file to write (default: openmpi.rules, or openmpi.json for "
                                    "version 6.0 on)");
        subcommand.add_option(
            "--version", asked->version,
            fmt::format("version of the library that will read the file, such as "
                        "{} (default: the one that was measured)",
                        library == MpiLibrary::mpich ? "4.0 or 4.2" : "4.1, 5.0 or 6.0"));
        subcommand.add_flag("--check", asked->check,
                            "start the launcher and check that the rules take effect");
        subcommand.add_flag("--json", asked->json, "print JSON");
        subcommand.add_option("launcher", asked->launcher,
                              "after --: the launcher with its options, without a program");
        subcommand.callback([asked, &chosen] { chosen = [asked] { return run_export(*asked); }; });
    }
}

} // namespace alltold::cli
