// SPDX-License-Identifier: BSD-3-Clause
#include "network/json/json_cursor.hpp"

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"

namespace alltold {
namespace {

using nlohmann::json;

/// "a string", "the number -3": what a field holds, for an error.
std::string description(const json& value) {
    if (value.is_number())
        return value.dump();
    if (value.is_string())
        return "a string";
    if (value.is_boolean())
        return "true or false";
    if (value.is_null())
        return "null";
    return value.is_array() ? "an array" : "an object";
}

std::string description(const NumberRange& range) {
    std::string text = range.whole ? "a whole number" : "a number";
    if (*range.unit)
        text += fmt::format(" of {}", range.unit);
    if (std::isfinite(range.least))
        text += fmt::format(" {} {}", range.above_only ? ">" : ">=", range.least);
    return text;
}

/// "alpha_" of "alpha_s": the part of a key before its unit, or nothing when it has none.
std::string_view stem(std::string_view key) {
    for (const std::string_view unit : {"s_per_byte", "s", "bytes"})
        if (key.size() > unit.size() && key.ends_with(unit) &&
            key[key.size() - unit.size() - 1] == '_')
            return key.substr(0, key.size() - unit.size());
    return {};
}

/// "line 3, column 5: " of the text's byte, which counts from 1.
std::string place_of(std::string_view text, std::size_t byte) {
    const auto before = text.substr(0, std::max<std::size_t>(byte, 1) - 1);
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    return fmt::format("line {}, column {}: ", line, before.size() - start + 1);
}

/// Says in our words why text is no JSON: the library's are
/// "[json.exception...] parse error at line 3, column 5: syntax error while parsing value - ...".
std::string what_is_broken(std::string_view text, const json::exception& error) {
    if (text.find_first_not_of(" \t\r\n") == text.npos)
        return "the file is empty";
    const std::string_view said = error.what();
    const auto* parsing = dynamic_cast<const json::parse_error*>(&error);
    const auto place = parsing ? place_of(text, parsing->byte) : std::string();
    constexpr auto in_string = "in a string: end it with \" in its line; \\ stands before n, t, u, "
                               "\" and \\ only";
    for (const auto& [part, words] : std::initializer_list<std::pair<const char*, const char*>>{
             {"end of input", "the text ends before a bracket, brace or quote is closed"},
             {"UTF-8", "a string is not UTF-8"},
             {"invalid string", in_string},
             {"out_of_range", "a number is too large"},
             {"invalid number", "a number is not complete"},
             {"parsing object key", "expected a name in double quotes"},
             {"parsing object separator", "expected ':' after a name"},
             {"parsing object", "expected ',' or '}' after a value"},
             {"parsing array", "expected ',' or ']' after a value"},
             {"parsing value", "expected a value, such as 1, \"text\", true, null, [ or {"}})
        if (said.find(part) != said.npos)
            return place + words;
    return place + "expected one JSON value";
}

/// Builds a document in one pass, and finds the first name that appears twice in one object, of
/// which json::parse keeps the last. (A callback of json::parse would take time that grows with the
/// square of an array's length.)
class Builder : public nlohmann::json_sax<json> {
  public:
    Builder(std::string_view text, json& root) : text_(text), root_(root) {}

    std::optional<std::string> broken; ///< why the text is no JSON
    std::optional<std::string> twice;

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(std::int64_t value) override { return add(value); }
    bool number_unsigned(std::uint64_t value) override { return add(value); }
    bool number_float(double value, const std::string&) override { return add(value); }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(json::binary_t& value) override { return add(std::move(value)); }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override {
        const auto [at, added] = around_.back()->get_ref<json::object_t&>().try_emplace(name);
        if (!added && !twice)
            twice = name;
        member_ = &at->second;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
        broken = what_is_broken(text_, error);
        return false;
    }

  private:
    json& put(json value) {
        if (around_.empty())
            return root_ = std::move(value);
        if (around_.back()->is_array())
            return around_.back()->emplace_back(std::move(value));
        return *member_ = std::move(value);
    }
    bool add(json value) {
        put(std::move(value));
        return true;
    }
    bool open(json value) {
        around_.push_back(&put(std::move(value)));
        return true;
    }
    bool close() {
        around_.pop_back();
        return true;
    }

    std::string_view text_;
    json& root_;
    json* member_ = nullptr;
    std::vector<json*> around_; ///< the arrays and objects around; only the last one grows
};

} // namespace

JsonCursor::JsonCursor(std::shared_ptr<Document> document, const json* value, std::string path)
    : document_(std::move(document)), value_(value), path_(std::move(path)) {}

JsonCursor JsonCursor::parse(std::string_view text, std::string file) {
    auto document = std::make_shared<Document>();
    document->file = std::move(file);
    Builder builder(text, document->root);
    json::sax_parse(text, &builder);
    if (builder.broken) {
        document->error =
            bad_input(fmt::format("{}: not valid JSON: {}", document->file, *builder.broken));
        return {document, nullptr, ""};
    }
    if (builder.twice)
        document->error = bad_input(
            fmt::format("{}: '{}' appears twice in one object", document->file, *builder.twice));
    const json* root = &document->root;
    return {std::move(document), root, ""};
}

void JsonCursor::complain(std::string_view what) {
    if (!document_->error)
        document_->error = bad_input(
            fmt::format("{}: {}: {}", document_->file, path_.empty() ? "/" : path_, what));
}

bool JsonCursor::expect(bool right, std::string_view wanted) {
    if (!right)
        complain(fmt::format("expected {}, got {}", wanted, description(*value_)));
    return right;
}

const json* JsonCursor::find(const std::string& key) {
    if (!value_ || !expect(value_->is_object(), "an object"))
        return nullptr;
    const auto found = value_->find(key);
    return found == value_->end() ? nullptr : &*found;
}

JsonCursor JsonCursor::member(const std::string& key) {
    const auto* found = find(key);
    JsonCursor cursor(document_, found, path_ + "/" + key);
    if (found || !value_)
        return cursor;
    if (const auto name = stem(key); !name.empty() && value_->is_object())
        for (const auto& [other, ignored] : value_->items())
            if (other.starts_with(name) && other != key)
                cursor.complain(
                    fmt::format("missing; '{}' has another unit, use '{}'", other, key));
    cursor.complain("missing");
    return cursor;
}

std::optional<JsonCursor> JsonCursor::optional_member(const std::string& key) {
    const auto* found = find(key);
    if (!found)
        return std::nullopt;
    return JsonCursor(document_, found, path_ + "/" + key);
}

void JsonCursor::only(const std::vector<std::string>& keys) {
    if (!value_ || !value_->is_object())
        return;
    for (const auto& [key, ignored] : value_->items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            complain(
                fmt::format("unknown field '{}'; the fields are {}", key, fmt::join(keys, ", ")));
}

std::vector<JsonCursor> JsonCursor::items() {
    std::vector<JsonCursor> cursors;
    if (value_ && expect(value_->is_array(), "an array"))
        for (const auto& item : *value_)
            cursors.push_back({document_, &item, fmt::format("{}/{}", path_, cursors.size())});
    return cursors;
}

double JsonCursor::number(const NumberRange& range) {
    if (!value_ || !expect(value_->is_number(), description(range)))
        return 0;
    const double number = value_->get<double>();
    const bool inside = range.above_only ? number > range.least : number >= range.least;
    const bool whole = number == std::floor(number) && std::abs(number) < 2e9;
    expect(std::isfinite(number) && inside && (whole || !range.whole), description(range));
    return number;
}

int JsonCursor::whole_number(int least) {
    const double value = number({"", static_cast<double>(least), false, true});
    return error() ? 0 : static_cast<int>(value);
}

std::string JsonCursor::text() {
    return value_ && expect(value_->is_string(), "a string")
               ? plain_text(value_->get_ref<const std::string&>())
               : "";
}

bool JsonCursor::boolean() {
    return value_ && expect(value_->is_boolean(), "true or false") && value_->get<bool>();
}

} // namespace alltold
