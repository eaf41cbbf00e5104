#include "input/dve/load.hpp"

#include <algorithm>

#include "input/dve/definitions.hpp"
#include "input/dve/parser.hpp"
#include "input/dve/progress_comments.hpp"
#include "input/dve/translate.hpp"

namespace tideline::input::dve {

support::Result<input::Translation> load(const support::SourceText& source, const LoadOptions& options,
                                         const support::Budget& budget) {
    support::Result<Program> program = parse(source, budget);
    if (!program) return program.diagnostics();
    if (support::Diagnostics errors = define_constants(*program, options.definitions); !errors.empty()) return errors;
    support::Result<model::Model> model = translate(*program, {options.wrap, options.with_property}, budget);
    if (!model) return std::move(model).diagnostics();
    support::Diagnostics diagnostics = model.diagnostics();
    input::Translation result{*std::move(model), {}};
    const support::Diagnostics of_progress = read_progress_comments(result.model);
    diagnostics.insert(diagnostics.end(), of_progress.begin(), of_progress.end());
    if (std::any_of(diagnostics.begin(), diagnostics.end(),
                    [](const support::Diagnostic& d) { return d.severity == support::Severity::error; }))
        return diagnostics;
    return support::Result<input::Translation>(std::move(result), std::move(diagnostics));
}

}  // namespace tideline::input::dve
