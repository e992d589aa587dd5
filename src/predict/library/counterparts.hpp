// SPDX-License-Identifier: BSD-3-Clause
// Which of our algorithms does what one of the MPI library's does.
#pragma once

#include "predict/choice/choice.hpp"

namespace alltold {

/// The algorithm of ours that sends the same messages in the same order as the library's, with the
/// parameters that make it so; all messages at once where the library has no window. Empty if none
/// does: in Open MPI's gathers and scatters the root waits for each block. On 2, 4, 8, ... ranks
/// its pairwise exchange rotates and ours swaps partners, which only matters over several clusters.
std::optional<Choice> counterpart(MpiLibrary library, Collective collective,
                                  const Clusters& clusters, const Choice& forced);

/// One of the library's algorithms that has a counterpart.
struct Imitated {
    std::string_view name;
    const Algorithm* ours = nullptr; ///< takes a segment if `segmented`
    bool segmented = false;
};
std::vector<Imitated> imitated_algorithms(MpiLibrary library, Collective collective,
                                          const Clusters& clusters);

/// The algorithm of ours whose messages come nearest to those of the library's without segments or
/// windows, with complete parameters: what corrections of its times start from. Empty where none
/// comes near.
std::optional<Choice> nearest(MpiLibrary library, Collective collective, std::string_view name,
                              int ranks, std::uint64_t size_bytes);

} // namespace alltold
