#include "run/language.hpp"

#include <algorithm>
#include <map>
#include <regex>

#include "input/load.hpp"
#include "model/evaluate.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::run {
namespace {

constexpr std::size_t kMostStates = 200'000;   // of the automaton, and of a model that is one
constexpr std::size_t kMostMessages = 65'536;  // letters that one transition tells apart
constexpr const char* kVariable = "language";
constexpr const char* kProperty = "language";
constexpr const char* kEndProperty = "language-end";

Refusal refused(const LanguageSpec& spec, const std::string& message, const std::string& hint = "") {
    return {{support::diagnostic_about(spec.file, message, hint)}, support::StopReason::none};
}

bool is_silent(const std::string& label) { return label.empty() || label == "i" || label == "tau"; }

// Numbers letters as they come.
class Letters {
public:
    std::uint32_t operator()(const std::string& letter) {
        const auto [place, is_new] = numbers_.emplace(letter, static_cast<std::uint32_t>(all.size()));
        if (is_new) all.push_back(letter);
        return place->second;
    }
    std::vector<std::string> all;

private:
    std::map<std::string, std::uint32_t> numbers_;
};

automata::WordGraph graph_of_lts(const model::Model& model, const LanguageSpec& spec) {
    automata::WordGraph graph;
    Letters letters;
    const model::Process& process = model.processes.front();
    graph.states.resize(process.outgoing.size());
    for (std::size_t s = 0; s < graph.states.size(); ++s) {
        for (const model::TransitionId t : process.outgoing[s]) {
            const model::Transition& transition = model.transitions[t];
            automata::WordGraph::Edge edge{static_cast<std::uint32_t>(transition.participants.front().to), {}};
            if (!is_silent(transition.label)) edge.letter = letters(transition.label);
            graph.states[s].push_back(edge);
        }
    }
    const model::SlotId location = model.variables[process.location].first_slot;
    for (std::size_t i = 0; i < model.initial_count(); ++i)
        graph.initial.push_back(static_cast<std::uint32_t>(model.initial_state(i)[location]));
    graph.letters = std::move(letters.all);
    graph.final.assign(graph.states.size(), spec.final.empty());
    for (const std::uint64_t state : spec.final) {
        if (state >= graph.states.size())
            throw refused(spec, "--final: there is no state " + std::to_string(state),
                          "it has the states 0 to " + std::to_string(graph.states.size() - 1));
        graph.final[state] = true;
    }
    return graph;
}

// The state space of a model, by the visible labels of its steps.
automata::WordGraph graph_of_model(const std::shared_ptr<const model::Model>& model, const LanguageSpec& spec,
                                   const support::Budget& budget) {
    if (!spec.final.empty()) throw refused(spec, "--final is for automata, whose states have numbers", "expected .aut");
    if (model->atomic) throw refused(spec, "a model with atomic sequences cannot be the specification");
    const StepTexts texts(*model, spec);
    const std::unique_ptr<successor::System> system =
        successor::make_interpreted_system(model, {}, successor::Layout::declared(*model), {}, nullptr);
    automata::WordGraph graph;
    Letters letters;
    std::map<std::vector<successor::Word>, std::uint32_t> numbers;
    std::vector<std::vector<successor::Word>> states;
    const auto number_of = [&](const std::vector<successor::Word>& state) {
        const auto [place, is_new] = numbers.emplace(state, static_cast<std::uint32_t>(states.size()));
        if (is_new) states.push_back(state);
        return place->second;
    };
    for (const std::vector<successor::Word>& state : system->initial_states())
        graph.initial.push_back(number_of(state));
    for (std::size_t at = 0; at < states.size(); ++at) {
        if (states.size() > kMostStates) throw refused(spec, "the specification has too many states");
        if (const support::StopReason reason = budget.exhausted(); reason != support::StopReason::none)
            throw Refusal{{support::diagnostic_of_stop(spec.file, reason, "its state space was explored")}, reason};
        const std::vector<successor::Word> state = states[at];
        const std::vector<model::Value> values = system->decode(state.data());
        std::vector<automata::WordGraph::Edge> edges;
        for (const successor::StepDetail& step : system->steps(state.data())) {
            if (step.fault != model::FaultKind::none)
                throw refused(spec, "the specification has a run-time fault: " + step.fault_text);
            automata::WordGraph::Edge edge{number_of(step.next), {}};
            const std::string label = texts.visible(texts.label(step.transition, values));
            if (!label.empty()) edge.letter = letters(label);
            edges.push_back(edge);
        }
        graph.states.push_back(std::move(edges));
    }
    graph.letters = std::move(letters.all);
    graph.final.assign(graph.states.size(), true);
    return graph;
}

automata::WordGraph graph_of(const LanguageSpec& spec, const support::Budget& budget) {
    support::Result<input::LoadedModel> loaded = input::load_model_text(spec.file, spec.text, {}, budget);
    if (!loaded) throw Refusal{loaded.diagnostics(), loaded.stopped()};
    return loaded->model->is_explicit_graph() ? graph_of_lts(*loaded->model, spec)
                                              : graph_of_model(loaded->model, spec, budget);
}

// Whether a word can be read to its end.
bool is_word_of(const automata::WordGraph& graph, const std::vector<std::string>& word) {
    std::vector<bool> now(graph.states.size(), false);
    std::vector<std::uint32_t> open = graph.initial;
    const auto close = [&] {
        while (!open.empty()) {
            const std::uint32_t s = open.back();
            open.pop_back();
            if (now[s]) continue;
            now[s] = true;
            for (const automata::WordGraph::Edge& edge : graph.states[s])
                if (!edge.letter) open.push_back(edge.target);
        }
    };
    close();
    for (const std::string& letter : word) {
        for (std::uint32_t s = 0; s < graph.states.size(); ++s)
            if (now[s])
                for (const automata::WordGraph::Edge& edge : graph.states[s])
                    if (edge.letter && graph.letters[*edge.letter] == letter) open.push_back(edge.target);
        now.assign(graph.states.size(), false);
        close();
    }
    return std::find(now.begin(), now.end(), true) != now.end();
}

std::vector<std::string> word_of(const trace::Trace& trace, const StepTexts& texts) {
    std::vector<std::string> word;
    for (std::size_t i = 0; i + 1 < trace.size(); ++i) {
        const std::vector<model::Value> values = trace.system->decode(trace.state(i));
        const successor::Word* const next = trace.state(i + 1);
        for (const successor::StepDetail& step : trace.system->steps(trace.state(i))) {
            if (step.fault != model::FaultKind::none || !std::equal(step.next.begin(), step.next.end(), next)) continue;
            if (!trace.transitions.empty() && trace.transitions[i] != step.transition) continue;
            if (std::string label = texts.visible(texts.label(step.transition, values)); !label.empty())
                word.push_back(std::move(label));
            break;
        }
    }
    return word;
}

// Adds the automaton to a model.
class Observer {
public:
    Observer(const model::Model& model, const automata::WordAutomaton& automaton, const LanguageSpec& spec)
        : spec_(spec), texts_(model, spec), automaton_(automaton), model_(model) {
        for (std::uint32_t l = 0; l < automaton.letters.size(); ++l) letters_.emplace(automaton.letters[l], l);
        const auto last = static_cast<model::Value>(automaton.illegal());
        model::Variable variable;
        variable.name = kVariable;
        variable.range = {0, last};
        const std::size_t before = model_.initial.size();
        variable_ = model_.add_variable(variable, {0});
        std::vector<model::Value> more;
        for (std::size_t i = 0; i < model_.more_initial.size(); i += before) {
            const auto begin = model_.more_initial.begin() + static_cast<std::ptrdiff_t>(i);
            more.insert(more.end(), begin, begin + static_cast<std::ptrdiff_t>(before));
            more.push_back(0);
        }
        model_.more_initial = std::move(more);
        add_table(std::string(kVariable) + "_legal", [&](std::uint32_t s) { return s != automaton.illegal() ? 1 : 0; });
        add_table(std::string(kVariable) + "_final",
                  [&](std::uint32_t s) { return s == automaton.illegal() || automaton.final[s] ? 1 : 0; });
        const model::TableId rank = add_table(std::string(kVariable) + "_rank", [&](std::uint32_t s) {
            return static_cast<model::Value>(automaton.rank[s]);
        });
        if (!model_.progress.empty())
            model_.progress.insert(model_.progress.begin(), {model::Expression::table(rank, state())});
        for (model::TransitionId t = 0; t < model_.transitions.size(); ++t) observe(t);
    }

    model::Model result() && { return std::move(model_); }

private:
    template <class ValueOf>
    model::TableId add_table(const std::string& name, ValueOf value_of) {
        model::Table table;
        table.name = name;
        table.array = true;
        for (std::uint32_t s = 0; s <= automaton_.illegal(); ++s) table.values.push_back(value_of(s));
        model_.tables.push_back(std::move(table));
        return static_cast<model::TableId>(model_.tables.size() - 1);
    }

    [[nodiscard]] model::Expression state() const { return model_.read(variable_); }
    [[nodiscard]] model::Expression illegal() const {
        return model::Expression::constant(static_cast<model::Value>(automaton_.illegal()));
    }

    // Where a visible label leads.
    model::Expression after(const std::string& label) {
        const auto letter = letters_.find(label);
        if (letter == letters_.end()) return illegal();
        const auto [place, is_new] = tables_.emplace(letter->second, 0);
        if (is_new)
            place->second = add_table(std::string(kVariable) + " after " + label, [&](std::uint32_t s) {
                return static_cast<model::Value>(automaton_.next[s][letter->second]);
            });
        return model::Expression::table(place->second, state());
    }

    void observe(model::TransitionId t) {
        model::Assign assign;
        assign.targets.push_back({variable_, std::nullopt});
        const std::string& plain = texts_.plain(t);
        const std::vector<model::Expression>* const message = texts_.message(t);
        if (message == nullptr) {
            const std::string label = texts_.visible(plain);
            if (label.empty()) return;
            assign.values.push_back(after(label));
        } else {
            // Labels that are told apart: those of the automaton, and those that have another name in it.
            model::Expression value = texts_.visible(plain).empty() ? state() : illegal();
            std::vector<std::string> known = automaton_.letters;
            for (const auto& [from, to] : spec_.rename) known.push_back(from);
            std::size_t count = 0;
            for (const std::string& label : known) {
                const std::optional<std::vector<model::Value>> values = message_of(label, plain);
                if (!values || values->size() != message->size()) continue;
                if (++count > kMostMessages) throw refused(spec_, "the channel " + plain + " has too many messages");
                model::Expression is_this = model::Expression::constant(1);
                for (std::size_t i = 0; i < values->size(); ++i)
                    is_this = model::Expression::both(
                        std::move(is_this), model::Expression::binary(model::Op::equal, (*message)[i],
                                                                      model::Expression::constant((*values)[i])));
                const std::string seen = texts_.visible(label);
                value = model::Expression::choice(std::move(is_this), seen.empty() ? state() : after(seen), value);
            }
            assign.values.push_back(std::move(value));
        }
        std::vector<model::Effect>& effects = model_.transitions[t].effects;
        effects.insert(effects.begin(), std::move(assign));
    }

    // The values of "channel(1,-2)".
    static std::optional<std::vector<model::Value>> message_of(const std::string& label, const std::string& channel) {
        if (!label.starts_with(channel + '(') || !label.ends_with(')')) return std::nullopt;
        std::vector<model::Value> values;
        std::size_t at = channel.size() + 1;
        while (at < label.size()) {
            std::size_t end = at;
            if (label[end] == '-') ++end;
            while (end < label.size() && label[end] >= '0' && label[end] <= '9') ++end;
            if (end == at || end - at > 18 || (label[end] != ',' && label[end] != ')')) return std::nullopt;
            if (label[end - 1] == '-') return std::nullopt;
            values.push_back(std::stoll(label.substr(at, end - at)));
            at = end + 1;
        }
        return values;
    }

    const LanguageSpec& spec_;
    StepTexts texts_;
    const automata::WordAutomaton& automaton_;
    model::Model model_;
    model::VariableId variable_ = 0;
    std::map<std::string, std::uint32_t> letters_;
    std::map<std::uint32_t, model::TableId> tables_;  // by letter
};

// The same run without the automaton's variable, which is the last slot.
trace::Trace without_automaton(const trace::Trace& trace) {
    trace::Trace result = trace;
    result.slots = result.slots - 1;
    return result;
}

}  // namespace

class StepTexts::Hidden {
public:
    explicit Hidden(const LanguageSpec& spec) try : is_any_(!spec.hide.empty()), expression_(spec.hide) {
    } catch (const std::regex_error&) {
        throw refused(spec, "--hide: " + support::in_quotes(spec.hide) + " is not a regular expression");
    }
    [[nodiscard]] bool matches(const std::string& label) const {
        return is_any_ && std::regex_match(label, expression_);
    }

private:
    bool is_any_;
    std::regex expression_;
};

StepTexts::StepTexts(const model::Model& model, const LanguageSpec& spec)
    : model_(model), spec_(spec), hidden_(std::make_shared<const Hidden>(spec)) {
    for (const model::Transition& transition : model.transitions) {
        std::string text = transition.label;
        if (text.empty() && !transition.participants.empty()) {
            const model::Participant& p = transition.participants.front();
            text = model.processes[p.process].name + '.' + model.location_name(p.process, p.from) + "->" +
                   model.location_name(p.process, p.to);
        }
        plain_.push_back(std::move(text));
    }
}

const std::vector<model::Expression>* StepTexts::message(model::TransitionId t) const {
    const model::Transition& transition = model_.transitions[t];
    if (transition.label.empty() || transition.effects.empty()) return nullptr;
    const auto* const first = std::get_if<model::Assign>(&transition.effects.front());
    if (first == nullptr || first->values.empty()) return nullptr;
    // Of a typed rendezvous, whose fields are checked, or of a buffered channel.
    const bool is_buffered =
        transition.participants.size() == 1 && (transition.label.ends_with('!') || transition.label.ends_with('?'));
    return !first->passing.empty() || is_buffered ? &first->values : nullptr;
}

std::string StepTexts::visible(const std::string& label) const {
    if (is_silent(label) || hidden_->matches(label)) return "";
    for (const auto& [from, to] : spec_.rename)
        if (from == label) return is_silent(to) ? "" : to;
    return label;
}

std::string StepTexts::label(model::TransitionId t, const std::vector<model::Value>& values) const {
    const std::vector<model::Expression>* const parts = message(t);
    if (parts == nullptr) return plain(t);
    std::string text;
    for (const model::Expression& part : *parts) {
        const model::Evaluation value = model::evaluate(part, model_.tables, values);
        text += (text.empty() ? "(" : ",") + std::to_string(value.value);
    }
    return plain(t) + text + ')';
}

OrRefusal<LoadedSystem> with_language(LoadedSystem system, const LanguageSpec& language,
                                      const support::Budget& budget) try {
    if (system.kind == InputKind::program)
        throw refused(language, "the steps of a system written in C++ have no labels that an automaton could read");
    const model::Model& plain = *system.names;
    if (plain.observer)
        throw refused(language, "a property process and an automaton of labels are not checked together");
    const auto is_taken = [](const auto& named) { return named.name.starts_with(kVariable); };
    if (std::any_of(plain.variables.begin(), plain.variables.end(), is_taken) ||
        std::any_of(plain.tables.begin(), plain.tables.end(), is_taken))
        throw refused(language, "the model has a variable whose name begins with 'language', as the automaton's has");
    auto graph = std::make_shared<const automata::WordGraph>(graph_of(language, budget));
    const std::optional<automata::WordAutomaton> automaton = automata::determinised(*graph, kMostStates);
    if (!automaton) throw refused(language, "the deterministic automaton has too many states");
    auto observed =
        std::make_shared<const model::Model>(Observer(plain, automata::minimal(*automaton), language).result());
    support::Result<progress::Measure> own = progress::own_measure(*observed);
    if (!own) throw Refusal{own.diagnostics(), support::StopReason::none};
    system.own_measure = std::nullopt;
    if (!own->components.empty()) system.own_measure = *std::move(own);
    system.make_system = systems_of(observed, system.own_measure);
    system.confirm = [confirm = system.confirm, graph, whole = system.names, language](const trace::Trace& trace,
                                                                                       const support::Budget& limits) {
        trace::Trace run = without_automaton(trace);
        const bool is_own = run.violation && run.violation->name == kProperty;
        if (is_own) run.violation = std::nullopt;
        trace::Confirmation result = confirm(run, limits);
        // By the automaton as it was given.
        if (is_own && result.is_confirmed() && !whole->atomic && !trace.loop &&
            is_word_of(*graph, word_of(trace, StepTexts(*whole, language))))
            result.disagreement = "the sequence of labels is said to be illegal, but it is one of the automaton's";
        return result;
    };
    if (system.enabled_at)
        system.enabled_at = [enabled = system.enabled_at](const trace::Trace& trace, std::size_t i) {
            return enabled(without_automaton(trace), i);
        };
    system.evaluate = [evaluate = system.evaluate](const std::string& atom, const trace::Trace& trace, std::size_t i) {
        return evaluate(atom, without_automaton(trace), i);
    };
    // A step through an atomic sequence has several labels.
    if (!plain.atomic)
        system.visible_labels = [whole = system.names, language](const trace::Trace& trace) {
            std::string text;
            for (const std::string& label : word_of(trace, StepTexts(*whole, language)))
                text += (text.empty() ? "" : " ") + label;
            return text;
        };
    system.names = std::move(observed);
    return system;
} catch (Refusal& refusal) {
    return std::move(refusal);
}

void add_language_properties(RunSpec& spec) {
    const auto has = [&](const char* name) {
        return std::any_of(spec.properties.begin(), spec.properties.end(),
                           [&](const PropertySpec& property) { return property.name == name; });
    };
    if (!has(kProperty))
        spec.properties.push_back(invariant(std::string(kVariable) + "_legal[" + kVariable + "]", kProperty));
    if (spec.language->final.empty() || has(kEndProperty)) return;
    spec.properties.push_back(no_deadlock(kEndProperty));
    spec.end_states = std::string(kVariable) + "_final[" + kVariable + "]";
}

}  // namespace tideline::run
