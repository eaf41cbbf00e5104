// Executes a Model on unpacked values: which steps a state has, in which order, and what each of them changes.
// docs/dve.md defines the meaning. The enumeration is implemented only here; expand() and steps() of the interpreted
// system are two visitors of it.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/evaluate.hpp"
#include "model/model.hpp"
#include "successor/key.hpp"

namespace tideline::successor {

// A step as a visitor sees it. Without a fault, the interpreter's values are those after the step while the visitor
// runs.
struct InterpretedStep {
    // One; in lockstep one per process; of an atomic sequence one after the other. That of an observer is last.
    std::span<const model::TransitionId> transitions;
    model::Marks marks = 0;
    model::FaultKind fault = model::FaultKind::none;
};

class Interpreter {
public:
    // `others`: expressions outside the model that will be evaluated too.
    explicit Interpreter(const model::Model& model, std::span<const model::Expression> others = {});

    // The current state, one value per slot.
    [[nodiscard]] model::Value* values() { return values_.data(); }
    [[nodiscard]] const model::Value* values() const { return values_.data(); }

    // The slots that the step being visited has written (a slot may occur twice).
    struct Change {
        model::SlotId slot;
        model::Value old;
    };
    [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

    // Visits the steps of the current state in the canonical order until the visitor returns false.
    // Visitor: bool(const InterpretedStep&). The current state is the same afterwards.
    template <class Visitor>
    void visit_steps(Visitor&& visitor);

    // Continues with the steps of a state whose visitor has returned false, beginning with the step where it did. The
    // current state must be that state again; other expressions may have been evaluated in between. Lockstep combines
    // exponentially many steps: visiting the earlier ones again each time would take quadratic time.
    template <class Visitor>
    void resume_steps(Visitor&& visitor);
    // Whether it can: not where the step is a guard's fault in lockstep, which is rare.
    [[nodiscard]] bool can_resume() const {
        if (model_.atomic) return false;
        return model_.composition == model::Composition::interleaving || is_combining_;
    }

    model::Evaluation evaluate(const model::Expression& expression) {
        return model::evaluate(expression, model_.tables, values_.data(), stack_.data());
    }

    std::optional<Key> evaluate_key(const KeyProgram& program) {
        return successor::evaluate_key(program, model_.tables, values_.data(), stack_.data());
    }

    // The events of transitions that are executed one after the other from the current state, up to a fault, with the
    // state in which each happens as the current one. Not while a step is visited.
    // Visitor: void(const model::Event&, which of the transitions).
    template <class Visitor>
    void visit_events(std::span<const model::TransitionId> transitions, Visitor&& visitor);

    // Text that describes the fault of the step being visited.
    [[nodiscard]] std::string explain_fault() const;

private:
    // A transition whose guards hold, or one of whose guards faults.
    struct Candidate {
        model::TransitionId transition;
        model::FaultKind fault;
        std::uint32_t site;  // of a fault: its index in guard_sites_
    };
    // Where a fault arose: in an expression at an instruction, or while storing into a variable.
    struct FaultSite {
        model::FaultKind kind = model::FaultKind::none;
        model::Value value = 0;
        const model::Instruction* instruction = nullptr;
        model::VariableId variable = 0;
        bool passing = false;
        const model::Require* require = nullptr;
    };

    bool participants_ready(const model::Transition& transition) const;
    bool committed_location_occupied() const;
    model::FaultKind test_guards(const model::Transition& transition, bool& enabled);
    model::FaultKind apply_effects(const model::Transition& transition);
    model::FaultKind apply(const model::Assign& assign);
    model::FaultKind apply(const model::Shift& shift);
    model::FaultKind apply(const model::Require& require);
    model::FaultKind store(const model::Target& target, model::Value value, bool wrap);
    void write(model::SlotId slot, model::Value value);
    void undo(std::size_t mark);
    void restrict_candidates();
    void collect_candidates();
    void collect_enabled(model::ProcessId process, std::vector<Candidate>& into);
    [[nodiscard]] bool is_held() const {
        return model_.atomic && values_[model_.variables[*model_.atomic].first_slot] != 0;
    }
    // The current state is one to go on from, unless it was one already.
    void add_passed(std::size_t from, model::TransitionId transition);
    void collect_continuing();
    void take_path(std::size_t from, model::TransitionId last);
    void add_candidate(model::TransitionId transition, std::vector<Candidate>& into);
    model::FaultKind execute(const Candidate& candidate);
    model::FaultKind fault_at(const model::Expression& expression, const model::Evaluation& evaluation);

    // All return whether to continue. `any`: whether the state has a step.
    template <class Visitor>
    bool visit_with_observer(std::span<const model::TransitionId> taken, model::Marks marks, Visitor& visitor);
    template <class Visitor>
    bool visit_interleaving(Visitor& visitor);
    // After a step to a state where a process goes on alone.
    template <class Visitor>
    bool pass(Visitor& visitor);
    template <class Visitor>
    bool collect_choices(Visitor& visitor, bool& any);
    template <class Visitor>
    bool visit_combinations(Visitor& visitor);
    template <class Visitor>
    bool visit_lockstep(Visitor& visitor, bool& any);

    const model::Model& model_;
    std::vector<model::Value> values_;
    std::vector<model::Value> stack_;
    std::vector<model::Value> passed_;
    std::vector<Change> changes_;
    std::vector<Candidate> candidates_;
    std::vector<Candidate> observer_;
    std::vector<std::vector<Candidate>> choices_;  // lockstep: of each process
    std::vector<std::size_t> picks_;               // lockstep: which of them
    std::vector<model::TransitionId> taken_;
    std::vector<model::TransitionId> taken_with_observer_;
    std::vector<model::ProcessId> system_processes_;  // all but the observer
    std::vector<model::ProcessId> committing_;        // those with committed locations
    // A state inside an atomic sequence, as its difference from the current one.
    struct Passed {
        std::vector<std::pair<model::SlotId, model::Value>> differences;
        std::size_t from;  // the one before it; kNone: the current state
        model::TransitionId transition;
    };
    static constexpr std::size_t kNone = SIZE_MAX;
    std::vector<Passed> passed_through_;
    std::set<std::vector<std::pair<model::SlotId, model::Value>>> known_passed_;
    std::vector<Candidate> continuing_;
    std::vector<FaultSite> guard_sites_;  // guards are tested before any step is visited
    FaultSite site_;
    // The position of the visit: at which candidate, or at the combination picks_; and at which candidate of the
    // observer.
    std::size_t candidate_ = 0;
    bool is_combining_ = false;
    std::size_t observed_ = 0;
};

template <class Visitor>
bool Interpreter::visit_with_observer(std::span<const model::TransitionId> taken, model::Marks marks,
                                      Visitor& visitor) {
    if (!model_.observer) return visitor(InterpretedStep{taken, marks, model::FaultKind::none});
    taken_with_observer_.assign(taken.begin(), taken.end());
    taken_with_observer_.push_back(0);
    for (; observed_ < observer_.size(); ++observed_) {
        const Candidate& candidate = observer_[observed_];
        taken_with_observer_.back() = candidate.transition;
        const std::size_t mark = changes_.size();
        const model::FaultKind fault = execute(candidate);
        const bool go_on = visitor(
            InterpretedStep{taken_with_observer_, marks | model_.transitions[candidate.transition].marks, fault});
        undo(mark);
        if (!go_on) return false;
    }
    observed_ = 0;
    return true;
}

template <class Visitor>
bool Interpreter::visit_interleaving(Visitor& visitor) {
    for (; candidate_ < candidates_.size(); ++candidate_) {
        const Candidate& candidate = candidates_[candidate_];
        const model::TransitionId one[] = {candidate.transition};
        const model::FaultKind fault = execute(candidate);
        const model::Marks marks = model_.transitions[candidate.transition].marks;
        bool go_on = true;
        if (fault != model::FaultKind::none) go_on = visitor(InterpretedStep{one, marks, fault});
        else if (is_held()) add_passed(kNone, candidate.transition);
        else go_on = visit_with_observer(one, marks, visitor);
        undo(0);
        if (!go_on) return false;
    }
    return passed_through_.empty() || pass(visitor);
}

template <class Visitor>
bool Interpreter::pass(Visitor& visitor) {
    for (std::size_t at = 0; at < passed_through_.size(); ++at) {
        if (at == model::kMostPassed) {
            take_path(passed_through_[at].from, passed_through_[at].transition);
            taken_.resize(1);
            site_ = {model::FaultKind::endless, 0, nullptr, 0, false, nullptr};
            return visitor(InterpretedStep{taken_, 0, model::FaultKind::endless});
        }
        for (const auto& [slot, value] : passed_through_[at].differences) write(slot, value);
        const std::size_t mark = changes_.size();
        collect_continuing();
        bool go_on = true;
        if (continuing_.empty()) {
            write(model_.variables[*model_.atomic].first_slot, 0);
            take_path(passed_through_[at].from, passed_through_[at].transition);
            go_on = visit_with_observer(taken_, 0, visitor);
        }
        for (std::size_t i = 0; i < continuing_.size() && go_on; ++i) {
            const Candidate candidate = continuing_[i];
            const model::FaultKind fault = execute(candidate);
            if (fault == model::FaultKind::none && is_held()) {
                add_passed(at, candidate.transition);
            } else {
                take_path(at, candidate.transition);
                go_on = fault != model::FaultKind::none ? visitor(InterpretedStep{taken_, 0, fault})
                                                        : visit_with_observer(taken_, 0, visitor);
            }
            undo(mark);
        }
        undo(0);
        if (!go_on) return false;
    }
    return true;
}

// What each process can do; a guard's fault is a step of its own. is_combining_ becomes whether all of them can move.
template <class Visitor>
bool Interpreter::collect_choices(Visitor& visitor, bool& any) {
    const std::size_t n = system_processes_.size();
    for (std::size_t i = 0; i < n; ++i) {
        choices_[i].clear();
        collect_enabled(system_processes_[i], candidates_);
        for (const Candidate& candidate : candidates_) {
            if (candidate.fault == model::FaultKind::none) {
                choices_[i].push_back(candidate);
                continue;
            }
            any = true;
            const model::TransitionId one[] = {candidate.transition};
            if (!visitor(InterpretedStep{one, 0, execute(candidate)})) return false;
        }
        if (choices_[i].empty()) return true;
    }
    if (n == 0) return true;
    picks_.assign(n, 0);
    is_combining_ = true;
    return true;
}

template <class Visitor>
bool Interpreter::visit_combinations(Visitor& visitor) {
    const std::size_t n = system_processes_.size();
    for (;;) {
        taken_.clear();
        model::Marks marks = 0;
        model::FaultKind fault = model::FaultKind::none;
        for (std::size_t i = 0; i < n; ++i) taken_.push_back(choices_[i][picks_[i]].transition);
        // Locations change together after all effects.
        for (std::size_t i = 0; i < n && fault == model::FaultKind::none; ++i) {
            marks |= model_.transitions[taken_[i]].marks;
            fault = apply_effects(model_.transitions[taken_[i]]);
        }
        if (fault == model::FaultKind::none)
            for (const model::TransitionId t : taken_)
                for (const model::Participant& p : model_.transitions[t].participants)
                    if (p.from != p.to) write(model_.variables[model_.processes[p.process].location].first_slot, p.to);
        const bool go_on = fault != model::FaultKind::none ? visitor(InterpretedStep{taken_, marks, fault})
                                                           : visit_with_observer(taken_, marks, visitor);
        undo(0);
        if (!go_on) return false;
        std::size_t i = n;
        while (i > 0 && ++picks_[i - 1] == choices_[i - 1].size()) picks_[--i] = 0;
        if (i == 0) return true;
    }
}

template <class Visitor>
bool Interpreter::visit_lockstep(Visitor& visitor, bool& any) {
    if (!is_combining_ && !collect_choices(visitor, any)) return false;
    if (!is_combining_) return true;
    any = true;
    return visit_combinations(visitor);
}

template <class Visitor>
void Interpreter::visit_events(std::span<const model::TransitionId> transitions, Visitor&& visitor) {
    changes_.clear();
    const bool at_once = model_.composition == model::Composition::lockstep;
    for (std::size_t t = 0; t < transitions.size(); ++t) {
        const model::Transition& transition = model_.transitions[transitions[t]];
        std::size_t reported = 0;
        const auto report = [&](std::size_t effects) {
            for (; reported < transition.events.size() && transition.events[reported].after <= effects; ++reported)
                visitor(transition.events[reported], t);
        };
        model::FaultKind fault = model::FaultKind::none;
        for (std::size_t e = 0; e < transition.effects.size() && fault == model::FaultKind::none; ++e) {
            report(e);
            fault = std::visit([this](const auto& effect) { return this->apply(effect); }, transition.effects[e]);
        }
        if (fault != model::FaultKind::none) break;
        report(transition.effects.size());
        if (at_once) continue;
        for (const model::Participant& p : transition.participants)
            if (p.from != p.to) write(model_.variables[model_.processes[p.process].location].first_slot, p.to);
    }
    undo(0);
}

template <class Visitor>
void Interpreter::visit_steps(Visitor&& visitor) {
    guard_sites_.clear();
    passed_through_.clear();
    known_passed_.clear();
    candidate_ = observed_ = 0;
    is_combining_ = false;
    if (model_.observer) collect_enabled(*model_.observer, observer_);
    if (model_.composition == model::Composition::interleaving) collect_candidates();
    resume_steps(visitor);
}

template <class Visitor>
void Interpreter::resume_steps(Visitor&& visitor) {
    changes_.clear();
    bool any = false;
    bool go_on = true;
    if (model_.composition == model::Composition::interleaving) {
        any = !candidates_.empty();
        go_on = visit_interleaving(visitor);
    } else {
        go_on = visit_lockstep(visitor, any);
    }
    if (go_on && !any && model_.observer) visit_with_observer({}, 0, visitor);
}

}  // namespace tideline::successor
