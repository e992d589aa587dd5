// SPDX-License-Identifier: BSD-3-Clause
// Errors of models on points left out, as JSON.
#include "network/json/fields.hpp"

namespace alltold {

using nlohmann::ordered_json;

ordered_json to_json(const std::vector<ModelError>& models) {
    auto list = ordered_json::array();
    for (const auto& model : models)
        list.push_back({{"name", model.name},
                        {"leave_one_out", model.leave_one_out},
                        {"leave_one_out_worst", model.leave_one_out_worst}});
    return list;
}

std::vector<ModelError> read_models(JsonCursor at) {
    std::vector<ModelError> models;
    for (auto item : at.items()) {
        models.push_back({item.member("name").text(),
                          item.member("leave_one_out").number(from_zero),
                          item.member("leave_one_out_worst").number(from_zero)});
        item.only({"name", "leave_one_out", "leave_one_out_worst"});
    }
    return models;
}

} // namespace alltold
