// Tideline as a library: loads a model, checks an invariant within limits, and prints the run that violates it.
#include <cstdio>

#include "run/execute.hpp"
#include "trace/render.hpp"

int main(int argc, char** argv) {
    using namespace tideline;
    if (argc != 3) return std::fputs("usage: check_invariant MODEL EXPRESSION\n", stderr), 2;
    run::RunSpec spec;
    spec.task = run::Task::check;
    spec.model.path = argv[1];
    spec.properties = {run::invariant(argv[2])};
    run::Sink sink;  // a class of your own that is derived from it hears of warnings and progress
    const Budget budget({.memory = std::uint64_t{1} << 30U, .time = std::chrono::minutes(1)});
    const run::OrRefusal<run::RunReport> result = run::run(spec, sink, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&result)) {
        for (const Diagnostic& diagnostic : refusal->diagnostics) std::fputs(to_text(diagnostic).c_str(), stderr);
        return 2;
    }
    const Verdict& verdict = std::get<run::RunReport>(result).outcome.verdicts.front();
    std::puts(std::string(to_string(verdict.answer)).c_str());
    if (verdict.trace) std::fputs(render(*verdict.trace, TraceStyle::actions, {}).c_str(), stdout);
    return verdict.answer == Answer::holds ? 0 : verdict.answer == Answer::violated ? 1 : 3;
}
