// SPDX-License-Identifier: BSD-3-Clause
// Reads JSON that people edit: the first thing wrong is kept, with its file and path.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace alltold {

/// Which numbers a field takes, and how to say so.
struct NumberRange {
    const char* unit = "";   ///< "seconds", "bytes"; empty for a plain number
    double least = 0;        ///< smallest number allowed
    bool above_only = false; ///< `least` itself is not allowed
    bool whole = false;      ///< a whole number that fits an int
};
inline constexpr NumberRange any_number{"", -std::numeric_limits<double>::infinity()};
inline constexpr NumberRange in_seconds{"seconds", 0};
inline constexpr NumberRange seconds_above_zero{"seconds", 0, true};
inline constexpr NumberRange in_seconds_per_byte{"seconds per byte", 0, true};
inline constexpr NumberRange in_bytes{"bytes", 0};
inline constexpr NumberRange from_zero{"", 0};
inline constexpr NumberRange above_zero{"", 0, true};
inline constexpr NumberRange from_one{"", 1};

/// A place in a JSON document. After something was wrong, readers return defaults; ask `error()`
/// of the document once at the end.
class JsonCursor {
  public:
    /// The root of `text`; malformed JSON is the first error. `file` names it in errors.
    static JsonCursor parse(std::string_view text, std::string file);

    /// The first thing wrong anywhere in the document: "net.json: /local/alpha_s/value: ...".
    const std::optional<Error>& error() const { return document_->error; }
    /// As given to parse().
    const std::string& file() const { return document_->file; }
    /// Records `what` at this place unless something was wrong before.
    void complain(std::string_view what);

    /// Puts what was parsed of this place's text `into` place, or complains.
    template <typename T>
    void take(Result<T> parsed, T& into) {
        if (parsed)
            into = std::move(*parsed);
        else
            complain(parsed.error().message);
    }

    /// A member that must be there. Says so when it is there under another unit.
    JsonCursor member(const std::string& key);
    std::optional<JsonCursor> optional_member(const std::string& key);
    /// Complains about members of any other name.
    void only(const std::vector<std::string>& keys);

    std::vector<JsonCursor> items();
    double number(const NumberRange& range);
    int whole_number(int least);
    /// Without what a terminal would obey.
    std::string text();
    bool boolean();

  private:
    struct Document {
        std::string file;
        nlohmann::json root;
        std::optional<Error> error;
    };
    JsonCursor(std::shared_ptr<Document> document, const nlohmann::json* value, std::string path);
    /// Complains unless the value is of the type `wanted` describes.
    bool expect(bool right, std::string_view wanted);
    const nlohmann::json* find(const std::string& key);

    std::shared_ptr<Document> document_;
    const nlohmann::json* value_; ///< null where something was wrong on the way here
    std::string path_;
};

} // namespace alltold
