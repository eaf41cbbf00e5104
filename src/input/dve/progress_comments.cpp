#include "input/dve/progress_comments.hpp"

#include <string_view>

#include "model/parse_expression.hpp"
#include "model/progress_text.hpp"

namespace tideline::input::dve {

support::Diagnostics read_progress_comments(model::Model& model) {
    constexpr std::string_view kWords = "// tideline progress:";
    support::Diagnostics diagnostics;
    const std::string_view text = model.source.text();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t first = text.substr(0, end).find_first_not_of(" \t", begin);
        if (first != std::string_view::npos && text.substr(first, end - first).starts_with(kWords)) {
            const support::SourceSpan span{static_cast<std::uint32_t>(first + kWords.size()),
                                           static_cast<std::uint32_t>(end)};
            const support::Result<std::vector<model::ProgressText>> components =
                model::cut_progress_text(model.source, span);
            diagnostics.insert(diagnostics.end(), components.diagnostics().begin(), components.diagnostics().end());
            if (!components) return diagnostics;
            for (const model::ProgressText& component : *components) {
                std::vector<model::Expression> parts;
                for (const support::SourceSpan part : component.parts) {
                    support::Result<model::Expression> expression =
                        model::parse_expression(model, model.source, part, model::LocationNumbers::allowed);
                    diagnostics.insert(diagnostics.end(), expression.diagnostics().begin(),
                                       expression.diagnostics().end());
                    if (expression) parts.push_back(*std::move(expression));
                }
                model.progress.push_back(std::move(parts));
            }
        }
        begin = end + 1;
    }
    return diagnostics;
}

}  // namespace tideline::input::dve
