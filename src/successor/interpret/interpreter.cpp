#include "successor/interpret/interpreter.hpp"

#include <algorithm>

namespace tideline {
namespace {

std::size_t deepest_stack(const Model& model, std::span<const Expression> others) {
    std::size_t depth = 1;
    const auto look = [&](const Expression& e) { depth = std::max(depth, e.stack_depth() + 1); };
    for (const Transition& transition : model.transitions) {
        for (const Expression& guard : transition.guards) look(guard);
        for (const Effect& effect : transition.effects) {
            if (const auto* shift = std::get_if<Shift>(&effect)) {
                look(shift->first);
                continue;
            }
            for (const Expression& value : std::get<Assign>(effect).values) look(value);
            for (const Target& target : std::get<Assign>(effect).targets)
                if (target.index) look(*target.index);
        }
    }
    for (const Expression& other : others) look(other);
    return depth;
}

Value wrapped(Value value, Range range) {
    const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low) + 1;
    if (span == 0) return value;  // all of 64 bits
    std::uint64_t offset = 0;
    if (value >= range.low) {
        offset = (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.low)) % span;
    } else {
        const std::uint64_t below = (static_cast<std::uint64_t>(range.low) - static_cast<std::uint64_t>(value)) % span;
        offset = below == 0 ? 0 : span - below;
    }
    return static_cast<Value>(static_cast<std::uint64_t>(range.low) + offset);
}

}  // namespace

Interpreter::Interpreter(const Model& model, std::span<const Expression> others)
    : model_(model), values_(model.initial), stack_(deepest_stack(model, others)), choices_(model.processes.size()) {
    for (ProcessId p = 0; p < model.processes.size(); ++p) {
        if (model.observer == p) continue;
        system_processes_.push_back(p);
        const std::vector<bool>& committed = model.processes[p].committed;
        if (std::find(committed.begin(), committed.end(), true) != committed.end()) committing_.push_back(p);
    }
}

bool Interpreter::participants_ready(const Transition& transition) const {
    for (std::size_t i = 1; i < transition.participants.size(); ++i) {
        const Participant& p = transition.participants[i];
        if (values_[model_.variables[model_.processes[p.process].location].first_slot] != p.from) return false;
    }
    return true;
}

bool Interpreter::committed_location_occupied() const {
    return std::any_of(committing_.begin(), committing_.end(), [&](ProcessId p) {
        const Process& process = model_.processes[p];
        return process.committed[static_cast<std::size_t>(values_[model_.variables[process.location].first_slot])];
    });
}

FaultKind Interpreter::fault_at(const Expression& expression, const Evaluation& evaluation) {
    site_ = {evaluation.fault, evaluation.value, &expression.code()[evaluation.at], 0, false};
    return evaluation.fault;
}

FaultKind Interpreter::test_guards(const Transition& transition, bool& enabled) {
    enabled = false;
    for (const Expression& guard : transition.guards) {
        const Evaluation result = evaluate(guard);
        if (result.fault != FaultKind::none) return fault_at(guard, result);
        if (result.value == 0) return FaultKind::none;
    }
    enabled = true;
    return FaultKind::none;
}

void Interpreter::add_candidate(TransitionId transition, std::vector<Candidate>& into) {
    bool enabled = false;
    const FaultKind fault = test_guards(model_.transitions[transition], enabled);
    if (!enabled && fault == FaultKind::none) return;
    into.push_back({transition, fault, static_cast<std::uint32_t>(guard_sites_.size())});
    if (fault != FaultKind::none) guard_sites_.push_back(site_);
}

void Interpreter::collect_enabled(ProcessId process, std::vector<Candidate>& into) {
    into.clear();
    const Process& p = model_.processes[process];
    for (const TransitionId t : p.outgoing[static_cast<std::size_t>(values_[model_.variables[p.location].first_slot])])
        add_candidate(t, into);
}

void Interpreter::collect_candidates() {
    candidates_.clear();
    const bool committed = !committing_.empty() && committed_location_occupied();
    const auto consider = [&](TransitionId t) {
        const Transition& transition = model_.transitions[t];
        if ((!committed || transition.committed) && participants_ready(transition)) add_candidate(t, candidates_);
    };
    for (const ProcessId id : system_processes_) {
        const Process& process = model_.processes[id];
        const Value at = values_[model_.variables[process.location].first_slot];
        for (const TransitionId t : process.outgoing[static_cast<std::size_t>(at)]) consider(t);
    }
    for (const TransitionId t : model_.free_transitions) consider(t);
    if (model_.atomic || model_.has_priorities) restrict_candidates();
}

// An atomic process goes on alone while it can; then only the highest priority remains.
void Interpreter::restrict_candidates() {
    if (model_.atomic) {
        const Value holder = values_[model_.variables[*model_.atomic].first_slot];
        const auto of_holder = [&](const Candidate& c) {
            const std::vector<Participant>& parts = model_.transitions[c.transition].participants;
            return std::any_of(parts.begin(), parts.end(),
                               [&](const Participant& p) { return static_cast<Value>(p.process) + 1 == holder; });
        };
        if (holder != 0 && std::any_of(candidates_.begin(), candidates_.end(), of_holder))
            std::erase_if(candidates_, [&](const Candidate& c) { return !of_holder(c); });
    }
    if (model_.has_priorities && !candidates_.empty()) {
        const auto priority = [&](const Candidate& c) { return model_.transitions[c.transition].priority; };
        int highest = priority(candidates_.front());
        for (const Candidate& c : candidates_) highest = std::max(highest, priority(c));
        std::erase_if(candidates_, [&](const Candidate& c) { return priority(c) < highest; });
    }
}

void Interpreter::write(SlotId slot, Value value) {
    changes_.push_back({slot, values_[slot]});
    values_[slot] = value;
}

void Interpreter::undo(std::size_t mark) {
    while (changes_.size() > mark) {
        values_[changes_.back().slot] = changes_.back().old;
        changes_.pop_back();
    }
}

FaultKind Interpreter::store(const Target& target, Value value, bool wrap) {
    const Variable& variable = model_.variables[target.variable];
    SlotId slot = variable.first_slot;
    if (target.index) {
        const Evaluation index = evaluate(*target.index);
        if (index.fault != FaultKind::none) return fault_at(*target.index, index);
        if (static_cast<std::uint64_t>(index.value) >= variable.slot_count()) {
            site_ = {FaultKind::index, index.value, nullptr, target.variable, false};
            return FaultKind::index;
        }
        slot += static_cast<SlotId>(index.value);
    }
    if (!variable.range.holds(value)) {
        if (!wrap) {
            site_ = {FaultKind::range, value, nullptr, target.variable, false};
            return FaultKind::range;
        }
        value = wrapped(value, variable.range);
    }
    write(slot, value);
    return FaultKind::none;
}

FaultKind Interpreter::apply(const Assign& assign) {
    if (assign.values.size() == 1 && assign.targets.size() == 1 && assign.passing.empty()) {
        const Evaluation result = evaluate(assign.values[0]);
        if (result.fault != FaultKind::none) return fault_at(assign.values[0], result);
        return store(assign.targets[0], result.value, assign.wrap);
    }
    passed_.clear();
    for (const Expression& value : assign.values) {
        const Evaluation result = evaluate(value);
        if (result.fault != FaultKind::none) return fault_at(value, result);
        passed_.push_back(result.value);
    }
    for (std::size_t i = 0; i < std::max(assign.targets.size(), assign.passing.size()); ++i) {
        if (i < assign.passing.size() && !assign.passing[i].holds(passed_[i])) {
            if (!assign.wrap) {
                site_ = {FaultKind::range, passed_[i], nullptr, 0, true};
                return FaultKind::range;
            }
            passed_[i] = wrapped(passed_[i], assign.passing[i]);
        }
        if (i >= assign.targets.size()) continue;
        const FaultKind fault = store(assign.targets[i], passed_[i], assign.wrap);
        if (fault != FaultKind::none) return fault;
    }
    return FaultKind::none;
}

FaultKind Interpreter::apply(const Shift& shift) {
    const Variable& variable = model_.variables[shift.variable];
    const Evaluation first = evaluate(shift.first);
    if (first.fault != FaultKind::none) return fault_at(shift.first, first);
    if (first.value < 0 || static_cast<std::uint64_t>(first.value) + shift.count > variable.slot_count()) {
        site_ = {FaultKind::index, first.value, nullptr, shift.variable, false};
        return FaultKind::index;
    }
    const SlotId begin = variable.first_slot + static_cast<SlotId>(first.value);
    for (SlotId slot = begin; slot + 1 < begin + shift.count; ++slot) write(slot, values_[slot + 1]);
    write(begin + shift.count - 1, 0);
    return FaultKind::none;
}

FaultKind Interpreter::apply_effects(const Transition& transition) {
    for (const Effect& effect : transition.effects) {
        const FaultKind fault = std::visit([this](const auto& e) { return apply(e); }, effect);
        if (fault != FaultKind::none) return fault;
    }
    return FaultKind::none;
}

FaultKind Interpreter::execute(const Candidate& candidate) {
    if (candidate.fault != FaultKind::none) {
        site_ = guard_sites_[candidate.site];
        return candidate.fault;
    }
    const Transition& transition = model_.transitions[candidate.transition];
    const FaultKind fault = apply_effects(transition);
    if (fault != FaultKind::none) return fault;
    for (const Participant& p : transition.participants)
        if (p.from != p.to) write(model_.variables[model_.processes[p.process].location].first_slot, p.to);
    return FaultKind::none;
}

std::string Interpreter::explain_fault() const {
    const std::string value = std::to_string(site_.value);
    if (site_.instruction != nullptr) {
        if (site_.kind == FaultKind::index) {
            std::string array;
            std::size_t length = 0;
            if (site_.instruction->op == Op::load_table) {
                array = model_.tables[site_.instruction->argument].name;
                length = model_.tables[site_.instruction->argument].values.size();
            } else {
                for (const Variable& variable : model_.variables)
                    if (variable.first_slot == site_.instruction->argument) array = variable.name;
                length = static_cast<std::size_t>(site_.instruction->value);
            }
            return "index " + value + " is outside the array " + array + '[' + std::to_string(length) + ']';
        }
        if (site_.kind == FaultKind::division) return "division by zero";
        if (site_.kind == FaultKind::shift) return "shift by " + value + " bits (0 to 63 are possible)";
        return "a result does not fit 64 bits";
    }
    const Variable& variable = model_.variables[site_.variable];
    if (site_.kind == FaultKind::index)
        return "index " + value + " is outside the array " + variable.name + '[' + std::to_string(variable.slot_count()) + ']';
    if (site_.passing) return "value " + value + " does not fit the channel's field";
    return "value " + value + " does not fit " + variable.name + " (" + std::to_string(variable.range.low) + " to " +
           std::to_string(variable.range.high) + ')';
}

}  // namespace tideline
