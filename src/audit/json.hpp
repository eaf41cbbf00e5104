// Untrusted JSON: what is not as expected is an Objection.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "audit/error.hpp"
#include "support/json_text.hpp"

namespace tideline::audit {

using Json = nlohmann::json;

// Discarded where the text is not JSON. Nor is it where it is nested deeply, as no ledger needs it: printing a value is
// recursive.
inline Json parse_json(const std::string& text) {
    constexpr std::size_t kDeepest = 200;
    if (support::json_depth(text) > kDeepest) return Json(Json::value_t::discarded);
    return Json::parse(text, nullptr, false);
}

// `where` is for the message: "the header", "slot 3 of packing 0".
inline const Json& member(const Json& object, const char* name, const std::string& where) {
    if (!object.is_object() || !object.contains(name)) throw Objection(where + " does not say '" + name + "'");
    return object[name];
}

// The value under this name.
inline std::uint64_t to_natural(const Json& value, const char* name, const std::string& where,
                                std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    const bool possible = value.is_number_unsigned() && value.get<std::uint64_t>() <= most;
    if (!possible) throw Objection(where + " has no possible number as '" + name + "'");
    return value.get<std::uint64_t>();
}

inline std::uint64_t natural(const Json& object, const char* name, const std::string& where,
                             std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    return to_natural(member(object, name, where), name, where, most);
}

inline std::int64_t to_integer(const Json& value, const char* name, const std::string& where) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > kMost;
    if (!value.is_number_integer() || too_large) throw Objection(where + " has no possible number as '" + name + "'");
    return value.get<std::int64_t>();
}

inline bool boolean(const Json& object, const char* name, const std::string& where) {
    const Json& value = member(object, name, where);
    if (!value.is_boolean()) throw Objection(where + " says neither true nor false of '" + name + "'");
    return value.get<bool>();
}

inline std::string text(const Json& object, const char* name, const std::string& where) {
    const Json& value = member(object, name, where);
    if (!value.is_string()) throw Objection(where + " has no text as '" + name + "'");
    return value.get<std::string>();
}

inline const Json& list(const Json& object, const char* name, const std::string& where) {
    const Json& value = member(object, name, where);
    if (!value.is_array()) throw Objection(where + " has no list as '" + name + "'");
    return value;
}

}  // namespace tideline::audit
