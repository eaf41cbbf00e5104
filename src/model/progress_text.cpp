#include "model/progress_text.hpp"

#include <optional>
#include <string_view>

namespace tideline::model {
namespace {

constexpr std::string_view kBlanks = " \t\n\r";

// The parts of a span between commas that are not inside parentheses or brackets.
std::vector<support::SourceSpan> split(std::string_view text, support::SourceSpan span) {
    std::vector<support::SourceSpan> pieces;
    std::uint32_t begin = span.begin;
    int depth = 0;
    for (std::uint32_t i = span.begin; i < span.end; ++i) {
        if (text[i] == '(' || text[i] == '[') ++depth;
        if (text[i] == ')' || text[i] == ']') --depth;
        if (text[i] != ',' || depth > 0) continue;
        pieces.push_back({begin, i});
        begin = i + 1;
    }
    pieces.push_back({begin, span.end});
    return pieces;
}

// What is inside the parentheses of "product(...)", up to the end of the piece where they are not closed; nothing where
// the piece is something else.
std::optional<support::SourceSpan> product_parts(std::string_view text, support::SourceSpan piece) {
    constexpr std::string_view kName = "product";
    const std::string_view whole = text.substr(0, piece.end);
    const std::size_t name = whole.find_first_not_of(kBlanks, piece.begin);
    if (name == std::string_view::npos || whole.substr(name, kName.size()) != kName) return std::nullopt;
    const std::size_t open = whole.find_first_not_of(kBlanks, name + kName.size());
    if (open == std::string_view::npos || whole[open] != '(') return std::nullopt;
    std::size_t close = open + 1;
    for (int depth = 1; close < whole.size(); ++close) {
        depth += whole[close] == '(' ? 1 : whole[close] == ')' ? -1 : 0;
        if (depth == 0) break;
    }
    if (close < whole.size() && close != whole.find_last_not_of(kBlanks)) return std::nullopt;
    return support::SourceSpan{static_cast<std::uint32_t>(open + 1), static_cast<std::uint32_t>(close)};
}

}  // namespace

support::Result<std::vector<ProgressText>> cut_progress_text(const support::SourceText& source,
                                                             support::SourceSpan span) {
    std::vector<ProgressText> components;
    for (const support::SourceSpan piece : split(source.text(), span)) {
        const std::optional<support::SourceSpan> product = product_parts(source.text(), piece);
        if (product && product->end == piece.end)
            return support::diagnostic_at(source, {product->begin - 1, product->begin},
                                          "this parenthesis is not closed", "expected product(EXPR[,EXPR...])");
        ProgressText component{product ? split(source.text(), *product) : std::vector{piece}, product.has_value()};
        for (const support::SourceSpan part : component.parts)
            if (source.text(part).find_first_not_of(kBlanks) == std::string_view::npos)
                return support::diagnostic_at(source, part, "a component of the measure is empty",
                                              "expected EXPR[,EXPR...]");
        components.push_back(std::move(component));
    }
    return components;
}

}  // namespace tideline::model
