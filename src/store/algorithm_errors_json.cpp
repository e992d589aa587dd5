// SPDX-License-Identifier: BSD-3-Clause
// Errors of models on calls of alltold's algorithms, as JSON.
#include "schedule/algorithms/algorithm.hpp"
#include "store/profile_fields.hpp"

namespace alltold {

using nlohmann::ordered_json;

ordered_json to_json(const std::vector<AlgorithmErrors>& errors) {
    auto list = ordered_json::array();
    for (const auto& [algorithm, several_clusters, calls, models] : errors)
        list.push_back({{"algorithm", algorithm},
                        {"on", clusters_word(several_clusters)},
                        {"calls", calls},
                        {"models", to_json(models)}});
    return list;
}

std::vector<AlgorithmErrors> read_algorithm_errors(JsonCursor at) {
    std::vector<AlgorithmErrors> errors;
    for (auto item : at.items()) {
        AlgorithmErrors one;
        auto algorithm = item.member("algorithm");
        one.algorithm = algorithm.text();
        if (const auto known = find_algorithm(one.algorithm); !known)
            algorithm.complain(known.error().message);
        one.several_clusters = read_several_clusters(item.member("on"));
        one.calls = item.member("calls").whole_number(1);
        one.models = read_models(item.member("models"));
        item.only({"algorithm", "on", "calls", "models"});
        errors.push_back(std::move(one));
    }
    return errors;
}

} // namespace alltold
