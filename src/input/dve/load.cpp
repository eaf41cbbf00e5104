#include "input/dve/load.hpp"

#include <algorithm>

#include "input/dve/parser.hpp"
#include "input/dve/progress_comments.hpp"
#include "input/dve/translate.hpp"

namespace tideline::dve {

Result<input::Translation> load(const SourceText& source, const LoadOptions& options, const Budget& budget) {
    const Result<Program> program = parse(source, budget);
    if (!program) return program.diagnostics();
    Result<Model> model = translate(*program, {options.wrap, options.with_property}, budget);
    if (!model) return std::move(model).diagnostics();
    Diagnostics told = model.diagnostics();
    input::Translation result{*std::move(model), {}};
    const Diagnostics of_progress = read_progress_comments(result.model);
    told.insert(told.end(), of_progress.begin(), of_progress.end());
    if (std::any_of(told.begin(), told.end(), [](const Diagnostic& d) { return d.severity == Severity::error; })) return told;
    return Result<input::Translation>(std::move(result), std::move(told));
}

}  // namespace tideline::dve
