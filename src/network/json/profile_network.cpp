// SPDX-License-Identifier: BSD-3-Clause
#include "network/json/profile_network.hpp"

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "network/cost_model.hpp"

namespace alltold {

Result<std::string> read_profile_file(const std::filesystem::path& path, std::string_view wanted) {
    return read_text_file(path, wanted, most_profile_bytes);
}

JsonCursor profile_root(std::string_view text, const std::string& file) {
    auto root = JsonCursor::parse(text, file);
    if (auto format = root.member("format"); format.text() != profile_format)
        format.complain(fmt::format("expected \"{}\"; this is not a profile", profile_format));
    if (auto version = root.member("version"); !root.error()) {
        const int number = version.whole_number(1);
        if (number != profile_version)
            version.complain(fmt::format("another version than {}, which this alltold reads; make "
                                         "the profile again with 'alltold fit'",
                                         profile_version));
    }
    return root;
}

std::vector<std::string> read_parameters(JsonCursor root, Network& network) {
    std::vector<std::string> keys;
    for (const auto* model : cost_models())
        for (const auto& field : model->fields) {
            keys.emplace_back(field.key);
            if (const auto parameters = root.optional_member(keys.back()))
                field.read(network, *parameters);
        }
    return keys;
}

Result<Network> network_of_profile(JsonCursor root) {
    Network network;
    if (!root.error())
        read_parameters(root, network);
    if (root.error())
        return *root.error();
    return network;
}

} // namespace alltold
