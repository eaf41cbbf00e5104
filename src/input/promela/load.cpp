#include "input/promela/load.hpp"

#include "input/promela/parser.hpp"
#include "input/promela/translate.hpp"

namespace tideline::input::promela {

support::Result<input::Translation> load(const support::SourceText& source, const LoadOptions& options,
                                         const support::Budget& budget) {
    const support::Result<Program> program = parse(source, {options.definitions, options.include_dirs}, budget);
    if (!program) return program.diagnostics();
    support::Diagnostics diagnostics = program.diagnostics();
    support::Result<Translated> translated = translate(*program, {options.with_property, options.instances}, budget);
    if (!translated) return std::move(translated).diagnostics();
    Translated made = *std::move(translated);
    input::Translation translation{std::move(made.model), std::move(made.formulas), {}};
    for (std::size_t file = 1; file < program->files.size(); ++file) {
        translation.included += program->files[file].text();
        translation.included += '\0';
    }
    return support::Result<input::Translation>(std::move(translation), std::move(diagnostics));
}

}  // namespace tideline::input::promela
