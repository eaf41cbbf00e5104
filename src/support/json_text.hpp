// JSON as text, for every file and every report: names of files need not be UTF-8; invalid bytes become U+FFFD instead
// of an exception.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tideline::support {

// Of a value of nlohmann's library, in one line or with an indentation.
template <class Json>
std::string to_json_text(const Json& json, int indentation = -1) {
    return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

// How deeply arrays and objects are nested in a text, which need not be JSON. To ask before a text from outside is
// parsed, since destroying and printing a value descend into it. (A callback of nlohmann's parser could count as well,
// but with one the parser looks at all elements of an array whenever an object in it ends: 8 s for 100,000 objects.)
inline std::size_t json_depth(std::string_view text) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            else if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return deepest;
}

}  // namespace tideline::support
