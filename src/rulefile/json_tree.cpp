// SPDX-License-Identifier: BSD-3-Clause
// A recursive descent over the text.
#include "rulefile/json_tree.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

namespace alltold::rulefile {
namespace {

constexpr int most_depth = 200; ///< deeper documents are no rules

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::optional<JsonTree> document() {
        auto value = read(0);
        if (!value)
            return std::nullopt;
        space();
        return at_ == text_.size() ? value : fail("the end of the file");
    }

    int line() const { return line_; }
    const std::string& wanted() const { return wanted_; }
    std::string found() const {
        if (at_ == text_.size())
            return "the end of the file";
        return text_[at_] == '\n' ? "the end of the line" : fmt::format("'{}'", text_[at_]);
    }

  private:
    void space() {
        for (; at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])); ++at_)
            line_ += text_[at_] == '\n';
    }

    bool take(char c) {
        space();
        if (at_ == text_.size() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }

    std::nullopt_t fail(std::string wanted) {
        if (wanted_.empty())
            wanted_ = std::move(wanted);
        return std::nullopt;
    }

    std::optional<std::string> quoted() {
        if (!take('"'))
            return fail("a text in quotes");
        std::string result;
        for (; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size() &&
                (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\'))
                ++at_;
            result += text_[at_];
        }
        if (at_ == text_.size() || text_[at_] != '"')
            return fail("a quote at the end of the text");
        ++at_;
        return result;
    }

    std::optional<JsonTree> read(int depth) {
        space();
        JsonTree value;
        value.line = line_;
        if (depth > most_depth)
            return fail("fewer levels");
        if (at_ == text_.size())
            return fail("a value");
        if (text_[at_] == '{')
            return object(std::move(value), depth);
        if (text_[at_] == '[')
            return array(std::move(value), depth);
        if (text_[at_] == '"') {
            auto text = quoted();
            if (!text)
                return std::nullopt;
            value.kind = JsonTree::Kind::text;
            value.text = std::move(*text);
            return value;
        }
        return word(std::move(value));
    }

    std::optional<JsonTree> word(JsonTree value) {
        const auto start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                      text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '.'))
            ++at_;
        value.text = std::string(text_.substr(start, at_ - start));
        const bool number =
            !value.text.empty() && (std::isdigit(static_cast<unsigned char>(value.text.front())) ||
                                    value.text.front() == '-');
        if (!number && value.text != "true" && value.text != "false" && value.text != "null") {
            at_ = start;
            return fail("a value");
        }
        value.kind = number ? JsonTree::Kind::number : JsonTree::Kind::other;
        return value;
    }

    std::optional<JsonTree> object(JsonTree value, int depth) {
        value.kind = JsonTree::Kind::object;
        take('{');
        if (take('}'))
            return value;
        do {
            space();
            JsonTree::Member member;
            member.line = line_;
            auto key = quoted();
            if (!key)
                return std::nullopt;
            if (!take(':'))
                return fail("':' after a key");
            auto inner = read(depth + 1);
            if (!inner)
                return std::nullopt;
            member.key = std::move(*key);
            member.value = std::move(*inner);
            value.members.push_back(std::move(member));
        } while (take(','));
        return take('}') ? std::optional(std::move(value)) : fail("',' or '}'");
    }

    std::optional<JsonTree> array(JsonTree value, int depth) {
        value.kind = JsonTree::Kind::array;
        take('[');
        if (take(']'))
            return value;
        do {
            auto inner = read(depth + 1);
            if (!inner)
                return std::nullopt;
            value.items.push_back(std::move(*inner));
        } while (take(','));
        return take(']') ? std::optional(std::move(value)) : fail("',' or ']'");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::string wanted_;
};

} // namespace

const JsonTree* JsonTree::find(std::string_view key) const {
    const auto found = std::find_if(members.rbegin(), members.rend(),
                                    [&](const Member& member) { return member.key == key; });
    return found == members.rend() ? nullptr : &found->value;
}

Result<JsonTree> read_json(std::string_view text, int& line) {
    Reader reader(text);
    auto document = reader.document();
    line = reader.line();
    if (!document)
        return bad_input(fmt::format("{} where {} belongs", reader.found(), reader.wanted()));
    return std::move(*document);
}

} // namespace alltold::rulefile
