// tideline check: properties of states (invariants, deadlocks, assertions) by one search, properties of runs (formulas, automata, the
// model's own property process) by one search each; every property gets a verdict.
#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/properties.hpp"
#include "cli/run_property.hpp"
#include "cli/session.hpp"
#include "model/footprint.hpp"
#include "model/parse_expression.hpp"
#include "support/file.hpp"

namespace tideline {
namespace {

// What is asked, in the order in which it is told.
struct Question {
    PropertyLine::Kind kind = PropertyLine::Kind::invariant;
    std::string name;
    std::shared_ptr<const SourceText> source;  // of the option or the file
    SourceSpan text;
    std::optional<Answer> expected;

    [[nodiscard]] bool is_about_runs() const { return kind == PropertyLine::Kind::ltl || kind == PropertyLine::Kind::automaton; }
    [[nodiscard]] std::string words() const { return source ? std::string(source->text(text)) : ""; }
};

void add_options(std::vector<Question>& questions, const char* option, const char* name, PropertyLine::Kind kind,
                 const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
        Question question;
        question.kind = kind;
        question.name = texts.size() > 1 ? std::string(name) + ' ' + std::to_string(i + 1) : name;
        question.source = std::make_shared<const SourceText>(option, texts[i]);
        question.text = {0, static_cast<std::uint32_t>(texts[i].size())};
        questions.push_back(std::move(question));
    }
}

// Files that are named in a file of properties lie beside it.
std::string beside(const std::string& file, const std::string& path) {
    return std::filesystem::path(path).is_absolute() ? path : (std::filesystem::path(file).parent_path() / path).string();
}

// False, with a message, where the file of properties is wrong.
bool add_file(std::vector<Question>& questions, const std::string& path) {
    Result<std::string> text = read_text_file(path);
    if (!text) {
        print(text.diagnostics());
        return false;
    }
    const auto source = std::make_shared<const SourceText>(path, *std::move(text));
    const Result<std::vector<PropertyLine>> lines = parse_properties(*source);
    print(lines.diagnostics());
    if (!lines) return false;
    for (const PropertyLine& line : *lines) questions.push_back({line.kind, line.name, source, line.text, line.expected});
    return true;
}

std::optional<std::vector<Question>> questions_of(const CheckCommand& command) {
    std::vector<Question> questions;
    add_options(questions, "--invariant", "invariant", PropertyLine::Kind::invariant, command.invariants);
    if (command.deadlock) questions.push_back({PropertyLine::Kind::deadlock, "deadlock", nullptr, {}, std::nullopt});
    add_options(questions, "--ltl", "ltl", PropertyLine::Kind::ltl, command.formulas.ltl);
    add_options(questions, "--automaton", "automaton", PropertyLine::Kind::automaton, command.formulas.automata);
    if (command.properties && !add_file(questions, *command.properties)) return std::nullopt;
    return questions;
}

// Goals of one search for all properties of states.
struct StateGoals {
    std::vector<Goal> goals;
    std::vector<Expression> labels;

    // False, with a message, where the expression is wrong.
    bool add(const Question& question, const Model& model, bool quiet) {
        if (question.kind == PropertyLine::Kind::deadlock) {
            goals.push_back({Goal::Kind::deadlock, question.name, "", 0});
            return true;
        }
        const Result<Expression> parsed = parse_expression(model, *question.source, question.text, LocationNumbers::refused);
        if (!parsed || !quiet) print(parsed.diagnostics());
        if (!parsed) return false;
        goals.push_back({Goal::Kind::invariant, question.name, question.words(), labels.size()});
        labels.push_back(*parsed);
        return true;
    }

    void add(const NamedExpression& assertion) {
        const std::size_t colon = assertion.name.find(": ");  // P.s: condition
        goals.push_back(
            {Goal::Kind::assertion, "assert " + assertion.name.substr(0, colon), assertion.name.substr(colon + 2), labels.size()});
        labels.push_back(assertion.expression);
    }
};

PropertyOrStatus run_property(const Question& question, const PropertyContext& context) {
    if (question.kind == PropertyLine::Kind::ltl) return property_of_formula(context, question.name, *question.source, question.text);
    const std::string& file = question.source->path();
    return property_of_automaton(context, question.name, file.starts_with("--") ? question.words() : beside(file, question.words()));
}

// A property whose automaton could not be made within the limits.
Verdict without_automaton(const Question& question) {
    Verdict verdict;
    verdict.name = question.name;
    verdict.logic = "ltl";
    verdict.formula = question.words();
    verdict.reason = "its automaton could not be made within the limits";
    return verdict;
}

// Several searches as one outcome: figures add up, except for what was the most at a time.
class Together {
public:
    void add(Outcome next) {
        for (Verdict& verdict : next.verdicts) verdict.saw_everything = next.complete;
        if (!std::exchange(is_first_, false)) {
            if (next.engine != outcome_.engine) outcome_.engine += ", " + next.engine;
            outcome_.complete = outcome_.complete && next.complete;
            outcome_.counts_known = outcome_.counts_known && next.counts_known;
            // A limit is told rather than a violation, of which the verdict tells.
            if (outcome_.reason == StopReason::none || outcome_.reason == StopReason::violation)
                outcome_.reason = next.reason == StopReason::none ? outcome_.reason : next.reason;
            add(next.statistics);
            for (FaultReport& fault : next.faults) add(std::move(fault));
            std::move(next.verdicts.begin(), next.verdicts.end(), std::back_inserter(outcome_.verdicts));
            return;
        }
        outcome_ = std::move(next);
    }
    void add(Verdict verdict) { outcome_.verdicts.push_back(std::move(verdict)); }

    // In the order of the questions; what was not asked for comes last.
    Outcome take(const std::vector<Question>& questions, const std::string& engine) {
        if (is_first_) outcome_.engine = engine;
        std::vector<Verdict> sorted;
        for (const Question& question : questions) {
            const auto its =
                std::find_if(outcome_.verdicts.begin(), outcome_.verdicts.end(), [&](const Verdict& v) { return v.name == question.name; });
            its->expected = question.expected;
            sorted.push_back(std::move(*its));
            outcome_.verdicts.erase(its);
        }
        std::move(outcome_.verdicts.begin(), outcome_.verdicts.end(), std::back_inserter(sorted));
        outcome_.verdicts = std::move(sorted);
        return std::move(outcome_);
    }

private:
    void add(const Statistics& next) {
        Statistics& all = outcome_.statistics;
        all.states += next.states;
        all.transitions += next.transitions;
        all.deadlocks += next.deadlocks;
        all.faults += next.faults;
        all.expanded += next.expanded;
        all.seconds += next.seconds;
        all.compile_seconds += next.compile_seconds;
        all.peak_states = std::max(all.peak_states, next.peak_states);
        all.depth = std::max(all.depth, next.depth);
        all.state_bytes = std::max(all.state_bytes, next.state_bytes);
    }

    void add(FaultReport fault) {
        const bool known = std::any_of(outcome_.faults.begin(), outcome_.faults.end(),
                                       [&](const FaultReport& other) { return other.kind == fault.kind && other.text == fault.text; });
        if (!known) outcome_.faults.push_back(std::move(fault));
    }

    Outcome outcome_;
    bool is_first_ = true;
};

class Check {
public:
    Check(const CheckCommand& command, Subject subject, std::optional<Subject> with_property)
        : command_(command), session_(command.search, std::move(subject)), with_property_(std::move(with_property)) {}

    int run() {
        std::optional<std::vector<Question>> asked = questions_of(command_);
        if (!asked) return kWrongInput;
        questions_ = *std::move(asked);
        if (!names_differ() || !session_.parse_given_measure()) return kWrongInput;
        if (const int status = prepare(); status != kHolds) return status;
        if (!state_.goals.empty() && !session_.choose_engine()) return kWrongInput;
        if (!engine_fits() || !session_.outputs_are_writable()) return kWrongInput;
        if (!state_.goals.empty()) together_.add(session_.run(std::move(state_.goals), std::move(state_.labels), false));
        for (const RunProperty& property : runs_) together_.add(session_.decide(property));
        if (decides_process_) together_.add(session_.decide_property_process(*with_property_));
        return session_.report(together_.take(questions_, command_.search.engine), command_.expect);
    }

private:
    // Names tell verdicts apart.
    bool names_differ() const {
        for (std::size_t i = 0; i < questions_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (questions_[i].name == questions_[j].name) {
                    print({diagnostic_about(questions_[i].source ? questions_[i].source->path() : "",
                                            "there is a property " + in_quotes(questions_[i].name) + " already")});
                    return false;
                }
        return true;
    }

    // Everything that may be wrong is looked at before the first search.
    int prepare() {
        const bool quiet = command_.search.output.quiet;
        const PropertyContext context{session_.model(), command_.formulas.translator, session_.budget(), quiet};
        for (const Question& question : questions_) {
            if (!question.is_about_runs()) {
                if (!state_.add(question, session_.model(), quiet)) return kWrongInput;
                continue;
            }
            PropertyOrStatus made = run_property(question, context);
            if (auto* property = std::get_if<RunProperty>(&made))
                runs_.push_back(std::move(*property));
            else if (std::get<int>(made) == kUndecided)
                together_.add(without_automaton(question));
            else
                return std::get<int>(made);
        }
        if (!questions_.empty()) return kHolds;
        // Nothing asked for: what the model brings itself.
        for (const NamedExpression& assertion : session_.model().assertions) state_.add(assertion);
        decides_process_ = with_property_.has_value();
        if (!state_.goals.empty() || decides_process_) return kHolds;
        print({diagnostic_about(command_.search.model, "nothing to check: the model has no assertions and no property process",
                                "ask for --deadlock, --invariant EXPR or --ltl FORMULA")});
        return kWrongInput;
    }

    // Properties of states and of runs have different engines.
    [[nodiscard]] bool engine_fits() const {
        const std::string& engine = command_.search.engine;
        if (engine == "auto") return true;
        const bool about_runs = !runs_.empty() || decides_process_;
        if (engine == "couvreur" && !state_.goals.empty()) {
            print({diagnostic_about("", "the engine couvreur decides properties of runs, not invariants, assertions or deadlocks",
                                    "with --engine auto each property gets one that fits")});
            return false;
        }
        if (engine != "couvreur" && about_runs) {
            print({diagnostic_about("", "the engine " + engine + " does not decide properties of runs",
                                    "expected --engine auto or couvreur")});
            return false;
        }
        return true;
    }

    const CheckCommand& command_;
    Session session_;
    std::optional<Subject> with_property_;  // the model with its property process
    std::vector<Question> questions_;
    StateGoals state_;
    std::vector<RunProperty> runs_;
    bool decides_process_ = false;
    Together together_;
};

}  // namespace

int run(const CheckCommand& command, const CppProgram* program) {
    if (program != nullptr) return Check(command, program->make_subject(), std::nullopt).run();
    const SearchOptions& search = command.search;
    const Budget budget(loading_limits(search));
    int status = kHolds;
    const LoadOptions with_process{search.wrap, true};
    const std::optional<LoadedModel> loaded = loaded_or_explain(load_model(search.model, with_process, budget), search.output.quiet, status);
    if (!loaded) return status;
    std::optional<Subject> whole = subject_or_explain(*loaded, with_process, status);
    if (!whole) return status;
    if (!whole->names->observer) return Check(command, *std::move(whole), std::nullopt).run();
    const bool asks_nothing = command.invariants.empty() && !command.deadlock && command.formulas.ltl.empty() && command.formulas.automata.empty() && !command.properties;
    if (asks_nothing && depends_on_observer(*whole->names)) {
        Subject same = *whole;
        return Check(command, std::move(same), std::move(whole)).run();
    }
    // All but the property process itself is asked of the system without it.
    const LoadOptions without_process{search.wrap, false};
    const std::optional<LoadedModel> rest = loaded_or_explain(load_again(*loaded, without_process, budget), true, status);
    if (!rest) return status;
    std::optional<Subject> alone = subject_or_explain(*rest, without_process, status);
    if (!alone) return status;
    return Check(command, *std::move(alone), std::move(whole)).run();
}

}  // namespace tideline
