#include "input/dve/progress_comments.hpp"

#include <string_view>

#include "model/parse_expression.hpp"

namespace tideline::dve {

Diagnostics read_progress_comments(Model& model) {
    constexpr std::string_view kWords = "// tideline progress:";
    Diagnostics told;
    const std::string_view text = model.source.text();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t first = text.substr(0, end).find_first_not_of(" \t", begin);
        if (first != std::string_view::npos && text.substr(first, end - first).starts_with(kWords)) {
            const SourceSpan span{static_cast<std::uint32_t>(first + kWords.size()), static_cast<std::uint32_t>(end)};
            Result<Expression> expression = parse_expression(model, model.source, span, LocationNumbers::allowed);
            told.insert(told.end(), expression.diagnostics().begin(), expression.diagnostics().end());
            if (expression) model.progress.push_back(*std::move(expression));
        }
        begin = end + 1;
    }
    return told;
}

}  // namespace tideline::dve
