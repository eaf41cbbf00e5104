#include "check/branching_evidence.hpp"

#include "check/ctl/local.hpp"

namespace tideline::check {

Verdict verdict_of(const BranchingRequest& request, std::size_t p, const explore::Statistics& statistics) {
    Verdict verdict;
    verdict.name = request.properties[p].name;
    verdict.logic = request.properties[p].logic;
    verdict.formula = request.properties[p].formula;
    verdict.seconds = statistics.seconds;
    verdict.states = statistics.states;
    verdict.expanded = statistics.expanded;
    verdict.peak_states = statistics.peak_states;
    return verdict;
}

Decision undecided(const BranchingRequest& request, Outcome outcome, support::StopReason reason) {
    outcome.reason = reason;
    outcome.complete = false;
    for (std::size_t p = 0; p < request.properties.size(); ++p) {
        Verdict verdict = verdict_of(request, p, outcome.statistics);
        decide(verdict, {.stopped = reason});
        outcome.verdicts.push_back(std::move(verdict));
    }
    return {std::move(outcome), nullptr};
}

std::string state_text(const successor::System& system, const successor::Word* state) {
    const std::vector<std::string>& names = system.slot_names();
    const std::vector<model::Value> values = system.decode(state);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : ", ") + names[i] + " = " + system.value_text(static_cast<model::SlotId>(i), values[i]);
    return text;
}

void BranchingEvidence::add_to(Outcome& outcome, const support::Budget& budget) {
    for (const Shown& shown : shown_) add(outcome.verdicts[shown.property], shown, budget);
}

void BranchingEvidence::add(Verdict& verdict, const Shown& shown, const support::Budget& budget) {
    std::shared_ptr<ctl::EvidenceTree> tree;
    try {
        ctl::Work work(budget);
        work.check();
        tree = std::make_shared<ctl::EvidenceTree>(
            ctl::find_evidence(*request_.program, {request_.deadlocks, request_.fairness}, *oracle_,
                               request_.program->roots[shown.property], shown.initial, request_.evidence, work));
        tree->initial_index = shown.index;
        tree->initial_count = shown.of;
        if (const std::optional<std::string> wrong =
                ctl::refuted(*tree, *request_.program, {request_.confirm, request_.is_fair, request_.evaluate}, budget))
            throw UnconfirmedTrace(*wrong);
    } catch (const ctl::Stopped& stopped) {
        verdict.trace_reason = support::to_string(stopped.reason);
        return;
    } catch (const std::bad_alloc&) {
        verdict.trace_reason = "memory";
        return;
    } catch (const ctl::FaultMet&) {
        verdict.trace_reason = "fault";
        return;
    }
    const ctl::Claim& root = tree->root;
    if (root.kind == ctl::Claim::Kind::stated) {
        if (verdict.answer == Answer::violated) verdict.trace_reason = "it holds on no path from the initial state";
    } else if (root.kind == ctl::Claim::Kind::path) {
        verdict.trace = tree->trace({}, root);
    } else if (verdict.answer == Answer::violated) {
        ctl::Claim alone;
        alone.states = {tree->initial};
        verdict.trace = tree->trace({}, alone);
    }
    verdict.tree = std::move(tree);
}

}  // namespace tideline::check
