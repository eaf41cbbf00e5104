#include "run/linear_product.hpp"

#include <algorithm>

#include "model/evaluate.hpp"
#include "run/state_properties.hpp"

namespace tideline::run {
namespace {

model::Expression end_states_of(const RunSpec& spec, const model::Model& model) {
    support::Result<model::Expression> ends = parse_end_states(spec.end_states, model);
    if (!ends) throw Refusal{std::move(ends).diagnostics(), support::StopReason::none};
    return *std::move(ends);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The processes that a step moves; in an explicit graph the name of the action.
std::vector<std::string> movers(const trace::TraceStep& step, const model::Model& model) {
    if (model.is_explicit_graph()) return step.is_empty() ? std::vector<std::string>() : std::vector{step.label};
    std::vector<std::string> result;
    for (const successor::StepPart& part : step.parts) result.push_back(part.process);
    return result;
}

class Evaluator {
public:
    explicit Evaluator(const model::Model& model) : model_(model) {}
    bool holds(const model::Expression& expression, const std::vector<model::Value>& values) {
        stack_.resize(std::max(stack_.size(), expression.stack_depth() + 1));
        const model::Evaluation value = model::evaluate(expression, model_.tables, values.data(), stack_.data());
        return value.fault == model::FaultKind::none && value.value != 0;
    }

private:
    const model::Model& model_;
    std::vector<model::Value> stack_;
};

}  // namespace

LinearProduct linear_product(const LinearProperty& property, const RunSpec& spec, const model::Model& model,
                             std::vector<model::Expression> labels, const MakeSystem& make_system,
                             automata::ProductSettings settings) {
    LinearProduct product;
    settings.first_atom = labels.size();
    labels.insert(labels.end(), property.atoms.begin(), property.atoms.end());
    settings.deadlocks_repeat = spec.deadlocks != DeadlockReading::ignore;
    product.has_stayed = settings.has_stayed = std::make_shared<std::atomic<bool>>(false);
    if (!spec.end_states.empty()) {
        settings.end_label = labels.size();
        labels.push_back(end_states_of(spec, model));
    }
    const std::size_t count = labels.size();
    std::shared_ptr<const successor::System> system = make_system(std::move(labels));
    if (property.speaks_of_steps()) {
        auto processes = std::make_shared<const successor::ProcessTable>(successor::process_table(model));
        successor::StepLabelSettings step_labels;
        step_labels.end_label = settings.end_label;
        for (std::size_t i = 0; i < count; ++i) step_labels.labels.push_back({successor::StepLabel::Kind::own, i});
        settings.step_letters.assign(model.transitions.size(), 0);
        for (std::size_t i = 0; i < property.meanings.size(); ++i) {
            const AtomMeaning& meaning = property.meanings[i];
            using Kind = successor::StepLabel::Kind;
            successor::StepLabel& label = step_labels.labels[settings.first_atom + i];
            switch (meaning.kind) {
                case AtomMeaning::Kind::expression: break;
                case AtomMeaning::Kind::deadlock: label = {Kind::deadlock, 0}; break;
                case AtomMeaning::Kind::enabled: label = {Kind::enabled, meaning.process}; break;
                case AtomMeaning::Kind::moved:
                    label = {Kind::none, 0};
                    settings.step_atoms |= std::uint64_t{1} << i;
                    for (std::size_t t = 0; t < settings.step_letters.size(); ++t)
                        if (processes->moves(static_cast<model::TransitionId>(t), meaning.process))
                            settings.step_letters[t] |= std::uint64_t{1} << i;
                    break;
            }
        }
        system = successor::with_step_labels(std::move(system), std::move(processes), std::move(step_labels));
    }
    product.marks = property.automaton.all_marks();
    product.system = automata::make_product(std::move(system), property.automaton, settings);
    return product;
}

std::shared_ptr<const successor::System> process_product(const RunSpec& spec, const model::Model& model,
                                                         const MakeSystem& make_system, model::Marks& marks) {
    // Without acceptance no run is a counterexample, whether it ends or not.
    if (spec.deadlocks != DeadlockReading::ignore || model.acceptance_sets == 0) return make_system({});
    successor::StepLabelSettings settings;
    settings.progress = true;
    std::vector<model::Expression> labels;
    if (!spec.end_states.empty()) {
        settings.end_label = 0;
        labels.push_back(end_states_of(spec, model));
    }
    auto processes = std::make_shared<const successor::ProcessTable>(successor::process_table(model));
    const std::optional<successor::StepMarks> bits = successor::step_marks(model.acceptance_sets, *processes, settings);
    if (!bits)
        throw Refusal{{support::diagnostic_about("", "the property process has too many acceptance sets")},
                      support::StopReason::none};
    marks |= model::Marks{1} << bits->progress;
    return successor::with_step_labels(make_system(std::move(labels)), std::move(processes), std::move(settings));
}

RunWord word_of(const trace::Trace& trace, const LinearProperty& property, const RunSpec& spec,
                const LoadedSystem& system) {
    const model::Model& model = *system.names;
    const auto asks_for = [&](AtomMeaning::Kind kind) {
        return std::ranges::any_of(property.meanings, [&](const AtomMeaning& m) { return m.kind == kind; });
    };
    const bool asks_enabled = asks_for(AtomMeaning::Kind::enabled);
    const bool asks_moved = asks_for(AtomMeaning::Kind::moved);
    std::vector<std::string> names;
    if (asks_enabled || asks_moved) names = successor::process_table(model).names;
    RunWord result;
    result.word.loop = trace.loop.value();
    Evaluator evaluator(model);
    bool is_deadlock = false;  // the last state
    if (trace.stays)
        is_deadlock =
            spec.end_states.empty() || !evaluator.holds(end_states_of(spec, model), trace.values(trace.size() - 1));
    result.ends = is_deadlock && spec.deadlocks == DeadlockReading::finite;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const std::vector<model::Value> values = trace.values(n);
        std::vector<std::string> enabled;
        std::vector<std::string> moved;
        if (asks_enabled) enabled = system.enabled_at(trace, n);
        if (asks_moved) moved = movers(trace.step(n), model);
        std::uint64_t letter = 0;
        for (std::size_t i = 0; i < property.atoms.size(); ++i) {
            bool value = false;
            switch (property.meanings[i].kind) {
                case AtomMeaning::Kind::expression: value = evaluator.holds(property.atoms[i], values); break;
                case AtomMeaning::Kind::deadlock: value = is_deadlock && n + 1 == trace.size(); break;
                case AtomMeaning::Kind::enabled: value = has(enabled, names[property.meanings[i].process]); break;
                case AtomMeaning::Kind::moved: value = has(moved, names[property.meanings[i].process]); break;
            }
            if (value) letter |= std::uint64_t{1} << i;
        }
        result.word.letters.push_back(letter);
    }
    return result;
}

}  // namespace tideline::run
