#include "progress/measure.hpp"

#include <algorithm>
#include <bit>

#include "model/interval.hpp"
#include "model/parse_expression.hpp"
#include "model/print.hpp"

namespace tideline {
namespace {

constexpr unsigned kKeyBits = 128;

// The parts between commas that are not inside parentheses or brackets.
std::vector<SourceSpan> split(std::string_view text) {
    std::vector<SourceSpan> pieces;
    std::uint32_t begin = 0;
    int depth = 0;
    for (std::uint32_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '[') ++depth;
        if (text[i] == ')' || text[i] == ']') --depth;
        if (text[i] != ',' || depth > 0) continue;
        pieces.push_back({begin, i});
        begin = i + 1;
    }
    pieces.push_back({begin, static_cast<std::uint32_t>(text.size())});
    return pieces;
}

std::string trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\n\r";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

KeyComponent component(const Model& model, Expression expression) {
    const Range range = value_range(model, expression);
    const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
    return {std::move(expression), range.low, static_cast<unsigned>(std::bit_width(span))};
}

unsigned bits(const KeyProgram& program) {
    unsigned sum = 0;
    for (const KeyComponent& part : program.components) sum += part.bits;
    return sum;
}

}  // namespace

Result<Measure> parse_measure(const Model& model, const std::string& text) {
    const SourceText whole("--progress", text);
    Measure measure;
    Diagnostics warnings;
    for (const SourceSpan piece : split(text)) {
        std::string part = trimmed(whole.text(piece));
        if (part.empty()) return diagnostic_at(whole, piece, "a component of the measure is empty", "expected EXPR[,EXPR...]");
        Result<Expression> expression = parse_expression(model, whole, piece, LocationNumbers::allowed);
        if (!expression) return std::move(expression).diagnostics();
        warnings.insert(warnings.end(), expression.diagnostics().begin(), expression.diagnostics().end());
        measure.components.push_back(std::move(part));
        measure.program.components.push_back(component(model, *std::move(expression)));
    }
    if (bits(measure.program) > kKeyBits)
        return diagnostic_at(whole, {0, static_cast<std::uint32_t>(text.size())},
                             "the measure needs " + std::to_string(bits(measure.program)) + " bits, more than " + std::to_string(kKeyBits),
                             "use fewer components, or ones of a smaller range");
    return Result<Measure>(std::move(measure), std::move(warnings));
}

Result<Measure> own_measure(const Model& model) {
    Measure measure;
    for (const Expression& expression : model.progress) {
        measure.components.push_back(to_text(model, expression));
        measure.program.components.push_back(component(model, expression));
    }
    if (bits(measure.program) > kKeyBits)
        return diagnostic_about(model.source.path(), "the model's own progress measure needs more than 128 bits");
    return measure;
}

}  // namespace tideline
