// SPDX-License-Identifier: BSD-3-Clause
// Finds what a library does with a rules file that its author did not intend.
#pragma once

#include "rulefile/target.hpp"

namespace alltold::rulefile {

struct Finding {
    int line = 0;      ///< counts from 1; 0: the file as a whole
    std::string what;  ///< what the library does with it
    std::string right; ///< what would be right
};

class Findings {
  public:
    void add(int line, std::string what, std::string right) {
        list_.push_back({line, std::move(what), std::move(right)});
    }
    /// In the order of lines.
    std::vector<Finding> sorted() && {
        std::ranges::stable_sort(list_, {}, &Finding::line);
        return std::move(list_);
    }

  private:
    std::vector<Finding> list_;
};

/// Open MPI's numbers (4.1 on), its JSON (6.0 on), and MPICH's selection tree (4.0 on).
enum class Format : std::uint8_t { openmpi_classic, openmpi_json, mpich_json };

/// "Open MPI rules (numbers)" and so on.
std::string_view name_of(Format format);

struct Lint {
    Format format = Format::openmpi_classic;
    std::vector<Finding> findings; ///< by line
};

/// Which format a file has, by what it begins with; `library` decides where that may be either's.
/// Fails for a file that has none of them.
Result<Format> format_of(std::string_view text, MpiLibrary library = MpiLibrary::other);

/// Finds what `target` would do with the file; `target` may name no library or version, and then
/// only what goes wrong in all of them counts. Fails where the format is none of the known ones or
/// another library's.
Result<Lint> lint(std::string_view text, const Target& target);

/// The end of a finding where Open MPI cannot read the file.
inline constexpr const char* whole_file_dropped = "; the whole file is dropped without a word";

/// One format each.
void lint_classic(std::string_view text, const Target& target, Findings& findings);
void lint_openmpi_json(std::string_view text, const Target& target, Findings& findings);
void lint_mpich(std::string_view text, const Target& target, Findings& findings);

} // namespace alltold::rulefile
