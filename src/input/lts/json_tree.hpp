// JSON text as a tree whose nodes know where they stand, so that an error in the content can be pointed at.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/budget.hpp"
#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline::input::lts {

struct JsonNode {
    enum class Kind : std::uint8_t { null, boolean, integer, fraction, string, array, object };
    Kind kind = Kind::null;
    support::SourceSpan span;  // of the whole value
    std::int64_t integer = 0;
    std::string text;                // of a string
    std::vector<JsonNode> elements;  // of an array, or the values of an object
    std::vector<JsonNode> keys;      // of an object: a string for each of `elements`

    // The value of an object's key; null where it has none.
    [[nodiscard]] const JsonNode* find(std::string_view key) const;
};

// "a string", "an object", ...
std::string_view to_string(JsonNode::Kind kind);

support::Result<JsonNode> parse_json(const support::SourceText& source, const support::Budget& budget = {});

}  // namespace tideline::input::lts
