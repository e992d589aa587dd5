// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/matrix.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "core/random.hpp"
#include "core/units.hpp"

namespace alltold {
namespace {

constexpr double times_the_rest = 10;
constexpr double share_of_zeros = 0.8;
constexpr std::array<std::string_view, 3> words{"skewed", "sparse", "random"};

std::vector<double> all_alike(int ranks) {
    const auto n = static_cast<std::size_t>(ranks);
    return std::vector<double>(n * n, 1.);
}

Matrix skewed(int ranks, Random random) {
    const auto n = static_cast<std::size_t>(ranks);
    const auto hot = random.index(n);
    Matrix matrix{
        fmt::format("skewed: {:.0f} m to and from rank {}, m otherwise", times_the_rest, hot),
        all_alike(ranks)};
    for (std::size_t peer = 0; peer < n; ++peer)
        if (peer != hot)
            matrix.weights[hot * n + peer] = matrix.weights[peer * n + hot] = times_the_rest;
    return matrix;
}

Matrix sparse(int ranks, Random random) {
    const auto n = static_cast<std::size_t>(ranks);
    Matrix matrix{
        fmt::format("sparse: 0 for {:.0f} % of the pairs, m for the others", 100 * share_of_zeros),
        all_alike(ranks)};
    std::vector<std::size_t> pairs;
    for (std::size_t at = 0; at < n * n; ++at)
        if (at / n != at % n)
            pairs.push_back(at);
    for (auto i = pairs.size(); i > 1; --i)
        std::swap(pairs[i - 1], pairs[random.index(i)]);
    const auto zeros = std::lround(share_of_zeros * static_cast<double>(pairs.size()));
    for (std::ptrdiff_t i = 0; i < zeros; ++i)
        matrix.weights[pairs[static_cast<std::size_t>(i)]] = 0;
    return matrix;
}

Matrix uniform(int ranks, Random random) {
    Matrix matrix{"random: 0 to 2 m", all_alike(ranks)};
    const auto n = static_cast<std::size_t>(ranks);
    for (std::size_t at = 0; at < n * n; ++at)
        if (at / n != at % n)
            matrix.weights[at] = 2 * random.uniform();
    return matrix;
}

/// One line of a file: as many sizes as there are ranks.
Result<std::vector<double>> row_of(const std::string& line, const std::string& place, int ranks) {
    std::vector<double> sizes;
    std::istringstream in(line);
    for (std::string word; in >> word;) {
        const auto size = parse_size(word);
        if (!size)
            return bad_input(fmt::format("{}: {}", place, size.error().message));
        sizes.push_back(static_cast<double>(*size));
    }
    if (sizes.size() != static_cast<std::size_t>(ranks))
        return bad_input(fmt::format("{}: {} sizes; expected one for each of the {} ranks", place,
                                     sizes.size(), ranks));
    return sizes;
}

} // namespace

Specification Matrix::specification(int ranks, std::uint64_t size_bytes) const {
    std::vector<std::uint64_t> sizes;
    for (const double weight : weights)
        sizes.push_back(
            static_cast<std::uint64_t>(std::llround(weight * static_cast<double>(size_bytes))));
    return Specification::alltoallv(ranks, std::move(sizes));
}

bool is_generated_matrix(std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Result<Matrix> generated_matrix(std::string_view word, int ranks, std::uint64_t seed) {
    const Random random(seed);
    if (word == "skewed")
        return skewed(ranks, random);
    if (word == "sparse")
        return sparse(ranks, random);
    if (word == "random")
        return uniform(ranks, random);
    return bad_input(fmt::format("'{}' is not one of {}", word, fmt::join(words, ", ")));
}

Result<Matrix> parse_matrix(std::string_view text, const std::string& file, int ranks,
                            std::uint64_t& m) {
    Matrix matrix{"sizes of " + file, {}};
    std::istringstream in{std::string(text)};
    int number = 0, rows = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#')
            continue;
        ALLTOLD_TRY(row, row_of(line, fmt::format("{}:{}", file, number), ranks));
        if (++rows > ranks)
            return bad_input(
                fmt::format("{}:{}: too many lines for {} ranks", file, number, ranks));
        matrix.weights.insert(matrix.weights.end(), row->begin(), row->end());
    }
    if (rows < ranks)
        return bad_input(fmt::format("{}: {} lines of sizes; expected one for each of the {} ranks",
                                     file, rows, ranks));
    const double largest = *std::max_element(matrix.weights.begin(), matrix.weights.end());
    if (largest == 0)
        return bad_input(fmt::format("{}: all sizes are 0", file));
    m = static_cast<std::uint64_t>(largest);
    for (auto& weight : matrix.weights)
        weight /= largest;
    return matrix;
}

} // namespace alltold
