// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/schedule.hpp"

#include <fmt/format.h>

namespace alltold {
namespace {

constexpr std::string_view kinds[] = {"send", "receive", "signal", "await",
                                      "copy", "combine", "join"};

std::string text_of(const Region& region) {
    return fmt::format("{}[{}..{}]", name_of(region.buffer), region.offset_bytes,
                       region.end_bytes() - 1);
}

} // namespace

std::string_view name_of(Kind kind) {
    return kinds[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Buffer buffer) {
    return buffer == Buffer::send ? "send" : buffer == Buffer::receive ? "receive" : "scratch";
}

std::string text_of(const Operation& operation) {
    switch (operation.kind) {
    case Kind::send:
        return fmt::format("send {} to {}{}", text_of(operation.region), operation.peer,
                           operation.synchronous ? ", synchronously" : "");
    case Kind::receive:
        return fmt::format("receive {} from {}", text_of(operation.region), operation.peer);
    case Kind::signal:
        return fmt::format("signal {}", operation.peer);
    case Kind::await:
        return fmt::format("await signal of {}", operation.peer);
    case Kind::copy:
        if (operation.rows == 1)
            return fmt::format("copy {} to {}", text_of(operation.region),
                               text_of(operation.target));
        return fmt::format("copy {} rows from {} every {:+} to {} every {:+}", operation.rows,
                           text_of(operation.region), operation.region_stride_bytes,
                           text_of(operation.target), operation.target_stride_bytes);
    case Kind::combine:
        return fmt::format("combine {} with {}", text_of(operation.region),
                           text_of(operation.target));
    case Kind::join:
        return "join";
    }
    return "";
}

} // namespace alltold
