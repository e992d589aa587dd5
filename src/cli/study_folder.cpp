// SPDX-License-Identifier: BSD-3-Clause
#include "cli/study_folder.hpp"

#include <fmt/format.h>

#include "campaign/study/study.hpp"
#include "lab/options.hpp"

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

/// The first parameter in which two labs differ; empty: none.
std::string difference(const nlohmann::json& there, const nlohmann::json& here) {
    auto parameters = here.flatten();
    const auto parameters_there = there.flatten();
    for (const auto& [name, value] : parameters_there.items())
        if (!name.starts_with("/processors") && !parameters.contains(name))
            parameters[name] = nullptr;
    for (const auto& [name, value] : parameters.items()) {
        const nlohmann::json::json_pointer at(name);
        const auto was = there.contains(at) ? there.at(at) : nlohmann::json();
        if (was != value && !name.ends_with("goodput_byte_per_s")) // follows from the rate
            return fmt::format("{} is {} there and {} here", name.substr(1),
                               was.is_primitive() ? was.dump().substr(0, 60) : "something else",
                               value.dump());
    }
    return "";
}

} // namespace

StudyFolder::StudyFolder(fs::path path)
    : path_(std::move(path)), first_made_(first_missing(path_)),
      studied_(is_there(path_ / campaign::store_file)), had_settings_(is_there(settings())),
      had_truth_(is_there(truth())) {}

fs::path StudyFolder::settings() const {
    return path_ / "settings.json";
}

fs::path StudyFolder::truth() const {
    return path_ / "truth.json";
}

Status StudyFolder::check_place(StudyPlace place, const nlohmann::json& truth) const {
    if (!studied_)
        return Done{};
    const bool lab = place != StudyPlace::hosts;
    if (lab != had_truth_)
        return bad_input(fmt::format(
            "{}: holds {}; name another folder with --keep", path_.string(),
            lab ? "a study of hosts, not of a lab" : "a lab's study, not one of these hosts"));
    if (!lab)
        return Done{};
    ALLTOLD_TRY(text, read_text_file(this->truth(), lab::truth_kind.name));
    if (const auto what = difference(nlohmann::json::parse(*text, nullptr, false), truth);
        !what.empty())
        return bad_input(fmt::format("{}: holds a study of another lab: in truth.json {}; name "
                                     "another folder with --keep",
                                     path_.string(), what));
    return Done{};
}

Status StudyFolder::check_files(StudyPlace place) const {
    std::vector<std::pair<fs::path, FileKind>> files{
        {path_ / campaign::page_file, {"a study's page", "alltold study:"}}};
    if (place == StudyPlace::new_lab)
        files.insert(files.begin(), {settings(), settings_kind});
    if (place != StudyPlace::hosts || had_truth_) // that of a lab that never ran is removed
        files.emplace_back(truth(), lab::truth_kind);
    for (const auto& [file, kind] : files)
        ALLTOLD_TRY_DONE(may_replace(file, kind));
    return may_save_profile(path_ / "profile.json");
}

Result<StudyFolder> StudyFolder::open(const std::string& keep, StudyPlace place,
                                      const nlohmann::json& truth) {
    auto path = keep.empty() ? fs::path("alltold-study") : fs::path(keep);
    for (int i = 2; keep.empty() && (is_there(path / campaign::page_file) ||
                                     !StudyFolder(path).check_place(place, truth));
         ++i)
        path = fmt::format("alltold-study-{}", i);
    StudyFolder folder(path);
    ALLTOLD_TRY_DONE(folder.check_place(place, truth));
    std::error_code error;
    if (is_there(folder.path_) && !fs::is_directory(folder.path_, error))
        return bad_input(fmt::format("{} {}: is not a folder; name a folder for the study's files",
                                     keep.empty() ? "the default of --keep," : "--keep",
                                     folder.path_.string()));
    fs::create_directories(folder.path_, error);
    if (error)
        return bad_input(fmt::format("{} {}: {}", keep.empty() ? "folder" : "--keep",
                                     folder.path_.string(), error.message()));
    folder.opened_ = std::make_unique<bool>(true);
    ALLTOLD_TRY_DONE(folder.fill(place, truth));
    return folder;
}

Status StudyFolder::fill(StudyPlace place, const nlohmann::json& truth) {
    ALLTOLD_TRY_DONE(check_files(place));
    if (place == StudyPlace::inside_lab)
        return studied_ ? Status(Done{})
                        : replace_text_file(this->truth(), truth.dump(2) + "\n", lab::truth_kind);
    auto lock = WriterLock::take(this->truth());
    if (!lock) {
        had_settings_ = had_truth_ = true; // if there are any now, they are the other process's
        return lock.error();
    }
    lock_ = std::move(*lock);
    std::error_code error;
    if (place == StudyPlace::hosts && had_truth_)
        fs::remove(this->truth(), error);
    return Done{};
}

StudyFolder::~StudyFolder() {
    if (!opened_ || is_there(path_ / campaign::store_file))
        return;
    std::error_code ignored;
    if (!had_settings_)
        fs::remove(settings(), ignored);
    if (!had_truth_)
        fs::remove(truth(), ignored);
    lock_.reset(); // its file is in the folder
    if (first_made_.empty())
        return;
    for (auto at = path_; fs::remove(at, ignored) && at != first_made_;)
        at = at.parent_path();
}

} // namespace alltold::cli
