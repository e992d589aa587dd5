// SPDX-License-Identifier: BSD-3-Clause
// Made while nlohmann-json reads the text, since its values know neither lines nor repeated names.
#include "rulefile/json_tree.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace alltold::rulefile {
namespace {

using nlohmann::json;

constexpr std::size_t most_depth = 200; ///< deeper documents are no rules

/// A place in the text, which tells how far the reader has come.
struct TextPlace {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    const char** read;

    reference operator*() const { return *at; }
    TextPlace& operator++() {
        *read = ++at;
        return *this;
    }
    bool operator==(const TextPlace& other) const { return at == other.at; }
};

class Reader : public nlohmann::json_sax<json> {
  public:
    explicit Reader(std::string_view text) : read_(text.data()), counted_(text.data()) {
        json::sax_parse(TextPlace{text.data(), &read_},
                        TextPlace{text.data() + text.size(), &read_}, this);
    }

    bool null() override { return add(JsonTree::Kind::other, "null"); }
    bool boolean(bool value) override {
        return add(JsonTree::Kind::other, value ? "true" : "false");
    }
    bool number_integer(std::int64_t value) override { return number(fmt::to_string(value)); }
    bool number_unsigned(std::uint64_t value) override { return number(fmt::to_string(value)); }
    bool number_float(double, const std::string& written) override { return number(written); }
    bool string(std::string& value) override { return add(JsonTree::Kind::text, value); }
    bool binary(json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(JsonTree::Kind::object); }
    bool start_array(std::size_t) override { return open(JsonTree::Kind::array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override {
        open_.back()->members.push_back({line(), name, {}});
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
        const std::string_view said = error.what(); // "[...] parse error at line 1, column 2: ..."
        const auto at = said.find(": ");
        wrong = said.substr(at == said.npos ? 0 : at + 2);
        return false;
    }

    /// The line of the last character that was read; behind a number the reader has seen one more.
    int line() {
        for (; counted_ + 1 < read_; ++counted_)
            line_ += *counted_ == '\n';
        return line_;
    }

    JsonTree root;
    std::string wrong; ///< why it is no JSON

  private:
    JsonTree& place() {
        if (open_.empty())
            return root;
        auto& around = *open_.back();
        return around.kind == JsonTree::Kind::object ? around.members.back().value
                                                     : around.items.emplace_back();
    }
    bool add(JsonTree::Kind kind, std::string text) {
        auto& value = place();
        value.kind = kind;
        value.line = line();
        value.text = std::move(text);
        return true;
    }
    bool number(std::string written) { return add(JsonTree::Kind::number, std::move(written)); }
    bool open(JsonTree::Kind kind) {
        if (open_.size() == most_depth)
            wrong = fmt::format("more than {} levels", most_depth);
        auto& value = place();
        value.kind = kind;
        value.line = line();
        open_.push_back(&value);
        return wrong.empty();
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const char* read_;
    const char* counted_;
    int line_ = 1;
    std::vector<JsonTree*> open_; ///< what is being read is in the last of them
};

} // namespace

const JsonTree* JsonTree::find(std::string_view key) const {
    const auto found = std::find_if(members.rbegin(), members.rend(),
                                    [&](const Member& member) { return member.key == key; });
    return found == members.rend() ? nullptr : &found->value;
}

Result<JsonTree> read_json(std::string_view text, int& line) {
    Reader reader(text);
    line = reader.line();
    if (!reader.wrong.empty())
        return bad_input(reader.wrong);
    return std::move(reader.root);
}

} // namespace alltold::rulefile
