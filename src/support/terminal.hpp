// What an output stream can show, and text adapted to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tideline::support {

// The variables of the environment that matter here, empty where not set. The program fills it in; the library does not
// read the environment.
struct Environment {
    std::string no_color;
    std::string term;
    std::string lc_all;
    std::string lc_ctype;
    std::string lang;
};

struct TerminalTraits {
    bool terminal = false;
    bool colour = false;
    bool utf8 = false;
    std::size_t width = 80;
};

// Of an open file, by its descriptor.
TerminalTraits terminal_traits(int descriptor, const Environment& environment);

// Whether colours may be used: on a terminal that is not dumb, unless NO_COLOR has a value.
bool may_colour(bool terminal, const Environment& environment);

// Whether the locale's characters are written in UTF-8.
bool is_utf8(const Environment& environment);

enum class Ink : unsigned char { bold, dim, red, green, yellow, cyan };

// The text in a colour, or as it is.
std::string painted(std::string_view text, Ink ink, bool colour);

// The number of characters of a text in UTF-8 (without escape sequences).
std::size_t text_width(std::string_view text);

// At most `width` characters, the end replaced by an ellipsis where some are left out.
std::string cut_to_width(std::string_view text, std::size_t width, bool utf8);

// Runs of white space become one space; control characters, which could steer a terminal, become question marks.
std::string one_line(std::string_view text);

}  // namespace tideline::support
