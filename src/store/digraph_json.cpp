// SPDX-License-Identifier: BSD-3-Clause
// Reading the matrix of bytes.
#include "store/digraph_json.hpp"

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "network/json/json_cursor.hpp"

namespace alltold {
namespace {

void add_row(MessageDigraph& digraph, int from, JsonCursor row) {
    auto entries = row.items();
    if (static_cast<int>(entries.size()) != digraph.n())
        row.complain(fmt::format("expected {} entries, as many as there are rows, got {}",
                                 digraph.n(), entries.size()));
    if (row.error())
        return;
    for (int to = 0; to < digraph.n(); ++to) {
        auto& entry = entries[static_cast<std::size_t>(to)];
        const double size_bytes = entry.number({"bytes", 0});
        if (entry.error())
            return;
        if (to == from && size_bytes != 0)
            entry.complain("a process sends nothing to itself; expected 0");
        else if (size_bytes > 0)
            digraph.add({from, to, size_bytes});
    }
}

} // namespace

Result<MessageDigraph> load_digraph(const std::filesystem::path& path) {
    ALLTOLD_TRY(text, read_text_file(path, "a JSON matrix of bytes such as [[0, 64], [64, 0]]"));
    auto root = JsonCursor::parse(*text, path.string());
    const auto rows = root.items();
    if (rows.empty())
        root.complain("expected one row per process, got none");
    if (root.error())
        return *root.error();
    MessageDigraph digraph(static_cast<int>(rows.size()));
    for (int from = 0; from < digraph.n(); ++from)
        add_row(digraph, from, rows[static_cast<std::size_t>(from)]);
    if (root.error())
        return *root.error();
    return digraph;
}

} // namespace alltold
