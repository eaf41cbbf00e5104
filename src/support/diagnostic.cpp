#include "support/diagnostic.hpp"

#include <algorithm>
#include <cctype>

namespace tideline::support {
namespace {

constexpr std::size_t kExcerptWidth = 120;
constexpr std::size_t kQuotedWidth = 40;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

char printable(char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u < 0x20 && c != '\t') || u == 0x7F ? '?' : c;
}

// The part of a line around bytes [begin, end) to show, and the carets for it.
struct Excerpt {
    std::string text;
    std::string caret;
};

Excerpt excerpt_around(std::string_view line, std::size_t begin, std::size_t end) {
    std::size_t from = 0;
    std::size_t to = line.size();
    if (line.size() > kExcerptWidth) {
        from = begin > kExcerptWidth / 2 ? begin - kExcerptWidth / 2 : 0;
        to = std::min(line.size(), from + kExcerptWidth);
        while (from > 0 && is_continuation(line[from])) --from;
        while (to < line.size() && is_continuation(line[to])) ++to;
    }
    Excerpt result;
    if (from > 0) {
        result.text = "...";
        result.caret = "   ";
    }
    for (std::size_t i = from; i < to; ++i) {
        result.text += printable(line[i]);
        if (i < begin && !is_continuation(line[i])) result.caret += line[i] == '\t' ? '\t' : ' ';
    }
    if (to < line.size()) result.text += "...";
    std::size_t carets = 0;
    for (std::size_t i = begin; i < std::min(end, to); ++i)
        if (!is_continuation(line[i])) ++carets;
    result.caret.append(std::max<std::size_t>(carets, 1), '^');
    return result;
}

bool same_letter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Damerau-Levenshtein distance: letters inserted, deleted, replaced or swapped with their neighbour; case is ignored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_previous(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                current[j] = std::min(current[j], before_previous[j - 2] + 1);
        }
        std::swap(before_previous, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

}  // namespace

Diagnostic diagnostic_at(const SourceText& source, SourceSpan span, std::string message, std::string hint,
                         Severity severity) {
    Diagnostic result;
    result.severity = severity;
    result.file = source.path();
    result.position = source.position(span.begin);
    const std::string_view line = source.line(result.position.line);
    const auto line_offset = static_cast<std::size_t>(line.data() - source.text().data());
    const std::size_t begin =
        std::min<std::size_t>(span.begin - std::min<std::size_t>(span.begin, line_offset), line.size());
    const std::size_t length = span.end > span.begin ? span.end - span.begin : 1;
    Excerpt excerpt = excerpt_around(line, begin, std::min(line.size(), begin + length));
    result.excerpt = std::move(excerpt.text);
    result.caret = std::move(excerpt.caret);
    result.message = std::move(message);
    result.hint = std::move(hint);
    return result;
}

Diagnostic diagnostic_of_stop(std::string file, StopReason reason, const std::string& work) {
    Diagnostic result = diagnostic_about(std::move(file), "stopped while " + work);
    result.hint = reason == StopReason::interrupted ? "an interrupt"
                                                    : "the limit on " + std::string(to_string(reason)) + " is reached";
    result.stop = reason;
    return result;
}

StopReason stop_reason(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics)
        if (diagnostic.stop != StopReason::none) return diagnostic.stop;
    return StopReason::none;
}

Diagnostic diagnostic_about(std::string file, std::string message, std::string hint) {
    Diagnostic result;
    result.file = std::move(file);
    result.message = std::move(message);
    result.hint = std::move(hint);
    return result;
}

std::string to_text(const Diagnostic& diagnostic) {
    std::string text = diagnostic.file.empty() ? "tideline" : diagnostic.file;
    const bool located = diagnostic.position.line > 0;
    if (located)
        text += ':' + std::to_string(diagnostic.position.line) + ':' + std::to_string(diagnostic.position.column);
    text += diagnostic.severity == Severity::error ? ": error: " : ": warning: ";
    text += diagnostic.message + '\n';
    if (located) text += "  " + diagnostic.excerpt + "\n  " + diagnostic.caret + '\n';
    if (!diagnostic.hint.empty()) text += "  " + diagnostic.hint + '\n';
    return text;
}

std::string closest_name(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.size() > 64) return {};
    std::size_t best = word.size() <= 2 ? 1 : word.size() <= 6 ? 2 : 3;
    std::string found;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > 64) continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best || (distance == best && found.empty() && distance < word.size())) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string close = closest_name(word, candidates);
    return close.empty() ? std::string() : "did you mean '" + close + "'?";
}

std::string in_quotes(std::string_view text) {
    std::size_t end = std::min(text.size(), kQuotedWidth);
    // Do not split a multi-byte character.
    while (end > 0 && end < text.size() && is_continuation(text[end])) --end;
    std::string result = "'";
    for (char c : text.substr(0, end)) result += c == '\t' ? ' ' : printable(c);
    return result + (end < text.size() ? "...'" : "'");
}

}  // namespace tideline::support
