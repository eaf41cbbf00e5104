#include "run/linear_product.hpp"

#include <algorithm>
#include <set>

#include "check/ltl.hpp"
#include "model/evaluate.hpp"
#include "run/state_properties.hpp"
#include "run/symmetry.hpp"

namespace tideline::run {
namespace {

model::Expression end_states_of(const RunSpec& spec, const model::Model& model) {
    support::Result<model::Expression> ends = parse_end_states(spec.end_states, model);
    if (!ends) throw Refusal{std::move(ends).diagnostics(), support::StopReason::none};
    return *std::move(ends);
}

constexpr std::size_t kMarks = 64;

model::Marks ones(std::size_t count) { return count >= kMarks ? ~model::Marks{0} : (model::Marks{1} << count) - 1; }

[[noreturn]] void refuse_marks(FairnessBy fairness) {
    throw Refusal{{fairness == FairnessBy::marks
                       ? support::diagnostic_about("",
                                                   "the processes and the automaton's sets are more than 64 marks "
                                                   "(for strong fairness a process takes two)",
                                                   "the engine graph has no such limit")
                       : support::diagnostic_about(
                             "", "with moved(P), fairness between more than 64 processes and sets cannot be decided")},
                  support::StopReason::none};
}

successor::FairnessMarks marks_of(Fairness fairness) {
    return fairness == Fairness::strong ? successor::FairnessMarks::strong : successor::FairnessMarks::weak;
}

// Strong fairness is decided on components, too, but the marks of an edge have all that is asked there.
check::ltl::FairnessTask strong_by_marks(std::shared_ptr<const successor::ProcessTable> processes, unsigned first,
                                         unsigned count) {
    return {Fairness::strong, std::move(processes), first, first + count / 2};
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The processes that a step moves; in an explicit graph the name of the action.
std::vector<std::string> movers(const trace::TraceStep& step, const model::Model& model) {
    if (successor::is_between_actions(model))
        return step.is_empty() ? std::vector<std::string>() : std::vector{step.label};
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

std::string note_on_deadlocks(DeadlockReading reading) {
    switch (reading) {
        case DeadlockReading::stutter: return "the system has deadlocks: the last state of such a run repeats";
        case DeadlockReading::finite: return "the system has deadlocks: such a run ends with its last state";
        case DeadlockReading::ignore: return "the system has deadlocks: runs that end there do not count";
    }
    return "";
}

void refuse_unknown_movers(const model::Model& model) {
    // A step through an atomic sequence is known by its first transition. That does not move all who take part where a
    // rendezvous is part of the sequence.
    const auto sets = [](const model::Transition& transition, model::VariableId variable) {
        return std::ranges::any_of(transition.effects, [&](const model::Effect& effect) {
            const auto* assign = std::get_if<model::Assign>(&effect);
            return assign != nullptr && std::ranges::any_of(assign->targets, [&](const auto& target) {
                       return target.variable == variable;
                   });
        });
    };
    if (model.atomic && std::ranges::any_of(model.transitions, [&](const model::Transition& t) {
            return t.participants.size() > 1 && sets(t, *model.atomic);
        }))
        throw Refusal{{support::diagnostic_about(
                          "", "where atomic sequences contain a rendezvous it is not known who moves in a step",
                          "ask without --fair, enabled(P) and moved(P)")},
                      support::StopReason::none};
}

bool fits_marks(std::size_t automaton_sets, const model::Model& model, Fairness fairness) {
    if (fairness == Fairness::none) return true;
    const std::size_t of_process = fairness == Fairness::strong ? 2 : 1;
    return automaton_sets + of_process * successor::process_table(model).names.size() <= kMarks;
}

LinearProduct linear_product(const LinearProperty& property, const RunSpec& spec, const model::Model& model,
                             std::vector<model::Expression> labels, const MakeSystem& make_system, FairnessBy fairness,
                             automata::ProductSettings settings) {
    refuse_step_atoms(spec, property.meanings);
    LinearProduct product;
    settings.first_atom = labels.size();
    labels.insert(labels.end(), property.atoms.begin(), property.atoms.end());
    settings.deadlocks_repeat = spec.deadlocks != DeadlockReading::ignore;
    product.has_stayed = settings.has_stayed = std::make_shared<std::atomic<bool>>(false);
    if (!spec.end_states.empty()) {
        settings.end_label = labels.size();
        labels.push_back(end_states_of(spec, model));
    }
    if (!property.antecedent_text.empty()) {
        settings.watched = property.antecedent;
        product.antecedent = settings.watch = std::make_shared<automata::WatchedCondition>();
    }
    product.marks = property.automaton.all_marks();
    const std::size_t count = labels.size();
    std::shared_ptr<const successor::System> system = make_system(std::move(labels));
    const bool is_fair = spec.fairness != Fairness::none;
    if (property.speaks_of_steps() || is_fair) {
        if (is_fair || std::ranges::any_of(property.meanings, [](const AtomMeaning& meaning) {
                return meaning.kind == AtomMeaning::Kind::enabled || meaning.kind == AtomMeaning::Kind::moved;
            }))
            refuse_unknown_movers(model);
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
        if (is_fair) {
            settings.stay_transition = successor::kNobodyMoves;
            const std::size_t sets = property.automaton.sets;
            if (fairness == FairnessBy::marks) step_labels.fairness = marks_of(spec.fairness);
            else product.fairness = {spec.fairness, processes, std::nullopt};
            // The row of a state does not have all its steps where the automaton reads them.
            if (fairness == FairnessBy::components && settings.step_atoms != 0) {
                step_labels.fairness = successor::FairnessMarks::enabled;
                product.fairness.enabled_marks = static_cast<unsigned>(sets);
            }
            if (step_labels.fairness != successor::FairnessMarks::none) {
                const std::optional<successor::StepMarks> bits = successor::step_marks(0, *processes, step_labels);
                if (!bits || sets + bits->fair_count > kMarks) refuse_marks(fairness);
                settings.own_marks = bits->fair_count;
            }
            if (step_labels.fairness == successor::FairnessMarks::strong)
                product.fairness = strong_by_marks(processes, static_cast<unsigned>(sets), settings.own_marks);
            if (step_labels.fairness == successor::FairnessMarks::weak) {
                settings.stay_marks = ~model::Marks{0};
                product.marks |= ones(settings.own_marks) << sets;
            }
        }
        if (property.speaks_of_steps() || step_labels.fairness != successor::FairnessMarks::none)
            system = successor::with_step_labels(std::move(system), std::move(processes), std::move(step_labels));
    }
    product.system = automata::make_product(std::move(system), property.automaton, settings);
    return product;
}

LinearProduct process_product(const RunSpec& spec, const model::Model& model, const MakeSystem& make_system,
                              FairnessBy fairness) {
    LinearProduct product;
    product.marks = check::accepting_marks(model);
    const bool is_fair = spec.fairness != Fairness::none;
    if (is_fair) refuse_unknown_movers(model);
    // Without acceptance no run is a counterexample, whether it ends or not, and whether it is fair or not.
    if ((spec.deadlocks != DeadlockReading::ignore && !is_fair) || model.acceptance_sets == 0) {
        product.system = make_system({});
        return product;
    }
    successor::StepLabelSettings settings;
    settings.progress = spec.deadlocks == DeadlockReading::ignore;
    std::vector<model::Expression> labels;
    if (!spec.end_states.empty()) {
        settings.end_label = 0;
        labels.push_back(end_states_of(spec, model));
    }
    auto processes = std::make_shared<const successor::ProcessTable>(successor::process_table(model));
    if (is_fair && fairness == FairnessBy::marks) settings.fairness = marks_of(spec.fairness);
    if (is_fair && fairness == FairnessBy::components) product.fairness = {spec.fairness, processes, std::nullopt};
    const std::optional<successor::StepMarks> bits = successor::step_marks(model.acceptance_sets, *processes, settings);
    if (!bits) refuse_marks(fairness);
    if (settings.fairness == successor::FairnessMarks::weak)
        product.marks |= ones(bits->fair_count) << bits->first_fair;
    if (settings.fairness == successor::FairnessMarks::strong)
        product.fairness = strong_by_marks(processes, bits->first_fair, bits->fair_count);
    if (settings.progress) product.marks |= model::Marks{1} << bits->progress;
    product.system =
        successor::with_step_labels(make_system(std::move(labels)), std::move(processes), std::move(settings));
    return product;
}

std::string why_not_certified(const RunSpec& spec, const LinearProperty* property, const model::Model& model) {
    if (spec.fairness == Fairness::strong) return "what holds of strongly fair runs has none";
    if (property == nullptr)
        return spec.fairness == Fairness::none && spec.deadlocks != DeadlockReading::ignore
                   ? ""
                   : "a property process has none under fairness and where runs that end do not count";
    if (property->reads_moves()) return "a formula that reads moved(P) has none";
    const bool names_processes =
        spec.fairness != Fairness::none || std::ranges::any_of(property->meanings, [](const AtomMeaning& meaning) {
            return meaning.kind == AtomMeaning::Kind::enabled;
        });
    return names_processes && successor::is_between_actions(model) ? "audits do not know the actions of a system" : "";
}

bool is_fair(const trace::Trace& trace, Fairness fairness, const LoadedSystem& system) {
    if (fairness == Fairness::none || trace.stays) return true;
    const model::Model& model = *system.names;
    std::vector<std::set<std::string>> enabled;
    std::vector<std::set<std::string>> moved;
    for (std::size_t i = trace.loop.value(); i < trace.size(); ++i) {
        const std::vector<std::string> names = system.enabled_at(trace, i);
        enabled.emplace_back(names.begin(), names.end());
        std::set<std::string>& by_step = moved.emplace_back();
        const successor::Word* const next = trace.state(trace.target(i));
        for (const successor::StepDetail& step : trace.system->steps(trace.state(i))) {
            if (step.fault != model::FaultKind::none ||
                (!trace.transitions.empty() && step.transition != trace.transitions[i]) ||
                !std::equal(step.next.begin(), step.next.end(), next))
                continue;
            for (const std::string& name : movers({step.parts, step.label}, model)) by_step.insert(name);
        }
    }
    for (const std::string& name : successor::process_table(model).names) {
        const auto has_it = [&](const std::set<std::string>& names) { return names.contains(name); };
        if (std::ranges::any_of(moved, has_it)) continue;
        const bool is_starved =
            fairness == Fairness::weak ? std::ranges::all_of(enabled, has_it) : std::ranges::any_of(enabled, has_it);
        if (is_starved) return false;
    }
    return true;
}

namespace {

bool asks_for(const LinearProperty& property, AtomMeaning::Kind kind) {
    return std::ranges::any_of(property.meanings, [&](const AtomMeaning& m) { return m.kind == kind; });
}

// The letters of the states of a run. `is_deadlock`: whether its last state is one.
std::vector<std::uint64_t> letters_of(const trace::Trace& trace, const LinearProperty& property,
                                      const LoadedSystem& system, bool is_deadlock) {
    const model::Model& model = *system.names;
    const bool asks_enabled = asks_for(property, AtomMeaning::Kind::enabled);
    const bool asks_moved = asks_for(property, AtomMeaning::Kind::moved);
    std::vector<std::string> names;
    if (asks_enabled || asks_moved) names = successor::process_table(model).names;
    Evaluator evaluator(model);
    std::vector<std::uint64_t> letters;
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
        letters.push_back(letter);
    }
    return letters;
}

bool is_proper_end(const trace::Trace& trace, const RunSpec& spec, const model::Model& model) {
    return !spec.end_states.empty() &&
           Evaluator(model).holds(end_states_of(spec, model), trace.values(trace.size() - 1));
}

}  // namespace

RunWord word_of(const trace::Trace& trace, const LinearProperty& property, const RunSpec& spec,
                const LoadedSystem& system) {
    RunWord result;
    result.word.loop = trace.loop.value();
    const bool is_deadlock = trace.stays && !is_proper_end(trace, spec, *system.names);
    result.ends = is_deadlock && spec.deadlocks == DeadlockReading::finite;
    result.word.letters = letters_of(trace, property, system, is_deadlock);
    return result;
}

bool is_bad_prefix(const trace::Trace& trace, const LinearProperty& property, const RunSpec& spec,
                   const LoadedSystem& system) {
    const bool speaks_of_ends =
        spec.deadlocks == DeadlockReading::finite || asks_for(property, AtomMeaning::Kind::deadlock);
    const bool is_deadlock = speaks_of_ends && system.enabled_at(trace, trace.size() - 1).empty() &&
                             !is_proper_end(trace, spec, *system.names);
    logic::Lasso word{letters_of(trace, property, system, is_deadlock), trace.size() - 1};
    const bool ends = is_deadlock && spec.deadlocks == DeadlockReading::finite;
    // A run that is not at its end goes on in any way; nothing that follows is a deadlock.
    if (!property.is_counterexample(word, ends)) return false;
    if (is_deadlock) return true;
    std::uint64_t possible = ones(property.atoms.size());
    for (std::size_t i = 0; i < property.meanings.size(); ++i)
        if (property.meanings[i].kind == AtomMeaning::Kind::deadlock) possible &= ~(std::uint64_t{1} << i);
    constexpr int kContinuations = 16;
    std::uint64_t state = 0x9e3779b97f4a7c15U;
    for (int i = 0; i < kContinuations; ++i) {
        logic::Lasso longer = word;
        longer.loop = word.letters.size();
        const auto next = [&] {
            state = state * 6364136223846793005U + 1442695040888963407U;
            return (state >> 17U) & possible;
        };
        // All false, all true, then anything.
        if (i < 2) longer.letters.push_back(i == 0 ? 0 : possible);
        else longer.letters.insert(longer.letters.end(), {next(), next(), next()});
        if (!property.is_counterexample(longer, false)) return false;
    }
    return true;
}

std::optional<trace::Trace> bad_prefix_of(const trace::Trace& run, const LinearProperty& property, const RunSpec& spec,
                                          const LoadedSystem& system) {
    const bool asks_for_ends = spec.deadlocks == DeadlockReading::finite || property.speaks_of_steps();
    if (!run.loop || !property.make_monitor || (asks_for_ends && !system.enabled_at)) return std::nullopt;
    const std::optional<automata::Automaton> monitor = property.make_monitor();
    if (!monitor || monitor->states.empty()) return std::nullopt;
    const std::vector<std::uint64_t> letters = word_of(run, property, spec, system).word.letters;
    const std::size_t round = run.size() - *run.loop;
    // Deterministic: where it is after as many rounds as it has states, it stays for ever.
    const std::size_t most = run.stays ? run.size() : run.size() + round * monitor->size();
    const auto place = [&](std::size_t i) { return i < run.size() ? i : *run.loop + (i - *run.loop) % round; };
    std::size_t state = monitor->initial;
    std::size_t last = 0;
    for (; last < most; ++last) {
        const auto& edges = monitor->states[state];
        const auto edge = std::ranges::find_if(edges, [&](const automata::Edge& each) {
            return property.labels->evaluate(each.label, letters[place(last)]);
        });
        if (edge == edges.end()) break;
        state = edge->target;
    }
    if (last == most) return std::nullopt;
    trace::Trace prefix = run;
    const std::size_t words = run.system->state_words();
    prefix.words.clear();
    prefix.transitions.clear();
    for (std::size_t i = 0; i <= last; ++i) {
        prefix.words.insert(prefix.words.end(), run.state(place(i)), run.state(place(i)) + words);
        if (i < last && !run.transitions.empty()) prefix.transitions.push_back(run.transitions[place(i)]);
    }
    prefix.loop.reset();
    prefix.stays = false;
    prefix.violation = trace::ShownViolation{trace::ShownViolation::Kind::formula, property.name, property.formula,
                                             model::FaultKind::none};
    if (!is_bad_prefix(prefix, property, spec, system))
        throw check::UnconfirmedTrace("what the run that was found begins with does not violate " + property.formula);
    return prefix;
}

}  // namespace tideline::run
