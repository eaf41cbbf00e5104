#include "support/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace tideline::support {
namespace {

constexpr std::size_t kNarrowest = 20;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string_view escape_code(Ink ink) {
    switch (ink) {
        case Ink::bold: return "\x1b[1m";
        case Ink::dim: return "\x1b[2m";
        case Ink::red: return "\x1b[1;31m";
        case Ink::green: return "\x1b[1;32m";
        case Ink::yellow: return "\x1b[1;33m";
        case Ink::cyan: return "\x1b[36m";
    }
    return "";
}

}  // namespace

TerminalTraits terminal_traits(int descriptor, const Environment& environment) {
    TerminalTraits traits;
    traits.terminal = isatty(descriptor) == 1;
    traits.colour = may_colour(traits.terminal, environment);
    traits.utf8 = is_utf8(environment);
    winsize size{};
    if (traits.terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= kNarrowest)
        traits.width = size.ws_col;
    return traits;
}

bool may_colour(bool terminal, const Environment& environment) {
    return terminal && environment.no_color.empty() && !environment.term.empty() && environment.term != "dumb";
}

bool is_utf8(const Environment& environment) {
    const std::string& locale = !environment.lc_all.empty()     ? environment.lc_all
                                : !environment.lc_ctype.empty() ? environment.lc_ctype
                                                                : environment.lang;
    const std::size_t dot = locale.find('.');
    if (dot == std::string::npos) return false;
    std::string codeset;
    for (const char c : locale.substr(dot + 1)) {
        if (c == '@') break;
        if (c != '-') codeset += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return codeset == "utf8";
}

std::string painted(std::string_view text, Ink ink, bool colour) {
    if (!colour || text.empty()) return std::string(text);
    std::string result(escape_code(ink));
    result += text;
    result += "\x1b[0m";
    return result;
}

std::size_t text_width(std::string_view text) {
    std::size_t width = 0;
    for (const char c : text)
        if (!is_continuation(c)) ++width;
    return width;
}

std::string cut_to_width(std::string_view text, std::size_t width, bool utf8) {
    if (text_width(text) <= width) return std::string(text);
    const std::string_view full_ellipsis = utf8 ? "\u2026" : "...";
    const bool room = text_width(full_ellipsis) <= width;
    const std::size_t kept = room ? width - text_width(full_ellipsis) : width;
    std::size_t end = 0;
    for (std::size_t characters = 0; end < text.size(); ++end) {
        if (is_continuation(text[end])) continue;
        if (characters == kept) break;
        ++characters;
    }
    std::string result(text.substr(0, end));
    if (room) result += full_ellipsis;
    return result;
}

std::string one_line(std::string_view text) {
    std::string result;
    bool space = false;
    for (const char c : text) {
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            space = !result.empty();
            continue;
        }
        if (space) result += ' ';
        space = false;
        const auto code = static_cast<unsigned char>(c);
        result += code < 0x20 || code == 0x7F ? '?' : c;
    }
    return result;
}

}  // namespace tideline::support
