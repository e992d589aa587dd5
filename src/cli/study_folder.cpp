// SPDX-License-Identifier: BSD-3-Clause
// Looks at what the folder holds.
#include "cli/study_folder.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "campaign/study/study.hpp"
#include "core/text_file.hpp"
#include "lab/options.hpp"
#include "store/profile.hpp"

namespace alltold::cli {
namespace {

namespace fs = std::filesystem;

constexpr FileKind settings_kind{"output of settings", "\"recommended\""};

bool is_there(const fs::path& path) {
    std::error_code failed;
    return fs::exists(path, failed);
}

/// The outermost folder that is to be made; empty if `path` is there.
fs::path first_missing(const fs::path& path) {
    fs::path missing;
    for (auto at = path; !at.empty() && !is_there(at); at = at.parent_path())
        missing = at;
    return missing;
}

} // namespace

StudyFolder::StudyFolder(fs::path path)
    : path_(std::move(path)), first_made_(first_missing(path_)),
      had_settings_(is_there(settings())), had_truth_(is_there(truth())) {}

fs::path StudyFolder::settings() const {
    return path_ / "settings.json";
}

fs::path StudyFolder::truth() const {
    return path_ / "truth.json";
}

Status StudyFolder::check_place(StudyPlace place) const {
    const bool studied = is_there(path_ / campaign::store_file);
    if (studied && place == StudyPlace::hosts && had_truth_)
        return bad_input(fmt::format("{}: holds a lab's study, not one of these hosts; name "
                                     "another folder with --keep",
                                     path_.string()));
    if (studied && place == StudyPlace::new_lab && !had_truth_)
        return bad_input(fmt::format("{}: holds a study of hosts, not of a lab; name another "
                                     "folder with --keep",
                                     path_.string()));
    return Done{};
}

Status StudyFolder::check_files(StudyPlace place) const {
    std::vector<std::pair<fs::path, FileKind>> files{
        {path_ / campaign::page_file, {"a study's page", "alltold study:"}}};
    if (place == StudyPlace::new_lab)
        files.insert(files.begin(), {{settings(), settings_kind}, {truth(), lab::truth_kind}});
    if (place == StudyPlace::hosts && had_truth_) // of a lab that never ran
        files.emplace_back(truth(), lab::truth_kind);
    for (const auto& [file, kind] : files)
        if (auto may = may_replace(file, kind); !may)
            return may;
    return may_save_profile(path_ / "profile.json");
}

Result<StudyFolder> StudyFolder::open(const std::string& keep, StudyPlace place) {
    StudyFolder folder(keep.empty() ? "alltold-study" : keep);
    for (int i = 2; keep.empty() &&
                    (is_there(folder.path_ / campaign::page_file) || !folder.check_place(place));
         ++i)
        folder = StudyFolder(fmt::format("alltold-study-{}", i));
    if (auto same = folder.check_place(place); !same)
        return same.error();
    std::error_code error;
    if (is_there(folder.path_) && !fs::is_directory(folder.path_, error))
        return bad_input(fmt::format("{} {}: is not a folder; name a folder for the study's files",
                                     keep.empty() ? "the default of --keep," : "--keep",
                                     folder.path_.string()));
    fs::create_directories(folder.path_, error);
    if (error)
        return bad_input(fmt::format("{} {}: {}", keep.empty() ? "folder" : "--keep",
                                     folder.path_.string(), error.message()));
    if (auto may = folder.check_files(place); !may) {
        folder.leave_nothing_unstudied();
        return may.error();
    }
    if (place == StudyPlace::hosts && folder.had_truth_)
        fs::remove(folder.truth(), error);
    return folder;
}

void StudyFolder::leave_nothing_unstudied() const {
    if (is_there(path_ / campaign::store_file))
        return;
    std::error_code ignored;
    if (!had_settings_)
        fs::remove(settings(), ignored);
    if (!had_truth_)
        fs::remove(truth(), ignored);
    if (first_made_.empty())
        return;
    for (auto at = path_; fs::remove(at, ignored) && at != first_made_;)
        at = at.parent_path();
}

} // namespace alltold::cli
