// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the registry is proved: in small, and with ALLTOLD_PROVE_ALL=1 in full.
#include <algorithm>
#include <cstdlib>

#include "proof.hpp"

#include <gtest/gtest.h>

using namespace alltold;

namespace {

constexpr ProofExtent small{.max_ranks = 11, .max_cluster = 7, .matrices = 60, .max_hosts = 4};
const ProofExtent proved = std::getenv("ALLTOLD_PROVE_ALL") ? ProofExtent{} : small;

class EveryAlgorithm : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithm, IsProved) {
    const auto& algorithm = *GetParam();
    for (const auto& share : proof_of(algorithm, proved))
        for (const auto& one : cases_of(share, proved)) {
            const auto& spec = one.specification;
            const auto accepted =
                accepts(algorithm, spec.collective(), spec.ranks(), spec.root(), one.parameters);
            ASSERT_TRUE(accepted) << accepted.error().message;
            const auto fault = prove(algorithm, one);
            ASSERT_FALSE(fault) << algorithm.name << " " << one.text() << ": " << fault->text();
        }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm,
                         testing::ValuesIn(registry().begin(), registry().end()),
                         [](const auto& row) {
                             std::string name(row.param->name);
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

} // namespace
