// SPDX-License-Identifier: BSD-3-Clause
// Reading the profile at rank 0, and handing it to the others as text.
#include "runtime/network_source.hpp"

#include <cstdlib>

#include "core/text_file.hpp"
#include "network/json/profile_network.hpp"
#include "runtime/mpi/broadcast_text.hpp"

namespace alltold {

using mpi::NamedText;

Result<std::vector<NamedText>> read_profile_text() {
    const char* path = std::getenv("ALLTOLD_PROFILE");
    if (!path || !*path)
        return std::vector<NamedText>();
    auto text = read_text_file(path, "ALLTOLD_PROFILE to name a profile made by 'alltold fit'");
    if (!text)
        return text.error();
    return std::vector<NamedText>{{path, std::move(*text)}};
}

namespace {

const Result<std::vector<NamedText>>& network_sources_once() {
    static const auto read = read_profile_text();
    return read;
}

} // namespace

Result<std::shared_ptr<const Network>> network_of_environment(MPI_Comm comm) {
    const auto texts = mpi::broadcast_texts(network_sources_once, comm);
    if (!texts)
        return texts.error();
    if (texts->empty())
        return std::shared_ptr<const Network>();
    auto network = network_from_profile(texts->front().text, texts->front().name);
    if (!network)
        return network.error();
    return std::make_shared<const Network>(std::move(*network));
}

} // namespace alltold
