#include "input/load.hpp"

#include <algorithm>

#include "input/dve/parser.hpp"
#include "input/dve/progress_comments.hpp"
#include "input/dve/translate.hpp"
#include "input/lts/aut.hpp"
#include "input/lts/kripke_json.hpp"
#include "input/lts/translate.hpp"
#include "support/file.hpp"

namespace tideline {
namespace {

std::string ending(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::size_t slash = path.rfind('/');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
    return path.substr(dot + 1);
}

bool is_known(const std::string& kind) { return kind == "dve" || kind == "aut" || kind == "json"; }

Diagnostic unknown_kind(const std::string& path) {
    const std::string kind = ending(path);
    return diagnostic_about(path, kind.empty() ? "the kind of model is not known: the name has no ending"
                                               : "the kind of model is not known: ." + kind,
                            "expected a name that ends in .dve, .aut or .json");
}

Result<LoadedModel> load_dve(SourceText source, const LoadOptions& options) {
    Result<dve::Program> parsed = dve::parse(std::move(source));
    if (!parsed) return std::move(parsed).diagnostics();
    auto program = std::make_shared<const dve::Program>(*std::move(parsed));
    Result<Model> model = dve::translate(*program, {options.wrap, options.with_property});
    if (!model) return std::move(model).diagnostics();
    Diagnostics told = model.diagnostics();
    Model translated = *std::move(model);
    const Diagnostics of_progress = dve::read_progress_comments(translated);
    told.insert(told.end(), of_progress.begin(), of_progress.end());
    if (std::any_of(told.begin(), told.end(), [](const Diagnostic& d) { return d.severity == Severity::error; })) return told;
    return Result<LoadedModel>({std::make_shared<const Model>(std::move(translated)), std::move(program)}, std::move(told));
}

Result<LoadedModel> load_graph(Result<lts::Graph> parsed) {
    if (!parsed) return std::move(parsed).diagnostics();
    Diagnostics warnings = parsed.diagnostics();
    auto graph = std::make_shared<const lts::Graph>(*std::move(parsed));
    return Result<LoadedModel>({std::make_shared<const Model>(lts::translate(*graph)), graph}, std::move(warnings));
}

}  // namespace

Result<LoadedModel> load_model_text(const std::string& path, std::string text, const LoadOptions& options) {
    const std::string kind = ending(path);
    SourceText source(path, std::move(text));
    if (kind == "dve") return load_dve(std::move(source), options);
    if (kind == "aut") return load_graph(lts::parse_aut(std::move(source)));
    if (kind == "json") return load_graph(lts::parse_kripke(std::move(source)));
    return unknown_kind(path);
}

Result<LoadedModel> load_model(const std::string& path, const LoadOptions& options) {
    Result<std::string> text = read_text_file(path);
    if (!text) return std::move(text).diagnostics();
    if (!is_known(ending(path))) return unknown_kind(path);
    return load_model_text(path, *std::move(text), options);
}

}  // namespace tideline
