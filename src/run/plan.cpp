#include "run/plan.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "model/parse_expression.hpp"
#include "run/branching_properties.hpp"
#include "run/linear_property.hpp"
#include "run/state_properties.hpp"
#include "run/stubborn_run.hpp"

namespace tideline::run {
namespace {

Refusal refused(support::Diagnostic diagnostic) { return {{std::move(diagnostic)}, support::StopReason::none}; }

bool has_error(const support::Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const support::Diagnostic& d) { return d.severity == support::Severity::error; });
}

bool is_sweep(Engine engine) {
    return engine == Engine::sweep || engine == Engine::sweep_basic || engine == Engine::ledger ||
           engine == Engine::scc_ctl;
}
bool is_ltl_sweep(Engine engine) { return engine == Engine::ltl_sweep_offline || engine == Engine::ltl_sweep_online; }

class Planner {
public:
    Planner(RunSpec spec, const LoadedInput& input, const support::Budget& budget) : input_(input), budget_(budget) {
        plan_.spec = std::move(spec);
    }

    RunPlan run() {
        plan_.warnings = input_.warnings;
        plan_.explores_process = input_.system.names->observer.has_value();
        if (spec().end_states.empty()) plan_.spec.end_states = model().end_label;
        if (spec().task == Task::check && (spec().properties.empty() || !spec().chosen.empty())) {
            std::vector<PropertySpec> given = std::move(plan_.spec.properties);
            plan_.spec.properties.clear();
            add_own_properties();
            if (!spec().chosen.empty()) choose_properties();
            plan_.spec.properties.insert(plan_.spec.properties.end(), given.begin(), given.end());
        }
        check_names();
        check_labels();
        check_measure();
        check_deadlocks();
        check_cut_off();
        for (const PropertySpec& property : spec().properties) check_property(property);
        plan_.searches_states = spec().task == Task::explore || has_state_properties();
        if (is_for_ledger()) plan_.spec.engine = Engine::ledger;
        if (spec().engine == Engine::ledger) plan_.spec.record = explore::Recorded::edges;
        if (plan_.searches_states || is_sweep(spec().engine)) choose_engine();
        else if (is_ltl_sweep(spec().engine)) choose_measure();
        check_capabilities();
        return std::move(plan_);
    }

private:
    [[nodiscard]] const RunSpec& spec() const { return plan_.spec; }
    [[nodiscard]] const model::Model& model() const { return *input_.system.names; }
    [[nodiscard]] bool has_state_properties() const {
        return std::any_of(spec().properties.begin(), spec().properties.end(),
                           [](const PropertySpec& p) { return !p.is_linear() && !p.is_branching(); });
    }

    // Throws where there are errors.
    void take(const support::Diagnostics& diagnostics) {
        if (has_error(diagnostics)) throw Refusal{diagnostics, support::stop_reason(diagnostics)};
        plan_.warnings.insert(plan_.warnings.end(), diagnostics.begin(), diagnostics.end());
    }

    // No property was given: the model's own properties are checked.
    void add_own_properties() {
        for (const model::NamedExpression& assertion : model().assertions) {
            const std::size_t colon = assertion.name.find(": ");  // P.s: condition
            PropertySpec property;
            property.kind = PropertyKind::assertion;
            property.name = "assert " + assertion.name.substr(0, colon);
            property.text = assertion.name.substr(colon + 2);
            plan_.spec.properties.push_back(std::move(property));
        }
        // A language whose processes may end says where.
        if (!model().end_label.empty()) plan_.spec.properties.push_back(no_deadlock("end-state"));
        for (const input::FileProperty& own : input_.properties) {
            PropertySpec property;
            property.kind = PropertyKind::ltl;
            property.name = own.name;
            property.text = own.text;
            property.source = std::make_shared<const support::SourceText>(own.name, own.text);
            property.span = {0, static_cast<std::uint32_t>(own.text.size())};
            plan_.spec.properties.push_back(std::move(property));
        }
        if (input_.with_process) {
            const model::Model& whole = *input_.with_process->names;
            PropertySpec property;
            property.kind = PropertyKind::process;
            property.name = whole.processes[*whole.observer].name;
            plan_.spec.properties.push_back(std::move(property));
        }
        if (plan_.spec.properties.empty())
            throw refused(support::diagnostic_about(
                spec().model.path, "nothing to check: the model has no assertions and no property process",
                "ask for --deadlock, --invariant EXPR, --ltl FORMULA or --ctl FORMULA"));
    }

    // --property: some of the model's own ones.
    void choose_properties() {
        std::vector<PropertySpec> own = std::move(plan_.spec.properties);
        plan_.spec.properties.clear();
        for (const std::string& name : spec().chosen) {
            const auto found =
                std::find_if(own.begin(), own.end(), [&](const PropertySpec& p) { return p.name == name; });
            if (found == own.end()) {
                std::vector<std::string> names;
                for (const PropertySpec& property : own) names.push_back(property.name);
                throw refused(support::diagnostic_about(spec().model.path,
                                                        "the model has no property " + support::in_quotes(name),
                                                        support::suggestion(name, names)));
            }
            plan_.spec.properties.push_back(*found);
        }
    }

    // --acceptance and --non-progress ask about labels of processes, which Promela has.
    void check_labels() const {
        struct Asked {
            std::string_view option, label, prefix;
        };
        constexpr Asked kAsked[] = {{"--acceptance", "accept_", "accept"}, {"--non-progress", "np_", "progress"}};
        for (const PropertySpec& property : spec().properties)
            for (const Asked& asked : kAsked) {
                if (!property.source || property.source->path() != asked.option) continue;
                if (std::any_of(model().labels.begin(), model().labels.end(),
                                [&](const model::NamedExpression& l) { return l.name == asked.label; }))
                    continue;
                throw refused(support::diagnostic_about(
                    spec().model.path,
                    std::string(asked.option) +
                        " is for models in Promela, whose processes have labels that begin with " +
                        support::in_quotes(std::string(asked.prefix)),
                    "ask for --ltl FORMULA"));
            }
    }

    // Names distinguish verdicts. Those of assertions are the model's, and several may stand in one location.
    void check_names() const {
        std::unordered_set<std::string_view> names;
        for (const PropertySpec& property : spec().properties) {
            if (names.insert(property.name).second || property.kind == PropertyKind::assertion) continue;
            throw refused(
                support::diagnostic_about(property.source ? property.source->path() : "",
                                          "there is a property " + support::in_quotes(property.name) + " already"));
        }
    }

    void check_measure() {
        if (spec().progress.kind == ProgressChoice::Kind::given)
            take(progress::parse_measure(model(), spec().progress.measure).diagnostics());
    }

    void check_deadlocks() {
        const bool records = spec().ledger.kind == LedgerChoice::Kind::directory;
        if (spec().task == Task::explore && records && !spec().properties.empty() &&
            (spec().deadlocks != DeadlockReading::stutter || !spec().end_states.empty()))
            throw refused(support::diagnostic_about("", "audits of ledgers read deadlocks by --deadlocks stutter only",
                                                    "explore without --ledger DIR"));
        if (spec().end_states.empty()) return;
        take(parse_end_states(spec().end_states, model()).diagnostics());
    }

    void check_cut_off() {
        if (spec().cut_off.empty()) return;
        take(model::parse_expression(model(), support::SourceText("--cut-off", spec().cut_off)).diagnostics());
        if (std::any_of(spec().properties.begin(), spec().properties.end(),
                        [](const PropertySpec& p) { return p.is_linear() || p.is_branching(); }) ||
            plan_.explores_process)
            throw refused(support::diagnostic_about(
                "", "--cut-off: a run that is cut short decides nothing about runs that go on",
                "ask for invariants, assertions or deadlocks"));
        if (spec().ledger.kind == LedgerChoice::Kind::directory || spec().record != explore::Recorded::tree)
            throw refused(support::diagnostic_about("",
                                                    "--cut-off: the ledger would lack the steps of states that are cut",
                                                    "leave --ledger DIR and --record out"));
    }

    void check_property(const PropertySpec& property) {
        if (const support::StopReason reason = budget_.exhausted(); reason != support::StopReason::none)
            throw Refusal{{support::diagnostic_of_stop(property.name, reason, "the properties were parsed")}, reason};
        switch (property.kind) {
            case PropertyKind::invariant:
                take((property.source
                          ? model::parse_expression(model(), *property.source, property.span,
                                                    model::LocationNumbers::refused)
                          : model::parse_expression(model(), support::SourceText(property.name, property.text)))
                         .diagnostics());
                break;
            case PropertyKind::ltl:
            case PropertyKind::automaton: take(check_linear_property(property, model(), budget_)); break;
            case PropertyKind::ctl:
            case PropertyKind::ctlstar: take(check_branching_property(property, model(), spec().deadlocks)); break;
            case PropertyKind::deadlock:
            case PropertyKind::assertion:
            case PropertyKind::process: break;
        }
    }

    // Of an engine for linear-time properties, each of which may have a measure of its own.
    void choose_measure() {
        using Kind = ProgressChoice::Kind;
        plan_.measure_source = spec().progress.kind == Kind::given  ? MeasureSource::given
                               : spec().progress.kind == Kind::none ? MeasureSource::none
                               : spec().progress.kind == Kind::projection || !input_.system.own_measure
                                   ? MeasureSource::open
                                   : MeasureSource::own;
        plan_.measure = spec().progress.measure;
    }

    void choose_engine() {
        const bool seeks = (spec().progress.kind == ProgressChoice::Kind::automatic && !input_.system.own_measure) ||
                           spec().progress.kind == ProgressChoice::Kind::projection;
        plan_.measure_source = spec().progress.kind == ProgressChoice::Kind::given  ? MeasureSource::given
                               : spec().progress.kind == ProgressChoice::Kind::none ? MeasureSource::none
                               : input_.system.own_measure                          ? MeasureSource::own
                                                                                    : MeasureSource::none;
        plan_.measure = spec().progress.measure;
        plan_.engine = spec().engine;
        if (spec().engine == Engine::automatic && !wants_sweep()) return choose_breadth_first();
        if (seeks && (is_sweep(spec().engine) || (spec().engine == Engine::automatic && !spec().compress)))
            plan_.measure_source = MeasureSource::open;
        else if (spec().engine == Engine::automatic)
            plan_.engine =
                engine_for(plan_, plan_.measure_source != MeasureSource::none &&
                                      !(spec().compress && spec().progress.kind != ProgressChoice::Kind::given));
        if (spec().engine == Engine::automatic && plan_.measure_source == MeasureSource::given)
            plan_.engine_reason = "a progress measure was given";
    }

    // Properties of branching time alone, and a ledger is asked for.
    [[nodiscard]] bool is_for_ledger() const {
        return spec().task == Task::check && spec().engine == Engine::automatic &&
               spec().ledger.kind == LedgerChoice::Kind::directory &&
               std::all_of(spec().properties.begin(), spec().properties.end(),
                           [](const PropertySpec& p) { return p.is_branching(); });
    }

    // What `auto` needs a sweep for, or a ledger, from the start.
    [[nodiscard]] bool wants_sweep() const {
        return spec().progress.kind == ProgressChoice::Kind::given ||
               spec().progress.kind == ProgressChoice::Kind::projection ||
               spec().ledger.kind == LedgerChoice::Kind::directory || spec().record != explore::Recorded::tree;
    }

    // Breadth-first in memory is the fastest where it fits, and its traces are shortest.
    void choose_breadth_first() {
        plan_.engine = Engine::bfs;
        plan_.measure_source = MeasureSource::none;
        plan_.engine_reason = "the fastest where all states fit into memory";
        plan_.changes_over = spec().progress.kind == ProgressChoice::Kind::automatic &&
                             spec().ledger.kind == LedgerChoice::Kind::automatic && !spec().compress;
    }

    void check_capabilities() const {
        const bool has_measure = plan_.measure_source != MeasureSource::none;
        const auto check = [&](PropertyClass property) {
            const Capability capability = run::capability(property, spec().engine, has_measure, input_.system.kind);
            if (!capability.supported) throw refused(support::diagnostic_about("", capability.reason, capability.hint));
        };
        for (const PropertySpec& property : spec().properties) {
            for (const Capability& capability :
                 {reading_capability(property.kind, spec().deadlocks),
                  fairness_capability(property.kind, spec().engine, spec().fairness, input_.system.kind),
                  symmetry_capability(spec().fairness, spec().symmetry)})
                if (!capability.supported)
                    throw refused(support::diagnostic_about("", capability.reason, capability.hint));
        }
        for (const EngineVariant variant : spec().variants) {
            const Capability capability = variant_capability(variant, spec().engine);
            if (!capability.supported) throw refused(support::diagnostic_about("", capability.reason, capability.hint));
        }
        for (const PropertySpec& property : spec().properties) {
            if (property.kind != PropertyKind::process) continue;
            const bool has_states =
                input_.with_process->names->acceptance_sets <= 1 && spec().deadlocks != DeadlockReading::ignore;
            const Capability capability = marks_capability(spec().engine, has_states);
            if (!capability.supported) throw refused(support::diagnostic_about("", capability.reason, capability.hint));
        }
        if (spec().language && !spec().symmetry.empty())
            throw refused(
                support::diagnostic_about("",
                                          "--symmetry: the label of a step is not the same in a state and its "
                                          "representative, so --language is not kept",
                                          "leave --symmetry out"));
        if (spec().stubborn != StubbornSets::none) {
            const Capability capability = stubborn_capability(spec(), input_.system);
            if (!capability.supported) throw refused(support::diagnostic_about("", capability.reason, capability.hint));
        }
        check_ledger();
        if (spec().task == Task::explore) return check(PropertyClass::exploration);
        for (const PropertySpec& property : spec().properties) check(class_of(property.kind));
        check_options();
    }

    // An engine that would ignore a ledger says so.
    void check_ledger() const {
        if (spec().ledger.kind != LedgerChoice::Kind::directory || spec().engine == Engine::automatic ||
            traits_of(spec().engine).ledger)
            return;
        throw refused(
            support::diagnostic_about("", "the engine " + std::string(to_string(spec().engine)) + " writes no ledger",
                                      "leave --ledger " + spec().ledger.directory +
                                          " out, or use one of the engines that keep one: " + engines_with_ledger()));
    }

    // A language's own proper ends repeat, as all deadlocks do in the reading `stutter`.
    void check_ends_of_branching() const {
        if (spec().end_states.empty()) return;
        if (spec().end_states != model().end_label)
            throw refused(support::diagnostic_about("", "--end-states is not for formulas of CTL and CTL*",
                                                    "expected --deadlocks stutter, finite or ignore alone"));
        const std::string why = "processes of this model may end properly, which formulas of CTL and CTL* do not know";
        if (spec().deadlocks != DeadlockReading::stutter)
            throw refused(support::diagnostic_about("", why, "expected --deadlocks stutter"));
        for (const PropertySpec& property : spec().properties)
            if (property.is_branching() && speaks_of_deadlocks(property, model()))
                throw refused(support::diagnostic_about(property.name, why, "ask without the atom 'deadlock'"));
    }

    // Options that only some properties and engines have.
    void check_options() const {
        const bool is_linear = std::any_of(spec().properties.begin(), spec().properties.end(),
                                           [](const PropertySpec& p) { return p.is_linear(); });
        if (is_linear && spec().engine == Engine::sweep && spec().ledger.kind == LedgerChoice::Kind::none)
            throw refused(support::diagnostic_about(
                "", "the engine sweep decides linear-time properties with a ledger only", "leave --ledger none out"));
        const auto any = [&](bool (PropertySpec::*is)() const) {
            return std::any_of(spec().properties.begin(), spec().properties.end(),
                               [&](const PropertySpec& p) { return (p.*is)(); });
        };
        if (any(&PropertySpec::is_branching)) check_ends_of_branching();
        if (spec().engine == Engine::ledger || spec().engine == Engine::scc_ctl)
            for (const PropertySpec& property : spec().properties)
                if (const std::optional<Refusal> refusal = refused_by_sweeps(property, model(), spec().engine))
                    throw *refusal;
        if (spec().engine == Engine::scc_ctl && spec().deadlocks == DeadlockReading::ignore)
            throw refused(support::diagnostic_about(
                "", "the engine scc-ctl does not know which runs end behind the exits of a layer",
                "expected --deadlocks stutter or finite, or another engine"));
        if (spec().engine == Engine::ledger && spec().ledger.kind == LedgerChoice::Kind::none)
            throw refused(support::diagnostic_about("", "the engine ledger needs a ledger",
                                                    "expected --ledger auto or --ledger DIR"));
        if (spec().ledger.kind == LedgerChoice::Kind::directory && any(&PropertySpec::is_branching) &&
            spec().engine != Engine::ledger && spec().engine != Engine::scc_ctl)
            throw refused(support::diagnostic_about(
                "", "formulas of CTL and CTL* use a ledger with the engines ledger and scc-ctl alone",
                "expected --engine ledger, or no --ledger"));
        if (spec().engine == Engine::scc_ctl && spec().record != explore::Recorded::tree)
            throw refused(support::diagnostic_about(
                "", "the engine scc-ctl records the spanning tree alone, not " + std::string(to_string(spec().record)),
                "expected --record tree, or --engine ledger"));
        const BranchingSpec& branching = spec().branching;
        if (branching == BranchingSpec{}) return;
        if (!any(&PropertySpec::is_branching))
            throw refused(support::diagnostic_about(
                "", "--satisfying, --list, --order and --evidence are for formulas of CTL and CTL*",
                "give one with --ctl FORMULA"));
        if (branching.order != ProdOrder::numbers && spec().engine != Engine::prod)
            throw refused(support::diagnostic_about("", "--order is for the engine prod", "expected --engine prod"));
        if (branching.satisfying && spec().engine == Engine::local)
            throw refused(support::diagnostic_about(
                "",
                "the engine local visits the states that an answer needs, and cannot count those that satisfy a formula",
                "expected --engine auto, labelling, prod or ledger"));
    }

    const LoadedInput& input_;
    const support::Budget& budget_;
    RunPlan plan_;
};

}  // namespace

std::string_view to_string(MeasureSource source) {
    switch (source) {
        case MeasureSource::none: return "none";
        case MeasureSource::own: return "own";
        case MeasureSource::given: return "given";
        case MeasureSource::found: return "found";
        case MeasureSource::open: return "open";
    }
    return "unknown";
}

bool RunPlan::keeps_ledger() const {
    if (engine != Engine::ledger && (!searches_states || !traits_of(engine).ledger)) return false;
    if (engine == Engine::sweep || engine == Engine::ledger) return spec.ledger.kind != LedgerChoice::Kind::none;
    return spec.ledger.kind == LedgerChoice::Kind::directory;
}

const PropertySpec* RunPlan::product() const {
    return spec.task == Task::explore && !spec.properties.empty() ? &spec.properties.front() : nullptr;
}

Engine engine_for(const RunPlan& plan, bool has_measure) {
    if (plan.spec.engine != Engine::automatic) return plan.spec.engine;
    return has_measure ? Engine::sweep : Engine::bfs;
}

OrRefusal<RunPlan> plan(RunSpec spec, const LoadedInput& input, const support::Budget& budget) {
    try {
        return Planner(std::move(spec), input, budget).run();
    } catch (Refusal& refusal) {
        return std::move(refusal);
    }
}

}  // namespace tideline::run
