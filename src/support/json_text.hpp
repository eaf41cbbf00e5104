// JSON as text, for every file and every report: names of files need not be UTF-8; invalid bytes become U+FFFD instead
// of an exception.
#pragma once

#include <string>

namespace tideline::support {

// Of a value of nlohmann's library, in one line or with an indentation.
template <class Json>
std::string to_json_text(const Json& json, int indentation = -1) {
    return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tideline::support
