#include "run/execution.hpp"

#include <utility>

#include "run/capability.hpp"

namespace tideline::run {

Execution::Execution(RunPlan plan_to_execute, const LoadedInput& loaded, Sink& messages, const support::Budget& limits,
                     std::string resumed_from)
    : plan(std::move(plan_to_execute)),
      input(loaded),
      sink(messages),
      budget(limits),
      resumed(std::move(resumed_from)),
      system(loaded.system, plan.spec, messages, limits) {}

void Execution::stop_if_exhausted() const {
    if (const support::StopReason reason = budget.exhausted(); reason != support::StopReason::none)
        throw Stopped{reason};
}

explore::SearchSettings Execution::settings() const {
    explore::SearchSettings settings;
    settings.budget = &budget;
    settings.states = spec().states;
    settings.threads = spec().threads;
    return settings;
}

void Execution::give_notices(Engine engine, bool records) const {
    const std::string name(to_string(engine));
    if (spec().threads > 1 && spec().are_threads_requested && !traits_of(engine).threads)
        sink.notice("the engine " + name + " has one thread");
    if (spec().compress && !traits_of(engine).compresses)
        sink.notice("the engine " + name + " does not compress its states");
    if (spec().compress && records) sink.notice("a search with a ledger does not compress its states");
    if (spec().record != explore::Recorded::tree && !records)
        sink.notice(
            "this search keeps no ledger, and nothing is recorded; a breadth-first search does with --ledger DIR");
    if ((engine == Engine::couvreur || engine == Engine::graph) && spec().ledger.kind == LedgerChoice::Kind::directory)
        sink.notice("the engine " + name + " writes no ledger");
}

void Execution::explain(std::string reason) {
    if (!plan.searches_states) plan.engine_reason = std::move(reason);
}

bool is_exact_sweep(Engine engine) { return engine == Engine::sweep || engine == Engine::ledger; }

bool is_sweep(Engine engine) {
    return is_exact_sweep(engine) || engine == Engine::sweep_basic || engine == Engine::scc_ctl;
}

check::Verdict undecided(std::string name, std::string logic, std::string formula, support::StopReason reason) {
    check::Verdict verdict;
    verdict.name = std::move(name);
    verdict.logic = std::move(logic);
    verdict.formula = std::move(formula);
    check::decide(verdict, {.stopped = reason});
    return verdict;
}

}  // namespace tideline::run
