// The path of a run, from the plan to the report:
//   1. formulas become automata (linear_property.hpp);
//   2. one search decides all properties of states, or explores: resolve() finds its measure and engine where the plan
//      leaves them open, and the ledger is made, with the resolved plan in its header, before the search begins;
//   3. every linear-time property has a search of its own;
//   4. the outcomes are merged into the report.
// A search decides verdicts (check/verdict.hpp: decide()); their evidence is computed after it, within what is left of
// the budget. Each step checks the budget first. A run whose budget ends before a search leaves no ledger behind.
#include "run/execute.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "automata/hoa_print.hpp"
#include "automata/system_product.hpp"
#include "check/layer_branching.hpp"
#include "check/ledger_branching.hpp"
#include "check/ltl.hpp"
#include "check/reachability.hpp"
#include "progress/find_measure.hpp"
#include "run/branching_run.hpp"
#include "run/ledger_atoms.hpp"
#include "run/linear_product.hpp"
#include "run/linear_property.hpp"
#include "run/measure_in_use.hpp"
#include "run/merge_outcomes.hpp"
#include "run/run_ledger.hpp"
#include "run/search_for_measure.hpp"
#include "run/state_properties.hpp"
#include "run/stored_plan.hpp"
#include "support/memory.hpp"

namespace tideline::run {
namespace {

explore::WalkOrder order_of(Engine engine) {
    switch (engine) {
        case Engine::dfs: return explore::WalkOrder::depth_first;
        case Engine::sweep:
        case Engine::ledger: return explore::WalkOrder::sweep;
        case Engine::scc_ctl:
        case Engine::sweep_basic: return explore::WalkOrder::sweep_basic;
        case Engine::automatic:
        case Engine::bfs:
        case Engine::couvreur:
        case Engine::graph:
        case Engine::labelling:
        case Engine::prod:
        case Engine::local: break;
    }
    return explore::WalkOrder::breadth_first;
}

// With a ledger, where there is one.
bool is_exact_sweep(Engine engine) { return engine == Engine::sweep || engine == Engine::ledger; }

bool is_sweep(Engine engine) {
    return is_exact_sweep(engine) || engine == Engine::sweep_basic || engine == Engine::scc_ctl;
}

// The layout of the system in that of a product.
successor::Layout without_last_slot(const successor::Layout& layout, model::SlotId slots) {
    std::vector<model::Range> ranges;
    for (model::SlotId slot = 0; slot < slots; ++slot) ranges.push_back(layout.range(slot));
    return successor::Layout(std::move(ranges));
}

class Execution {
public:
    Execution(RunPlan plan, const LoadedInput& input, Sink& sink, const support::Budget& budget, std::string resumed)
        : plan_(std::move(plan)),
          input_(input),
          sink_(sink),
          budget_(budget),
          resumed_(std::move(resumed)),
          measure_(input.system, nullptr) {}

    RunReport run() {
        translate();
        MergedOutcome merged;
        for (check::Verdict& verdict : untranslated_) merged.add(std::move(verdict), untranslated_reason_);
        if (plan_.searches_states) merged.add(answer_state_questions());
        for (const LinearProperty& property : linear_) merged.add(decide(property));
        if (const PropertySpec* process = property_process()) merged.add(decide_process(*process));
        decide_branching(merged);
        RunReport report;
        const bool is_exploration = plan_.spec.task == Task::explore;
        report.outcome = merged.take(is_exploration ? std::vector<PropertySpec>() : plan_.spec.properties);
        complete(report);
        return report;
    }

private:
    [[nodiscard]] const RunSpec& spec() const { return plan_.spec; }
    [[nodiscard]] const model::Model& model() const { return *input_.system.names; }

    // ---- formulas ---------------------------------------------------------------------------------------------------

    void translate() {
        for (PropertySpec& property : plan_.spec.properties) {
            if (property.kind != PropertyKind::ltl && property.kind != PropertyKind::automaton) continue;
            std::variant<LinearProperty, Untranslated> made =
                make_linear_property(property, model(), spec().deadlocks, spec().translator, sink_, budget_);
            if (const auto* untranslated = std::get_if<Untranslated>(&made)) {
                if (spec().task == Task::explore)
                    throw Refusal{{support::diagnostic_about("--ltl", untranslated->reason)},
                                  support::StopReason::time};
                check::Verdict verdict;
                verdict.name = property.name;
                verdict.logic = "ltl";
                verdict.formula = property.text;
                verdict.reason = untranslated->reason;
                untranslated_.push_back(std::move(verdict));
                untranslated_reason_ = budget_.exhausted();
                continue;
            }
            auto& linear = std::get<LinearProperty>(made);
            // What another program translated is kept: a run that is resumed starts no programs. So is what the states
            // of a ledger refer to.
            const bool is_product = spec().task == Task::explore;
            if (property.kind == PropertyKind::ltl && property.automaton.empty() &&
                (is_product || !spec().translator.empty()))
                property.automaton = automata::to_hoa(linear.automaton);
            if (is_product) product_ = std::make_unique<LinearProperty>(std::move(linear));
            else linear_.push_back(std::move(linear));
        }
        if (product_) measure_ = MeasureInUse(input_.system, &product_->automaton);
    }

    // ---- states -----------------------------------------------------------------------------------------------------

    check::Outcome answer_state_questions() {
        const StateProperties properties = state_properties(plan_, model());
        if (spec().progress.kind == ProgressChoice::Kind::given) use_measure(spec().progress.measure);
        try {
            if (!plan_.is_resolved()) resolve();
            // A run that is resumed has a ledger, and may have violations in it to report.
            if (resumed_.empty()) stop_if_exhausted();
        } catch (const Stopped& stopped) {
            return unsearched(properties, stopped.reason);
        }
        return search(properties, plan_.engine, spec().states);
    }

    // The budget ended before the search began.
    struct Stopped {
        support::StopReason reason;
    };
    void stop_if_exhausted() const {
        if (const support::StopReason reason = budget_.exhausted(); reason != support::StopReason::none)
            throw Stopped{reason};
    }
    [[nodiscard]] check::Outcome unsearched(const StateProperties& properties, support::StopReason reason) const {
        check::Outcome outcome;
        outcome.engine = to_string(plan_.engine);
        outcome.reason = reason;
        if (spec().task == Task::check)
            for (const check::StateProperty& property : properties.properties)
                outcome.verdicts.push_back(
                    undecided(property.name, std::string(logic_name(property.kind)), property.formula, reason));
        return outcome;
    }
    [[nodiscard]] static check::Verdict undecided(std::string name, std::string logic, std::string formula,
                                                  support::StopReason reason) {
        check::Verdict verdict;
        verdict.name = std::move(name);
        verdict.logic = std::move(logic);
        verdict.formula = std::move(formula);
        check::decide(verdict, {.stopped = reason});
        return verdict;
    }

    void use_measure(const std::string& text) {
        support::Result<progress::Measure> measure = progress::parse_measure(model(), text);
        if (!measure) throw Refusal{std::move(measure).diagnostics(), support::StopReason::none};
        measure_.use(*std::move(measure));
    }

    // Finds the measure that the plan leaves open, and with it the engine.
    void resolve() {
        const bool is_asked = is_sweep(plan_.engine);
        // Unless a sweep was requested, most of the time is left to the search.
        support::BudgetLimits limits = budget_.limits();
        if (!is_asked && limits.time) limits.time = *budget_.time_left() / 4;
        const support::Budget share(limits, [this] { return budget_.is_interrupted(); });
        progress::FoundMeasures found =
            search_for_measures(input_.system, product_ ? &*product_ : nullptr, sweep_kind(spec()), nullptr, share);
        found.pilot = {};
        support::release_free_memory();
        const bool is_cut = share.exhausted() == support::StopReason::time;
        if (is_cut) found.measures.clear();
        stop_if_exhausted();  // an interrupted search for a measure decides nothing
        // What a sweep by a measure may keep in memory at most, of all states, to be preferred.
        constexpr double kWorthwhile = 0.6;
        const bool is_good = !found.measures.empty() && found.measures[0].predicted_share <= kWorthwhile;
        plan_.measure_source = MeasureSource::none;
        if (is_good || (is_asked && !found.measures.empty())) {
            plan_.measure_source = MeasureSource::found;
            plan_.measure = progress::measure_text(found.measures[0].measure);
            plan_.predicted_share = found.measures[0].predicted_share;
            measure_.use(std::move(found.measures[0].measure));
        }
        if (!is_asked)
            plan_.engine_reason =
                is_good
                    ? fmt::format("a measure of progress was found that keeps about {:.1f} % of the states in memory",
                                  100 * *plan_.predicted_share)
                : is_cut ? "no measure of progress was found in a quarter of the time"
                         : "no measure of progress was found that keeps states out of memory";
        if (is_exact_sweep(plan_.engine) && !measure_.exists()) {
            // A constant is a measure: one layer, which an exact sweep visits as a breadth-first search with a ledger
            // does.
            sink_.notice("no measure of progress was found; the sweep has one layer");
            plan_.measure_source = MeasureSource::found;
            plan_.measure = "0";
            use_measure(plan_.measure);
        }
        if (is_asked && !measure_.exists()) {
            const Capability capability =
                run::capability(PropertyClass::exploration, plan_.engine, false, input_.system.kind);
            throw Refusal{{support::diagnostic_about("", capability.reason + ", and none was found", capability.hint)},
                          support::StopReason::none};
        }
        plan_.engine = engine_for(plan_, plan_.measure_source != MeasureSource::none);
    }

    // One search through the states. Where it keeps a ledger, the plan is resolved, and the ledger's header holds it.
    check::Outcome search(const StateProperties& properties, Engine engine, std::optional<std::uint64_t> states) {
        const bool records = plan_.is_resolved() && engine == plan_.engine && plan_.keeps_ledger();
        const LedgerPurpose purpose{
            properties.properties, product_text(),
            is_exact_sweep(engine) ? measure_.key_layout() : decltype(LedgerPurpose::key_layout)(), properties.atoms};
        std::optional<successor::Layout> layout;
        if (records && !resumed_.empty()) {
            ledger_ = RunLedger::reopen(resumed_, spec().limits);
            ledger_->verify(purpose);
            layout = ledger_->layout();
            if (layout && product_) layout = without_last_slot(*layout, model().slot_count());
        }
        check::ReachabilityRequest request;
        request.system = make_system(properties.labels, engine, std::move(layout));
        request.order = order_of(engine);
        request.properties = properties.properties;
        request.exploration = spec().task == Task::explore || engine == Engine::ledger;
        request.settings = settings(states);
        request.settings.threads = spec().threads;
        request.settings.sleep = spec().sleep == SleepSets::automatic;
        request.settings.compress = spec().compress;
        if (engine == plan_.engine || plan_.engine == Engine::automatic) give_notices(engine, records);
        const bool has_slots = request.system->layout() != nullptr;
        if (!records && is_exact_sweep(engine) && has_slots) request.settings.block_bits = measure_.block_bits();
        if (records) {
            if (!ledger_) ledger_ = RunLedger::create(plan_, *request.system, purpose, sink_);
            explore::LedgerRun& run = ledger_->run();
            if (is_exact_sweep(engine) && has_slots) run.block_bits = measure_.block_bits();
            constexpr std::uint64_t kQuicklyRead = 1U << 14U;
            if (request.exploration && properties.properties.empty()) run.thin_above = kQuicklyRead;
            request.settings.ledger = &run;
            if (ledger_->is_temporary()) sink_.ledger_opened(ledger_->directory());
        }
        request.tick = [this](const explore::Statistics& statistics) { sink_.progress(statistics); };
        request.confirm = input_.system.confirm;
        request.hidden_slots = product_ ? 1 : 0;
        if (records)
            request.scratch_ledger = [this, &purpose](const successor::System& system) {
                return scratch_ledger(system, purpose);
            };
        check::Outcome outcome = check::with_evidence(check::decide_reachability(request), budget_);
        scratch_.reset();
        sink_.progress_ended();
        if (outcome.statistics.threads_refused > 0)
            sink_.notice(fmt::format("the system did not allow {} threads; the search had {}", spec().threads,
                                     outcome.statistics.threads));
        if (records && outcome.resumable && outcome.reason != support::StopReason::violation &&
            !outcome.measure_error) {
            ledger_->keep();
            resumable_ = ledger_->directory();
        }
        return outcome;
    }

    // For one thread, to find again what several have found.
    explore::LedgerRun* scratch_ledger(const successor::System& system, const LedgerPurpose& purpose) {
        RunPlan plan = plan_;
        plan.spec.ledger = {};
        scratch_ = RunLedger::create(plan, system, purpose, sink_);
        explore::LedgerRun& run = scratch_->run();
        run.checkpoint_every = std::chrono::hours(24 * 365);  // it is never resumed
        run.block_bits = ledger_->run().block_bits;
        run.thin_above = ledger_->run().thin_above;
        return &run;
    }

    [[nodiscard]] explore::SearchSettings settings(std::optional<std::uint64_t> states) const {
        explore::SearchSettings settings;
        settings.budget = &budget_;
        settings.states = states;
        return settings;
    }

    // The automaton that an exploration multiplies the system with; of a formula as the plan has it.
    [[nodiscard]] std::string product_text() const {
        if (!product_) return "";
        return plan_.product()->kind == PropertyKind::ltl ? plan_.product()->automaton
                                                          : automata::to_hoa(product_->automaton);
    }

    // Reports deviations from the request.
    void give_notices(Engine engine, bool records) {
        const std::string name(to_string(engine));
        if (spec().threads > 1 && spec().are_threads_requested && !traits_of(engine).threads)
            sink_.notice("the engine " + name + " has one thread");
        if (spec().compress && !traits_of(engine).compresses)
            sink_.notice("the engine " + name + " does not compress its states");
        if (spec().compress && records) sink_.notice("a search with a ledger does not compress its states");
        if (spec().record != explore::Recorded::tree && !records)
            sink_.notice(
                "this search keeps no ledger, and nothing is recorded; a breadth-first search does with --ledger DIR");
        if ((engine == Engine::couvreur || engine == Engine::graph) &&
            spec().ledger.kind == LedgerChoice::Kind::directory)
            sink_.notice("the engine " + name + " writes no ledger");
    }

    [[nodiscard]] std::shared_ptr<const successor::System> make_plain_system(
        const LoadedSystem& system, std::vector<model::Expression> labels, const progress::Measure* measure,
        std::optional<successor::Layout> layout) const {
        std::string notice;
        std::shared_ptr<const successor::System> made =
            system.make_system(std::move(labels), measure, spec().successors, std::move(layout), budget_, notice);
        if (!notice.empty()) sink_.notice(notice);
        return made;
    }

    // With the measure that the engine needs, times the automaton where there is one.
    [[nodiscard]] std::shared_ptr<const successor::System> make_system(std::vector<model::Expression> labels,
                                                                       Engine engine,
                                                                       std::optional<successor::Layout> layout) const {
        const bool sweeps = is_sweep(engine);
        const progress::Measure none;
        const MakeSystem plain = [&](std::vector<model::Expression> all) {
            return make_plain_system(input_.system, std::move(all), sweeps ? measure_.given() : &none,
                                     std::move(layout));
        };
        if (!product_) return plain(std::move(labels));
        automata::ProductSettings settings;
        if (sweeps && measure_.has_rank()) settings.rank = automata::RankPlace::first;
        if (sweeps) settings.key_bits = measure_.key_bits();
        return linear_product(*product_, spec(), model(), std::move(labels), plain, FairnessBy::marks, settings).system;
    }

    // ---- infinite runs
    // ---------------------------------------------------------------------------------------------------------

    check::Outcome decide(const LinearProperty& property) {
        check::LtlRequest request;
        const progress::Measure none;
        request.engine = engine_for_sets(property.automaton.sets, model());
        const LinearProduct product = linear_product(
            property, spec(), model(), {},
            [&](std::vector<model::Expression> labels) {
                return make_plain_system(input_.system, std::move(labels), &none, std::nullopt);
            },
            fairness_by(request.engine));
        use(product, request);
        request.names_transitions = property.reads_moves();
        request.name = property.name;
        request.logic = property.logic;
        request.formula = property.formula;
        request.confirm = input_.system.confirm;
        request.is_bad = [&](const trace::Trace& trace) {
            const RunWord run = word_of(trace, property, spec(), input_.system);
            return property.is_counterexample(run.word, run.ends) && is_fair(trace, spec().fairness, input_.system);
        };
        check::Outcome outcome = decide(std::move(request));
        check::Verdict& verdict = outcome.verdicts.front();
        if (verdict.answer == check::Answer::holds && product.has_stayed->load()) verdict.note = note_on_deadlocks();
        if (verdict.answer == check::Answer::holds && product.antecedent && !product.antecedent->seen.load() &&
            !product.antecedent->has_gaps.load())
            verdict.vacuous = property.antecedent_text;
        return outcome;
    }

    // The engine for an automaton with so many sets.
    [[nodiscard]] check::ltl::Engine engine_for_sets(std::size_t sets, const model::Model& model) const {
        if (spec().engine == Engine::graph) return check::ltl::Engine::graph;
        if (spec().engine == Engine::automatic &&
            (spec().fairness == Fairness::strong || (spec().fairness == Fairness::weak && !fits_marks(sets, model))))
            return check::ltl::Engine::graph;
        return check::ltl::Engine::couvreur;
    }
    [[nodiscard]] static FairnessBy fairness_by(check::ltl::Engine engine) {
        return engine == check::ltl::Engine::graph ? FairnessBy::components : FairnessBy::marks;
    }
    static void use(const LinearProduct& product, check::LtlRequest& request) {
        request.system = product.system;
        request.marks = product.marks;
        request.fairness = product.fairness;
    }

    // What a property that holds owes to the reading of deadlocks.
    [[nodiscard]] std::string note_on_deadlocks() const {
        switch (spec().deadlocks) {
            case DeadlockReading::stutter: return "the system has deadlocks: the last state of such a run repeats";
            case DeadlockReading::finite: return "the system has deadlocks: such a run ends with its last state";
            case DeadlockReading::ignore: return "the system has deadlocks: runs that end there do not count";
        }
        return "";
    }

    [[nodiscard]] const PropertySpec* property_process() const {
        for (const PropertySpec& property : spec().properties)
            if (property.kind == PropertyKind::process) return &property;
        return nullptr;
    }

    check::Outcome decide_process(const PropertySpec& process) {
        const LoadedSystem& whole = input_.with_process.value();
        check::LtlRequest request;
        const progress::Measure none;
        request.engine = engine_for_sets(whole.names->acceptance_sets, *whole.names);
        use(process_product(
                spec(), *whole.names,
                [&](std::vector<model::Expression> labels) {
                    return make_plain_system(whole, std::move(labels), &none, std::nullopt);
                },
                fairness_by(request.engine)),
            request);
        request.is_bad = [&](const trace::Trace& trace) { return is_fair(trace, spec().fairness, whole); };
        request.is_product = false;
        request.name = process.name;
        request.logic = "automaton";
        request.confirm = whole.confirm;
        return decide(std::move(request));
    }

    check::Outcome decide(check::LtlRequest request) {
        request.settings = settings(spec().states);
        request.settings.threads = spec().threads;
        request.tick = [this](const explore::Statistics& statistics) { sink_.progress(statistics); };
        give_notices(request.engine == check::ltl::Engine::graph ? Engine::graph : Engine::couvreur, false);
        if (spec().engine == Engine::automatic && request.engine == check::ltl::Engine::couvreur)
            return probe_and_decide(std::move(request));
        return search(request);
    }

    check::Outcome search(const check::LtlRequest& request) {
        check::Outcome outcome = check::with_evidence(check::decide_ltl(request), budget_);
        sink_.progress_ended();
        return outcome;
    }

    // A depth-first search finds many violations within few states, and decides small products at once. Where it does
    // not, all processors fill the graph.
    check::Outcome probe_and_decide(check::LtlRequest request) {
        constexpr std::uint64_t kProbedStates = 50'000;
        const bool is_last = spec().states && *spec().states <= kProbedStates;
        request.settings.states = is_last ? *spec().states : kProbedStates;
        const check::Outcome probed = search(request);
        if (probed.reason != support::StopReason::states || is_last) {
            explain("a depth-first search decided it within the first states");
            return probed;
        }
        explain(fmt::format("a depth-first probe of {} states decided nothing", kProbedStates));
        request.engine = check::ltl::Engine::graph;
        request.settings.states = spec().states;
        check::Outcome outcome = search(request);
        // What the probe has done counts.
        outcome.statistics.expanded += probed.statistics.expanded;
        outcome.statistics.seconds += probed.statistics.seconds;
        check::Verdict& verdict = outcome.verdicts.front();
        verdict.expanded += probed.statistics.expanded;
        verdict.seconds += probed.statistics.seconds;
        return outcome;
    }
    // Why an engine was chosen, where that is not said of a search through states.
    void explain(std::string reason) {
        if (!plan_.searches_states) plan_.engine_reason = std::move(reason);
    }

    // ---- branching time
    // ---------------------------------------------------------------------------------------------------------

    void decide_branching(MergedOutcome& merged) {
        BranchingProperties properties = make_branching_properties(spec().properties, model(), budget_);
        for (check::Verdict& verdict : properties.untranslated) merged.add(std::move(verdict), budget_.exhausted());
        if (properties.properties.empty()) return;
        if (plan_.engine == Engine::ledger) return merged.add(decide_on_ledger(properties));
        if (plan_.engine == Engine::scc_ctl) return merged.add(decide_by_layers(properties));
        merged.add(decide_branching_properties(plan_, properties, input_.system, sink_, budget_));
    }

    // One sweep leaves the graph in a ledger, where all formulas are decided.
    check::Outcome decide_on_ledger(const BranchingProperties& properties) {
        const LedgerAtoms atoms(properties);
        if (spec().progress.kind == ProgressChoice::Kind::given) use_measure(spec().progress.measure);
        try {
            if (!plan_.is_resolved()) resolve();
            if (resumed_.empty()) stop_if_exhausted();
        } catch (const Stopped& stopped) {
            check::Outcome outcome = unsearched({}, stopped.reason);
            add_undecided(outcome, properties);
            return outcome;
        }
        check::Outcome outcome = search(atoms.labels, plan_.engine, spec().states);
        outcome.engine = to_string(plan_.engine);
        if (!outcome.complete) {
            add_undecided(outcome, properties);
            return outcome;
        }
        check::LedgerBranchingRequest request;
        request.branching = branching_request(plan_, properties, input_.system, sink_, budget_);
        request.branching.system = make_system(atoms.labels.labels, plan_.engine, ledger_->layout());
        request.ledger = &ledger_->run().writer;
        request.directory = ledger_->directory();
        request.clusters.guards = atoms.guards;
        outcome = check::with_evidence(check::decide_on_ledger(request, std::move(outcome)), budget_);
        if (outcome.complete) return outcome;
        ledger_->keep();
        resumable_ = ledger_->directory();
        return outcome;
    }
    // AG EF and AG AF, layer by layer. The states of a violation are forgotten: its evidence is found by labelling.
    check::Outcome decide_by_layers(const BranchingProperties& properties) {
        if (spec().progress.kind == ProgressChoice::Kind::given) use_measure(spec().progress.measure);
        try {
            if (!plan_.is_resolved()) resolve();
            stop_if_exhausted();
        } catch (const Stopped& stopped) {
            check::Outcome outcome = unsearched({}, stopped.reason);
            add_undecided(outcome, properties);
            return outcome;
        }
        check::BranchingRequest request = branching_request(plan_, properties, input_.system, sink_, budget_);
        request.system = make_system(properties.atoms, plan_.engine, std::nullopt);
        give_notices(plan_.engine, false);
        check::Outcome outcome = check::decide_by_layers(request);
        sink_.progress_ended();
        if (!outcome.measure_error) add_branching_evidence(outcome, plan_, properties, input_.system, sink_, budget_);
        return outcome;
    }
    static void add_undecided(check::Outcome& outcome, const BranchingProperties& properties) {
        for (const check::BranchingProperty& property : properties.properties)
            outcome.verdicts.push_back(undecided(property.name, property.logic, property.formula, outcome.reason));
    }

    // ---- the report
    // ------------------------------------------------------------------------------------------------------------

    void complete(RunReport& report) const {
        const explore::Statistics& statistics = report.outcome.statistics;
        report.version = TIDELINE_VERSION;
        report.model_path = input_.system.path;
        report.format = model().format;
        if (statistics.sweeps > 0) {
            report.progress_source = plan_.measure_source == MeasureSource::found ? "auto" : "user";
            report.predicted_share = plan_.predicted_share;
            report.components = measure_.components();
            report.monotonic = statistics.regress_edges > 0 ? "refuted"
                               : report.outcome.complete    ? "proven"
                                                            : "unknown";
        }
        report.engine_reason = plan_.engine_reason;
        report.peak_rss_bytes = support::peak_resident_memory();
        report.ledger_bytes = statistics.ledger_bytes;
        report.resumable = resumable_;
        if (ledger_) report.layer_sizes = ledger_->layer_sizes();
    }

    RunPlan plan_;
    const LoadedInput& input_;
    Sink& sink_;
    const support::Budget& budget_;
    std::string resumed_;                      // the directory of the ledger; empty: the run begins
    std::unique_ptr<LinearProperty> product_;  // that an exploration multiplies the system with
    std::vector<LinearProperty> linear_;
    std::vector<check::Verdict> untranslated_;
    support::StopReason untranslated_reason_ = support::StopReason::none;  // the limit that ended a translation
    MeasureInUse measure_;
    std::unique_ptr<RunLedger> ledger_;
    std::unique_ptr<RunLedger> scratch_;
    std::string resumable_;
};

OrRefusal<RunReport> executed(RunPlan plan, const LoadedInput& input, Sink& sink, const support::Budget& budget,
                              const std::string& resumed) {
    try {
        return Execution(std::move(plan), input, sink, budget, resumed).run();
    } catch (Refusal& refusal) {
        return std::move(refusal);
    }
}

}  // namespace

OrRefusal<RunReport> execute(RunPlan plan, const LoadedInput& input, Sink& sink, const support::Budget& budget) {
    return executed(std::move(plan), input, sink, budget, "");
}

OrRefusal<RunReport> resume(RunPlan stored, const std::string& directory, const LoadedInput& input, Sink& sink,
                            const support::Budget& budget) {
    if (const std::optional<std::string> what = difference(stored, input))
        return Refusal{
            {support::diagnostic_about("", directory + ": " + *what,
                                       "a run is resumed with the model and the properties that it began with")},
            support::StopReason::none};
    stored.spec.ledger = {LedgerChoice::Kind::directory, directory};
    return executed(std::move(stored), input, sink, budget, directory);
}

OrRefusal<RunReport> run(RunSpec spec, Sink& sink, const support::Budget& budget) {
    OrRefusal<LoadedInput> input = load(spec, budget);
    if (auto* refusal = std::get_if<Refusal>(&input)) return std::move(*refusal);
    OrRefusal<RunPlan> planned = plan(std::move(spec), std::get<LoadedInput>(input), budget);
    if (auto* refusal = std::get_if<Refusal>(&planned)) return std::move(*refusal);
    auto& made = std::get<RunPlan>(planned);
    if (!made.warnings.empty()) sink.report(made.warnings);
    return execute(std::move(made), std::get<LoadedInput>(input), sink, budget);
}

}  // namespace tideline::run
