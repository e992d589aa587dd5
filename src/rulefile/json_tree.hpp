// SPDX-License-Identifier: BSD-3-Clause
// JSON with its lines, members in their order, and repeated members kept.
#pragma once

#include <vector>

#include "core/result.hpp"

namespace alltold::rulefile {

/// One value of a document.
struct JsonTree {
    enum class Kind : std::uint8_t { object, array, text, number, other };
    struct Member;

    Kind kind = Kind::other;
    int line = 1;
    std::string text; ///< of a text without quotes, of a number or another word as written
    std::vector<Member> members; ///< of an object
    std::vector<JsonTree> items; ///< of an array

    /// Null where there is none; the last of several, as libraries take it.
    const JsonTree* find(std::string_view key) const;
};

struct JsonTree::Member {
    int line = 1;
    std::string key;
    JsonTree value;
};

/// Fails at the first thing that is no JSON; `line` is then its line.
Result<JsonTree> read_json(std::string_view text, int& line);

} // namespace alltold::rulefile
