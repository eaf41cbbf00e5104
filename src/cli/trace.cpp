// tideline trace: a saved trace in another form, and whether a model still has that run.
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/terminal_output.hpp"
#include "report/saved_trace.hpp"
#include "support/file.hpp"

namespace tideline::cli {

int run(const TraceCommand& command, const Caller& caller) {
    const support::Result<std::string> text = support::read_text_file(command.file, {});
    if (!text) {
        print(text.diagnostics());
        return kWrongInput;
    }
    const support::Result<report::SavedTrace> trace = report::parse_saved_trace(command.file, *text);
    if (!trace) {
        print(trace.diagnostics());
        return kWrongInput;
    }
    if (command.to) std::fputs(report::to_text(*trace, *command.to).c_str(), stdout);
    if (!command.replay) return end_of_output(kHolds);
    SimulateCommand replay;
    replay.model = *command.replay;
    replay.along = command.file;
    replay.only_result = true;
    return run(replay, caller);
}

}  // namespace tideline::cli
