// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts the file's text; every rank parses it.
#include "campaign/compare/read_matrix.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/result.hpp"
#include "core/text_file.hpp"
#include "core/units.hpp"
#include "runtime/mpi/agree.hpp"

namespace alltold::campaign {
namespace {

Result<Matrix> matrix_of_file(const std::string& file, const mpi::ManagedCommunicator& world,
                              std::uint64_t& largest_bytes) {
    Result<std::string> text = std::string();
    if (world.rank() == 0)
        text = read_text_file(file, what_matrix_takes);
    ALLTOLD_TRY_DONE(mpi::agree(world, text ? Status(Done{}) : text.error()));
    text = world.broadcast_text(*text);
    if (!text)
        return text.error();
    return parse_matrix(*text, file, world.size(), largest_bytes);
}

/// MPI_Alltoallv takes displacements as ints.
Status check_fits(const ComparisonRequest& request, const mpi::ManagedCommunicator& world) {
    const auto size_bytes = std::ranges::max(request.sizes_bytes);
    const auto largest = request.specification(size_bytes);
    for (int rank = 0; rank < world.size(); ++rank)
        for (const auto buffer : {Buffer::send, Buffer::receive})
            if (largest.buffer_bytes(rank, buffer) >
                static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
                return bad_input(fmt::format(
                    "-m: with {} rank {} has more than 2 GiB, which MPI_Alltoallv cannot count",
                    format_size_word(size_bytes), rank));
    return Done{};
}

} // namespace

Status read_matrix(const std::string& word, const mpi::ManagedCommunicator& world,
                   ComparisonRequest& request) {
    std::uint64_t largest_bytes = 0;
    ALLTOLD_TRY(matrix, is_generated_matrix(word)
                            ? generated_matrix(word, world.size(), request.seed)
                            : matrix_of_file(word, world, largest_bytes));
    request.matrix = std::move(*matrix);
    if (request.sizes_bytes.empty())
        request.sizes_bytes = {largest_bytes};
    return check_fits(request, world);
}

} // namespace alltold::campaign
