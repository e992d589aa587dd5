// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's control variables, as the environment sets them.
#include "predict/library/library_setting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold {

EnvironmentVariables forcing_variables(const LibraryAlgorithm& algorithm) {
    return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
            {fmt::format("OMPI_MCA_coll_tuned_{}_algorithm", name_of(algorithm.collective)),
             std::to_string(algorithm.number)}};
}

bool can_be_set(const LibraryAlgorithm& algorithm, Collective collective) {
    return algorithm.library == MpiLibrary::open_mpi && algorithm.collective == collective &&
           algorithm.ranks == LibraryAlgorithm::Ranks::any;
}

std::string settings_text(const EnvironmentVariables& variables) {
    std::vector<std::string> words;
    for (const auto& [name, value] : variables)
        words.push_back(fmt::format("{}={}", name, value));
    return words.empty() ? "default" : fmt::format("{}", fmt::join(words, " "));
}

} // namespace alltold
