#include "successor/interpret/interpreter.hpp"

#include <algorithm>

namespace tideline::successor {
namespace {

std::size_t deepest_stack(const model::Model& model, std::span<const model::Expression> others) {
    std::size_t depth = 1;
    const auto look = [&](const model::Expression& e) { depth = std::max(depth, e.stack_depth() + 1); };
    for (const model::Transition& transition : model.transitions) {
        for (const model::Expression& guard : transition.guards) look(guard);
        for (const model::Event& event : transition.events) {
            look(event.channel);
            for (const model::Expression& value : event.values) look(value);
        }
        for (const model::Effect& effect : transition.effects) {
            if (const auto* shift = std::get_if<model::Shift>(&effect)) {
                look(shift->first);
                continue;
            }
            if (const auto* require = std::get_if<model::Require>(&effect)) {
                look(require->condition);
                continue;
            }
            for (const model::Expression& value : std::get<model::Assign>(effect).values) look(value);
            for (const model::Target& target : std::get<model::Assign>(effect).targets)
                if (target.index) look(*target.index);
        }
    }
    for (const model::Expression& other : others) look(other);
    return depth;
}

model::Value wrapped(model::Value value, model::Range range) {
    const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low) + 1;
    if (span == 0) return value;  // all of 64 bits
    std::uint64_t offset = 0;
    if (value >= range.low) {
        offset = (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.low)) % span;
    } else {
        const std::uint64_t below = (static_cast<std::uint64_t>(range.low) - static_cast<std::uint64_t>(value)) % span;
        offset = below == 0 ? 0 : span - below;
    }
    return static_cast<model::Value>(static_cast<std::uint64_t>(range.low) + offset);
}

}  // namespace

Interpreter::Interpreter(const model::Model& model, std::span<const model::Expression> others)
    : model_(model), values_(model.initial), stack_(deepest_stack(model, others)), choices_(model.processes.size()) {
    for (model::ProcessId p = 0; p < model.processes.size(); ++p) {
        if (model.observer == p) continue;
        system_processes_.push_back(p);
        const std::vector<bool>& committed = model.processes[p].committed;
        if (std::find(committed.begin(), committed.end(), true) != committed.end()) committing_.push_back(p);
    }
}

bool Interpreter::participants_ready(const model::Transition& transition) const {
    for (std::size_t i = 1; i < transition.participants.size(); ++i) {
        const model::Participant& p = transition.participants[i];
        if (values_[model_.variables[model_.processes[p.process].location].first_slot] != p.from) return false;
    }
    return true;
}

bool Interpreter::committed_location_occupied() const {
    return std::any_of(committing_.begin(), committing_.end(), [&](model::ProcessId p) {
        const model::Process& process = model_.processes[p];
        return process.committed[static_cast<std::size_t>(values_[model_.variables[process.location].first_slot])];
    });
}

model::FaultKind Interpreter::fault_at(const model::Expression& expression, const model::Evaluation& evaluation) {
    site_ = {evaluation.fault, evaluation.value, &expression.code()[evaluation.at], 0, false, nullptr};
    return evaluation.fault;
}

model::FaultKind Interpreter::test_guards(const model::Transition& transition, bool& enabled) {
    enabled = false;
    for (const model::Expression& guard : transition.guards) {
        const model::Evaluation result = evaluate(guard);
        if (result.fault != model::FaultKind::none) return fault_at(guard, result);
        if (result.value == 0) return model::FaultKind::none;
    }
    enabled = true;
    return model::FaultKind::none;
}

void Interpreter::add_candidate(model::TransitionId transition, std::vector<Candidate>& into) {
    bool enabled = false;
    const model::FaultKind fault = test_guards(model_.transitions[transition], enabled);
    if (!enabled && fault == model::FaultKind::none) return;
    into.push_back({transition, fault, static_cast<std::uint32_t>(guard_sites_.size())});
    if (fault != model::FaultKind::none) guard_sites_.push_back(site_);
}

void Interpreter::collect_enabled(model::ProcessId process, std::vector<Candidate>& into) {
    into.clear();
    const model::Process& p = model_.processes[process];
    for (const model::TransitionId t :
         p.outgoing[static_cast<std::size_t>(values_[model_.variables[p.location].first_slot])])
        add_candidate(t, into);
}

void Interpreter::collect_candidates() {
    candidates_.clear();
    const bool committed = !committing_.empty() && committed_location_occupied();
    const auto consider = [&](model::TransitionId t) {
        const model::Transition& transition = model_.transitions[t];
        if ((!committed || transition.committed) && participants_ready(transition)) add_candidate(t, candidates_);
    };
    for (const model::ProcessId id : system_processes_) {
        const model::Process& process = model_.processes[id];
        const model::Value at = values_[model_.variables[process.location].first_slot];
        for (const model::TransitionId t : process.outgoing[static_cast<std::size_t>(at)]) consider(t);
    }
    for (const model::TransitionId t : model_.free_transitions) consider(t);
    if (model_.has_priorities) restrict_candidates();
}

// Only the highest priority remains.
void Interpreter::restrict_candidates() {
    if (model_.has_priorities && !candidates_.empty()) {
        const auto priority = [&](const Candidate& c) { return model_.transitions[c.transition].priority; };
        int highest = priority(candidates_.front());
        for (const Candidate& c : candidates_) highest = std::max(highest, priority(c));
        std::erase_if(candidates_, [&](const Candidate& c) { return priority(c) < highest; });
    }
}

void Interpreter::add_passed(std::size_t from, model::TransitionId transition) {
    std::vector<std::pair<model::SlotId, model::Value>> differences;
    for (const Change& change : changes_) differences.emplace_back(change.slot, change.old);
    // The first entry of a slot has its value in the current state.
    std::stable_sort(differences.begin(), differences.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    differences.erase(std::unique(differences.begin(), differences.end(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; }),
                      differences.end());
    std::erase_if(differences, [&](const auto& d) { return values_[d.first] == d.second; });
    for (auto& [slot, value] : differences) value = values_[slot];
    if (known_passed_.insert(differences).second) passed_through_.push_back({std::move(differences), from, transition});
}

void Interpreter::collect_continuing() {
    continuing_.clear();
    const auto holder = static_cast<model::ProcessId>(values_[model_.variables[*model_.atomic].first_slot] - 1);
    if (model_.observer == holder) return;
    const model::Process& process = model_.processes[holder];
    const bool committed = !committing_.empty() && committed_location_occupied();
    for (const model::TransitionId t :
         process.outgoing[static_cast<std::size_t>(values_[model_.variables[process.location].first_slot])]) {
        const model::Transition& transition = model_.transitions[t];
        if (transition.priority >= 0 && (!committed || transition.committed) && participants_ready(transition))
            add_candidate(t, continuing_);
    }
}

void Interpreter::take_path(std::size_t from, model::TransitionId last) {
    taken_.assign(1, last);
    for (; from != kNone; from = passed_through_[from].from) taken_.push_back(passed_through_[from].transition);
    std::reverse(taken_.begin(), taken_.end());
}

void Interpreter::write(model::SlotId slot, model::Value value) {
    changes_.push_back({slot, values_[slot]});
    values_[slot] = value;
}

void Interpreter::undo(std::size_t mark) {
    while (changes_.size() > mark) {
        values_[changes_.back().slot] = changes_.back().old;
        changes_.pop_back();
    }
}

model::FaultKind Interpreter::store(const model::Target& target, model::Value value, bool wrap) {
    const model::Variable& variable = model_.variables[target.variable];
    model::SlotId slot = variable.first_slot;
    if (target.index) {
        const model::Evaluation index = evaluate(*target.index);
        if (index.fault != model::FaultKind::none) return fault_at(*target.index, index);
        if (static_cast<std::uint64_t>(index.value) >= variable.slot_count()) {
            site_ = {model::FaultKind::index, index.value, nullptr, target.variable, false, nullptr};
            return model::FaultKind::index;
        }
        slot += static_cast<model::SlotId>(index.value);
    }
    if (!variable.range.holds(value)) {
        if (!wrap) {
            site_ = {model::FaultKind::range, value, nullptr, target.variable, false, nullptr};
            return model::FaultKind::range;
        }
        value = wrapped(value, variable.range);
    }
    write(slot, value);
    return model::FaultKind::none;
}

model::FaultKind Interpreter::apply(const model::Assign& assign) {
    if (assign.values.size() == 1 && assign.targets.size() == 1 && assign.passing.empty()) {
        const model::Evaluation result = evaluate(assign.values[0]);
        if (result.fault != model::FaultKind::none) return fault_at(assign.values[0], result);
        return store(assign.targets[0], result.value, assign.wrap);
    }
    passed_.clear();
    for (const model::Expression& value : assign.values) {
        const model::Evaluation result = evaluate(value);
        if (result.fault != model::FaultKind::none) return fault_at(value, result);
        passed_.push_back(result.value);
    }
    for (std::size_t i = 0; i < std::max(assign.targets.size(), assign.passing.size()); ++i) {
        if (i < assign.passing.size() && !assign.passing[i].holds(passed_[i])) {
            if (!assign.wrap) {
                site_ = {model::FaultKind::range, passed_[i], nullptr, 0, true, nullptr};
                return model::FaultKind::range;
            }
            passed_[i] = wrapped(passed_[i], assign.passing[i]);
        }
        if (i >= assign.targets.size()) continue;
        const model::FaultKind fault = store(assign.targets[i], passed_[i], assign.wrap);
        if (fault != model::FaultKind::none) return fault;
    }
    return model::FaultKind::none;
}

model::FaultKind Interpreter::apply(const model::Shift& shift) {
    const model::Variable& variable = model_.variables[shift.variable];
    const model::Evaluation first = evaluate(shift.first);
    if (first.fault != model::FaultKind::none) return fault_at(shift.first, first);
    if (first.value < 0 || static_cast<std::uint64_t>(first.value) + shift.count > variable.slot_count()) {
        site_ = {model::FaultKind::index, first.value, nullptr, shift.variable, false, nullptr};
        return model::FaultKind::index;
    }
    const model::SlotId begin = variable.first_slot + static_cast<model::SlotId>(first.value);
    for (model::SlotId slot = begin; slot + 1 < begin + shift.count; ++slot) write(slot, values_[slot + 1]);
    write(begin + shift.count - 1, 0);
    return model::FaultKind::none;
}

model::FaultKind Interpreter::apply(const model::Require& require) {
    const model::Evaluation result = evaluate(require.condition);
    if (result.fault != model::FaultKind::none) return fault_at(require.condition, result);
    if (result.value != 0) return model::FaultKind::none;
    site_ = {require.fault, 0, nullptr, 0, false, &require};
    return require.fault;
}

model::FaultKind Interpreter::apply_effects(const model::Transition& transition) {
    for (const model::Effect& effect : transition.effects) {
        const model::FaultKind fault = std::visit([this](const auto& e) { return apply(e); }, effect);
        if (fault != model::FaultKind::none) return fault;
    }
    return model::FaultKind::none;
}

model::FaultKind Interpreter::execute(const Candidate& candidate) {
    if (candidate.fault != model::FaultKind::none) {
        site_ = guard_sites_[candidate.site];
        return candidate.fault;
    }
    const model::Transition& transition = model_.transitions[candidate.transition];
    const model::FaultKind fault = apply_effects(transition);
    if (fault != model::FaultKind::none) return fault;
    for (const model::Participant& p : transition.participants)
        if (p.from != p.to) write(model_.variables[model_.processes[p.process].location].first_slot, p.to);
    return model::FaultKind::none;
}

std::string Interpreter::explain_fault() const {
    if (site_.require != nullptr) return site_.require->text;
    if (site_.kind == model::FaultKind::endless) return "an atomic sequence without an end";
    const std::string value = std::to_string(site_.value);
    if (site_.instruction != nullptr) {
        if (site_.kind == model::FaultKind::index) {
            std::string array;
            std::size_t length = 0;
            if (site_.instruction->op == model::Op::load_table) {
                array = model_.tables[site_.instruction->argument].name;
                length = model_.tables[site_.instruction->argument].values.size();
            } else {
                for (const model::Variable& variable : model_.variables)
                    if (variable.first_slot == site_.instruction->argument) array = variable.name;
                length = static_cast<std::size_t>(site_.instruction->value);
            }
            return "index " + value + " is outside the array " + array + '[' + std::to_string(length) + ']';
        }
        if (site_.kind == model::FaultKind::division) return "division by zero";
        if (site_.kind == model::FaultKind::shift) return "shift by " + value + " bits (0 to 63 are possible)";
        return "a result does not fit 64 bits";
    }
    const model::Variable& variable = model_.variables[site_.variable];
    if (site_.kind == model::FaultKind::index)
        return "index " + value + " is outside the array " + variable.name + '[' +
               std::to_string(variable.slot_count()) + ']';
    if (site_.passing) return "value " + value + " does not fit the channel's field";
    return "value " + value + " does not fit " + variable.name + " (" + std::to_string(variable.range.low) + " to " +
           std::to_string(variable.range.high) + ')';
}

}  // namespace tideline::successor
