// Tideline as a library: loads a model, checks an invariant within limits, and prints the run that violates it.
#include <cstdio>

#include "run/execute.hpp"
#include "trace/render.hpp"

int main(int argc, char** argv) {
    using namespace tideline;
    if (argc != 3) return std::fputs("usage: check_invariant MODEL EXPRESSION\n", stderr), 2;
    tideline::run::RunSpec spec;
    spec.task = tideline::run::Task::check;
    spec.model.path = argv[1];
    spec.properties = {tideline::run::invariant(argv[2])};
    tideline::run::Sink sink;  // derive your own class to receive warnings and progress
    const tideline::support::Budget budget({.memory = std::uint64_t{1} << 30U, .time = std::chrono::minutes(1)});
    const tideline::run::OrRefusal<tideline::run::RunReport> result = tideline::run::run(spec, sink, budget);
    if (const auto* refusal = std::get_if<tideline::run::Refusal>(&result)) {
        for (const tideline::support::Diagnostic& diagnostic : refusal->diagnostics)
            std::fputs(tideline::support::to_text(diagnostic).c_str(), stderr);
        return 2;
    }
    const tideline::check::Verdict& verdict = std::get<tideline::run::RunReport>(result).outcome.verdicts.front();
    std::puts(std::string(tideline::check::to_string(verdict.answer)).c_str());
    if (verdict.trace)
        std::fputs(tideline::trace::render(*verdict.trace, tideline::trace::TraceStyle::actions, {}).c_str(), stdout);
    return verdict.answer == tideline::check::Answer::holds      ? 0
           : verdict.answer == tideline::check::Answer::violated ? 1
                                                                 : 3;
}
