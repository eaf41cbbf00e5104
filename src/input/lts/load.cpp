#include "input/lts/load.hpp"

#include "input/lts/aut.hpp"
#include "input/lts/kripke_json.hpp"
#include "input/lts/translate.hpp"

namespace tideline::input::lts {
namespace {

support::Result<input::Translation> load(support::Result<Graph> parsed, const support::Budget& budget) {
    if (!parsed) return std::move(parsed).diagnostics();
    support::Diagnostics warnings = parsed.diagnostics();
    support::Result<model::Model> model = translate(*std::move(parsed), budget);
    if (!model) return std::move(model).diagnostics();
    return support::Result<input::Translation>({*std::move(model), {}}, std::move(warnings));
}

}  // namespace

bool looks_like_aut(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with("des")) return false;
    text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.starts_with('(');
}

support::Result<input::Translation> load_aut(const support::SourceText& source, const LoadOptions& /*options*/,
                                             const support::Budget& budget) {
    return load(parse_aut(source, budget), budget);
}

support::Result<input::Translation> load_kripke(const support::SourceText& source, const LoadOptions& /*options*/,
                                                const support::Budget& budget) {
    return load(parse_kripke(source, budget), budget);
}

}  // namespace tideline::input::lts
