// tideline convert: a model in another form.
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "model/print.hpp"

namespace tideline {

int run(const ConvertCommand& command, const CppProgram* /*program*/) {
    const std::optional<LoadedModel> loaded = load_or_explain(command.model, {command.wrap, true}, false);
    if (!loaded) return kWrongInput;
    std::fputs(to_text(*loaded->model).c_str(), stdout);
    return end_of_output(kHolds);
}

}  // namespace tideline
