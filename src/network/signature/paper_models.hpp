// SPDX-License-Identifier: BSD-3-Clause
// The papers' models of the library's all-to-all, as fitted to one run.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "network/hockney/hockney.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature.hpp"

namespace alltold {

/// What each model was fitted to the same run of n processes.
struct PaperModels {
    Signature signature;   ///< SMT07, equation 5
    double gamma = 1;      ///< SMT07, equation 4: no delta, and so a gamma of its own
    double slowdown = 1;   ///< Bruck's factor
    double buses = 0;      ///< Labarta's, a whole number >= 1
    Signature latency;     ///< Chun's: gamma is 1, and messages from M bytes on pay delta more
    double bm04_gamma = 0; ///< BM04's, between its two bounds; 0 where pLogP is not known
};

inline constexpr std::array<std::string_view, 8> paper_model_names{
    "signature", "gamma", "linear", "clement", "slowdown", "waves", "latency", "bm04"};

/// The time of an all-to-all of n processes, m bytes per pair, by each of them; the last is left
/// out where `plogp` is null.
std::vector<double> paper_times_s(const PaperModels& models, const Hockney& network,
                                  const PLogP* plogp, int n, double size_bytes);

} // namespace alltold
