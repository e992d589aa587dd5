// SPDX-License-Identifier: BSD-3-Clause
// The folder of a study: which one, whether a study may fill it, and what a failed start leaves.
#pragma once

#include <memory>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "store/writer_lock.hpp"

namespace alltold::cli {

/// What a study measures.
enum class StudyPlace {
    new_lab,    ///< a lab that it starts
    inside_lab, ///< the hosts of a lab that runs
    hosts,      ///< the launcher's hosts
};

class StudyFolder {
  public:
    /// The folder given by --keep; else alltold-study, or alltold-study-2 and so on where a study
    /// of this place cannot go on. Makes it, and for a study inside a lab writes `truth`, the lab's
    /// parameters. Fails for a folder that holds another's files, or a study of another place or
    /// lab, whose measurements must not be mixed, and while another process writes there.
    static Result<StudyFolder> open(const std::string& keep, StudyPlace place,
                                    const nlohmann::json& truth);

    StudyFolder(StudyFolder&&) noexcept = default;
    StudyFolder& operator=(StudyFolder&&) = delete;
    /// After a start that failed, so that there is no study.db, removes what this study has made,
    /// the folder too.
    ~StudyFolder();

    const std::filesystem::path& path() const { return path_; }
    /// What `settings` found in the lab, as JSON.
    std::filesystem::path settings() const;
    /// The lab's parameters.
    std::filesystem::path truth() const;

  private:
    explicit StudyFolder(std::filesystem::path path);
    /// Fails where it holds a study of another place or lab.
    Status check_place(StudyPlace place, const nlohmann::json& truth) const;
    /// Whether a study may write its files there: fails where another file has the name of one.
    Status check_files(StudyPlace place) const;
    /// Takes the lock, and leaves the truth of no other place.
    Status fill(StudyPlace place, const nlohmann::json& truth);

    std::filesystem::path path_;
    std::filesystem::path first_made_; ///< the first folder of path_ to be made; empty: none
    bool studied_ = false, had_settings_ = false, had_truth_ = false;
    /// Locks the truth, which is written before there is a store. Inside a lab that a study started
    /// that study holds it.
    std::optional<WriterLock> lock_;
    std::unique_ptr<bool> opened_; ///< set in one that open returned and nobody took over
};

} // namespace alltold::cli
