// SPDX-License-Identifier: BSD-3-Clause
// Which rank is in which cluster, for clusters of consecutive ranks.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace alltold {

/// Clusters of one or more ranks each; ranks are numbered cluster by cluster.
class Clusters {
  public:
    /// From "12", "6+6" or "4+8+4". Fails, naming the number, for an empty, zero or non-numeric
    /// size.
    static Result<Clusters> parse(std::string_view text);
    /// Sizes must each be at least 1.
    explicit Clusters(std::vector<int> sizes);

    int count() const { return static_cast<int>(sizes_.size()); }
    int ranks() const { return first_.back(); }
    int size(int cluster) const { return sizes_[static_cast<std::size_t>(cluster)]; }
    /// The lowest rank of `cluster`.
    int first(int cluster) const { return first_[static_cast<std::size_t>(cluster)]; }
    int cluster_of(int rank) const;
    std::span<const int> sizes() const { return sizes_; }
    /// "6+6", as parse reads it.
    std::string text() const;

    bool operator==(const Clusters&) const = default;

  private:
    std::vector<int> sizes_;
    std::vector<int> first_; ///< first_[c] is the lowest rank of c; one more entry holds the total
};

} // namespace alltold
