// SPDX-License-Identifier: BSD-3-Clause
// Parameters as JSON: each member is named once, for writing and for reading; units are in the
// keys.
#pragma once

#include <type_traits>

#include "network/cost_model.hpp"

namespace alltold {

// Readers return what they could read; the first thing wrong is kept by the document.

/// Ends that are not known (too few values) are infinite: null in JSON.
nlohmann::ordered_json to_json(const Estimate& estimate);
Estimate read_estimate(JsonCursor at, const NumberRange& range);
inline void from_json(JsonCursor at, Estimate& estimate, const NumberRange& range) {
    estimate = read_estimate(std::move(at), range);
}

/// Points in order of size, {size_bytes, time_s}, time_s being an estimate.
nlohmann::ordered_json to_json(const SizeCurve& curve);
void from_json(JsonCursor at, SizeCurve& curve);
/// A curve without which nothing can be predicted.
void from_json(JsonCursor at, SizeCurve& curve, bool required);

/// The members of an object, written or read by a function of its type, which is no member of an
/// anonymous namespace, so that it is found:
///     static void members(JsonMembers& json, Link& link) {
///         json("latency_s", link.latency_s, in_seconds);
///     }
class JsonMembers {
  public:
    JsonMembers() = default; ///< writes
    explicit JsonMembers(JsonCursor at) : from_(std::move(at)) {}

    /// `of` is what a reader needs: the range of a number, the least whole one.
    template <typename T, typename... Of>
    void operator()(const char* key, T& value, const Of&... of);
    /// Left out where it is as `usual`.
    template <typename T, typename... Of>
    void unless(const T& usual, const char* key, T& value, const Of&... of);
    /// Left out where there is none.
    template <typename T>
    void operator()(const char* key, std::optional<T>& value);
    /// Always written, but younger than some profiles.
    template <typename T, typename... Of>
    void younger(const char* key, T& value, const Of&... of);
    /// A member of its own kind; one that may be missing is left out where `write` gives null.
    template <typename Write, typename Read>
    void part(const char* key, Write&& write, Read&& read, bool may_miss = false);
    /// Variance, covariance, variance.
    void covariance(std::array<double, 3>& values, const std::array<const char*, 3>& names);

    bool reads() const { return from_.has_value(); }
    nlohmann::ordered_json&& written() && { return std::move(json_); }
    /// After reading: complains about all that was not named.
    void only_these() { from_->only(keys_); }

  private:
    std::optional<JsonCursor> from_;
    nlohmann::ordered_json json_;
    std::vector<std::string> keys_;
};

template <typename T>
nlohmann::ordered_json as_json(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
        return value;
    } else if constexpr (requires { to_json(value); }) {
        return to_json(value);
    } else {
        JsonMembers json;
        members(json, const_cast<T&>(value)); // which only reads it
        return std::move(json).written();
    }
}
template <typename T>
nlohmann::ordered_json as_json(const std::vector<T>& values) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& value : values)
        list.push_back(as_json(value));
    return list;
}

template <typename T, typename... Of>
void read_json(JsonCursor at, T& value, const Of&... of) {
    if constexpr (std::is_same_v<T, double>) {
        value = at.number(of...);
    } else if constexpr (std::is_same_v<T, int>) {
        value = at.whole_number(of...);
    } else if constexpr (std::is_same_v<T, bool>) {
        value = at.boolean();
    } else if constexpr (std::is_same_v<T, std::string>) {
        value = at.text();
    } else if constexpr (requires { from_json(at, value, of...); }) {
        from_json(std::move(at), value, of...);
    } else {
        JsonMembers json(std::move(at));
        members(json, value);
        json.only_these();
    }
}
template <typename T, typename... Of>
void read_json(JsonCursor at, std::vector<T>& values, const Of&... of) {
    for (auto& item : at.items())
        read_json(std::move(item), values.emplace_back(), of...);
}

template <typename T, typename... Of>
void JsonMembers::operator()(const char* key, T& value, const Of&... of) {
    part(
        key, [&] { return as_json(value); },
        [&](JsonCursor at) { read_json(std::move(at), value, of...); });
}
template <typename T, typename... Of>
void JsonMembers::unless(const T& usual, const char* key, T& value, const Of&... of) {
    part(
        key, [&] { return value == usual ? nlohmann::ordered_json() : as_json(value); },
        [&](JsonCursor at) { read_json(std::move(at), value, of...); }, true);
}
template <typename T>
void JsonMembers::operator()(const char* key, std::optional<T>& value) {
    part(
        key, [&] { return value ? as_json(*value) : nlohmann::ordered_json(); },
        [&](JsonCursor at) { read_json(std::move(at), value.emplace()); }, true);
}
template <typename T, typename... Of>
void JsonMembers::younger(const char* key, T& value, const Of&... of) {
    part(
        key, [&] { return as_json(value); },
        [&](JsonCursor at) { read_json(std::move(at), value, of...); }, true);
}
template <typename Write, typename Read>
void JsonMembers::part(const char* key, Write&& write, Read&& read, bool may_miss) {
    keys_.emplace_back(key);
    if (!from_) {
        if (auto value = write(); !may_miss || !value.is_null())
            json_[key] = std::move(value);
    } else if (may_miss) {
        if (const auto at = from_->optional_member(key))
            read(*at);
    } else {
        read(from_->member(key));
    }
}

/// How a row keeps one member of Network, an optional one.
template <auto parameters>
ParameterField parameter_field(std::string_view key) {
    return {key,
            [](const Network& network) {
                return network.*parameters ? as_json(*(network.*parameters))
                                           : nlohmann::ordered_json();
            },
            [](Network& network, JsonCursor at) {
                read_json(std::move(at), (network.*parameters).emplace());
            }};
}

inline void members(JsonMembers& json, ModelError& error) {
    json("name", error.name);
    json("leave_one_out", error.leave_one_out, from_zero);
    json("leave_one_out_worst", error.leave_one_out_worst, from_zero);
}

} // namespace alltold
