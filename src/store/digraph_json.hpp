// SPDX-License-Identifier: BSD-3-Clause
// Message exchange digraphs as JSON: the matrix of bytes.
#pragma once

#include <filesystem>

#include "core/result.hpp"
#include "predict/bounds/digraph.hpp"

namespace alltold {

/// Reads [[0, 64, ...], ...]: row i, column j holds the bytes process i sends to process j, 0 for
/// no message. Fails, naming the file and the place, unless it is square and its diagonal is 0.
Result<MessageDigraph> load_digraph(const std::filesystem::path& path);

} // namespace alltold
