// SPDX-License-Identifier: BSD-3-Clause
// A campaign's samples as comma-separated values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "network/samples.hpp"

namespace alltold {

inline constexpr std::string_view csv_header =
    "probe,algorithm,clusters,size_bytes,first_rank,second_rank,count,repetition,warmup,time_s,"
    "taken_unix_s,retransmitted";

/// csv_header, then one line per sample in the order of `points`; columns are those of the store.
/// `retransmitted` is empty where it is not known. Fields with commas or quotes are quoted (RFC
/// 4180); numbers read back as the same doubles.
std::string samples_csv(std::span<const PointSamples> points);

} // namespace alltold
