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
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "automata/hoa_print.hpp"
#include "automata/system_product.hpp"
#include "check/layer_branching.hpp"
#include "check/ledger_branching.hpp"
#include "check/ltl.hpp"
#include "check/reachability.hpp"
#include "model/parse_expression.hpp"
#include "progress/find_measure.hpp"
#include "progress/visited_rating.hpp"
#include "reduce/cut_off_system.hpp"
#include "run/branching_run.hpp"
#include "run/ledger_atoms.hpp"
#include "run/linear_engine.hpp"
#include "run/linear_product.hpp"
#include "run/linear_property.hpp"
#include "run/measure_in_use.hpp"
#include "run/merge_outcomes.hpp"
#include "run/run_ledger.hpp"
#include "run/search_for_measure.hpp"
#include "run/state_properties.hpp"
#include "run/stored_plan.hpp"
#include "run/stubborn_run.hpp"
#include "run/symmetry.hpp"
#include "support/memory.hpp"
#include "support/quantity.hpp"

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
        case Engine::local:
        case Engine::ndfs:
        case Engine::map:
        case Engine::ltl_sweep_offline:
        case Engine::ltl_sweep_online: break;
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

// A layer of more visited states takes a while to be read.
constexpr std::uint64_t kQuicklyRead = 1U << 14U;

class Execution {
public:
    Execution(RunPlan plan, const LoadedInput& input, Sink& sink, const support::Budget& budget, std::string resumed)
        : plan_(std::move(plan)),
          input_(input),
          sink_(sink),
          budget_(budget),
          resumed_(std::move(resumed)),
          measure_(input.system, nullptr),
          cut_off_(plan_.spec.cut_off.empty() ? nullptr : std::make_shared<reduce::CutOff>()) {}

    RunReport run() {
        translate();
        MergedOutcome merged;
        for (check::Verdict& verdict : untranslated_) merged.add(std::move(verdict), untranslated_reason_);
        if (plan_.searches_states) merged.add(answer_state_questions());
        for (const LinearProperty& property : linear_) merged.add(within_memory([&] { return decide(property); }));
        if (const PropertySpec* process = property_process())
            merged.add(within_memory([&] { return decide_process(*process); }));
        decide_branching(merged);
        RunReport report;
        const bool is_exploration = plan_.spec.task == Task::explore;
        report.outcome = merged.take(is_exploration ? std::vector<PropertySpec>() : plan_.spec.properties);
        complete(report);
        if (ledger_ && resumable_.empty() && result_of(report) != Conclusion::undecided) ledger_->finish();
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
        if (product_) multiply_with(std::move(product_));
    }

    // The searches that follow are through the product with this automaton; null: through the system.
    void multiply_with(std::unique_ptr<LinearProperty> property) {
        product_ = std::move(property);
        measure_ = MeasureInUse(input_.system, product_ ? &product_->automaton : nullptr);
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

    [[nodiscard]] static double seconds_since(std::chrono::steady_clock::time_point start) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    [[nodiscard]] progress::FoundMeasures found_measures(progress::SweepKind kind, const support::Budget& budget) {
        const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
        progress::FoundMeasures found = search_for_measures(
            input_.system, product_ ? &*product_ : nullptr, kind, nullptr, budget,
            spec().progress.kind == ProgressChoice::Kind::projection ? progress::MeasureShape::projection
                                                                     : progress::MeasureShape::any);
        found.pilot = {};
        measure_seconds_ += seconds_since(start);
        return found;
    }

    // Finds the measure that the plan leaves open, and with it the engine.
    void resolve() {
        const bool is_asked = is_sweep(plan_.engine);
        // Unless a sweep was requested, most of the time is left to the search.
        support::BudgetLimits limits = budget_.limits();
        if (!is_asked && limits.time) limits.time = *budget_.time_left() / 4;
        const support::Budget share(limits, [this] { return budget_.is_interrupted(); });
        progress::FoundMeasures found = found_measures(sweep_kind(spec()), share);
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
        const LedgerPurpose purpose{properties.properties, product_text(),
                                    is_sweep(engine) ? measure_.key_layout() : decltype(LedgerPurpose::key_layout)(),
                                    properties.atoms};
        std::optional<successor::Layout> layout;
        if (records && !resumed_.empty()) {
            ledger_ = RunLedger::reopen(resumed_, spec().limits);
            ledger_->verify(purpose);
            seconds_before_ = ledger_->run().saved.statistics.seconds;
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
            if (is_sweep(engine)) set_up_sweep(*request.system, properties, run);
            else if (request.exploration && properties.properties.empty()) run.thin_above = kQuicklyRead;
            request.settings.ledger = &run;
        }
        SweepChange change(*this, properties);
        if (plan_.changes_over && engine == Engine::bfs && !records) {
            request.settings.change_over = &change;
            request.settings.change_at = spec().change_at;
        }
        request.tick = [this](const explore::Statistics& statistics) { sink_.progress(statistics); };
        request.confirm = input_.system.confirm;
        request.hidden_slots = product_ ? 1 : 0;
        if (records)
            request.scratch_ledger = [this, &purpose](const successor::System& system) {
                return scratch_ledger(system, purpose);
            };
        if (monitored_) request.confirm = confirm_prefix();
        check::Outcome outcome = check::with_evidence(check::decide_reachability(request), budget_);
        if (cut_off_) look_behind_cut_off(request, engine, outcome);
        scratch_.reset();
        sink_.progress_ended();
        if (outcome.statistics.threads_refused > 0)
            sink_.notice(fmt::format("the system did not allow {} threads; the search had {}", spec().threads,
                                     outcome.statistics.threads));
        if (ledger_ && outcome.resumable && outcome.reason != support::StopReason::violation &&
            !outcome.measure_error && !monitored_) {
            ledger_->keep();
            resumable_ = ledger_->directory();
        }
        return outcome;
    }

    // Whether the states behind the cut-off were visited in another way: a second search crosses those out that are.
    void look_behind_cut_off(check::ReachabilityRequest request, Engine engine, check::Outcome& outcome) {
        outcome.resumable = false;
        cut_report_ = CutOffReport{spec().cut_off, std::nullopt, 0};
        if (!outcome.complete) return;
        if (cut_off_->left() > 0) {
            cut_off_->begin(reduce::CutOff::Phase::recall);
            request.system = make_system({}, engine, std::nullopt);
            request.properties.clear();
            request.exploration = true;
            request.settings.ledger = nullptr;
            request.settings.change_over = nullptr;
            request.settings.paths = false;
            const check::Decision recalled = check::decide_reachability(request);
            if (!recalled.outcome.complete) {
                outcome.complete = false;
                outcome.reason = recalled.outcome.reason;
            }
        }
        cut_report_->unvisited = cut_off_->left();
        if (outcome.complete) cut_report_->is_exact = cut_report_->unvisited == 0;
        if (cut_report_->is_exact == true) return;
        outcome.complete = false;
        for (check::Verdict& verdict : outcome.verdicts) {
            if (verdict.answer != check::Answer::holds) continue;
            verdict.answer = check::Answer::unknown;
            verdict.reason = "states behind the cut-off were not visited";
        }
    }

    // ---- the change of a search in memory to a sweep ----------------------------------------------------------------

    class SweepChange final : public explore::ChangeOver {
    public:
        SweepChange(Execution& run, const StateProperties& properties) : run_(run), properties_(properties) {}
        [[nodiscard]] std::optional<explore::ChangeTarget> prepare(const explore::StatesInMemory& states) override {
            return run_.prepare_sweep(states, properties_);
        }
        [[nodiscard]] std::string reason() const override { return run_.change_reason(); }

    private:
        Execution& run_;
        const StateProperties& properties_;
    };

    [[nodiscard]] std::string change_reason() const {
        if (spec().change_at) return "as requested";
        return "memory limit " + support::bytes_text(budget_.limits().memory.value_or(0));
    }

    // What the plan leaves open for the case that memory becomes short is resolved: the measure, rated on the states
    // that were visited, and the ledger. Nothing: the search in memory goes on.
    std::optional<explore::ChangeTarget> prepare_sweep(const explore::StatesInMemory& states,
                                                       const StateProperties& properties) {
        const RunPlan before = plan_;
        try {
            choose_measure(states);
            plan_.engine = Engine::sweep;
            plan_.engine_reason = fmt::format("changed to the sweep after {} states: {}",
                                              support::count_text(states.size()), change_reason());
            std::optional<successor::Layout> layout;
            if (const successor::Layout* now = states.system().layout())
                layout = product_ ? without_last_slot(*now, model().slot_count()) : *now;
            const std::shared_ptr<const successor::System> system =
                make_system(properties.labels, Engine::sweep, std::move(layout), preferred_as(states));
            require_packing(*system, states);
            ledger_ = RunLedger::create(
                plan_, *system, {properties.properties, product_text(), measure_.key_layout(), properties.atoms},
                sink_);
            set_up_sweep(*system, properties, ledger_->run());
            return explore::ChangeTarget{system, &ledger_->run()};
        } catch (const ledger::LedgerError& error) {
            sink_.notice(std::string("the search cannot change to the sweep: ") + error.what());
        } catch (const Stopped&) {  // by the search, too
        }
        plan_ = before;
        ledger_.reset();
        return std::nullopt;
    }

    // Machine code packs arrays in its own way: it comes at once only where the search had it already.
    [[nodiscard]] static successor::Successors preferred_as(const explore::StatesInMemory& states) {
        return states.system().compile_seconds() > 0 ? successor::Successors::native : successor::Successors::automatic;
    }
    static void require_packing(const successor::System& system, const explore::StatesInMemory& states) {
        if (explore::packing_description(system) != explore::packing_description(states.system()))
            throw ledger::LedgerError(ledger::LedgerFault::other_run, "", "states are packed in another way");
    }

    void choose_measure(const explore::StatesInMemory& states) {
        plan_.measure_source = MeasureSource::own;
        if (input_.system.own_measure) return;
        progress::FoundMeasures found = found_measures(progress::SweepKind::with_ledger, budget_);
        stop_if_exhausted();
        rate_again(found.measures, sample_of(states), model());
        support::release_free_memory();
        plan_.measure_source = MeasureSource::found;
        if (found.measures.empty()) {
            sink_.notice("no measure of progress was found; the sweep has one layer");
            plan_.measure = "0";
            use_measure(plan_.measure);
            return;
        }
        plan_.measure = progress::measure_text(found.measures[0].measure);
        plan_.predicted_share = found.measures[0].predicted_share;
        measure_.use(std::move(found.measures[0].measure));
    }

    [[nodiscard]] progress::VisitedSample sample_of(const explore::StatesInMemory& states) const {
        constexpr std::uint64_t kStates = 50'000;
        constexpr std::uint64_t kValues = 2'000'000;
        const std::uint64_t most =
            std::max<std::uint64_t>(1, std::min(kStates, kValues / std::max<model::SlotId>(1, model().slot_count())));
        const std::uint64_t every = states.size() / most + 1;
        std::uint64_t count = 0;
        progress::VisitedSample sample(model().slot_count());
        states.for_each([&](const successor::Word* state) {
            if (count++ % every == 0) sample.add(states.system().decode(state));
        });
        return sample;
    }

    // What a sweep with a ledger knows of its measure and of the question.
    void set_up_sweep(const successor::System& system, const StateProperties& properties,
                      explore::LedgerRun& run) const {
        if (system.layout() != nullptr) {
            run.block_bits = measure_.block_bits();
            run.last_key = measure_.last_key();
        }
        if (spec().task == Task::explore && properties.properties.empty()) run.thin_above = kQuicklyRead;
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
        return plan_.product() != nullptr && plan_.product()->kind == PropertyKind::ltl
                   ? plan_.product()->automaton
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

    // `preferred`: how successors are computed, unless the user has said it.
    [[nodiscard]] std::shared_ptr<const successor::System> make_plain_system(
        const LoadedSystem& system, std::vector<model::Expression> labels, const progress::Measure* measure,
        std::optional<successor::Layout> layout,
        successor::Successors preferred = successor::Successors::automatic) const {
        std::string notice;
        const bool is_free = spec().successors == successor::Successors::automatic;
        std::shared_ptr<const successor::System> made = system.make_system(
            std::move(labels), measure, is_free ? preferred : spec().successors, std::move(layout), budget_, notice);
        if (!notice.empty() && (!is_free || preferred == spec().successors) && given_notices_.insert(notice).second)
            sink_.notice(notice);
        return made;
    }

    // With the measure that the engine needs, times the automaton where there is one.
    [[nodiscard]] std::shared_ptr<const successor::System> make_system(
        std::vector<model::Expression> labels, Engine engine, std::optional<successor::Layout> layout,
        successor::Successors preferred = successor::Successors::automatic) const {
        const bool sweeps = is_sweep(engine);
        const progress::Measure none;
        const MakeSystem plain = [&](std::vector<model::Expression> all) {
            if (cut_off_) all.push_back(*model::parse_expression(model(), support::SourceText("", spec().cut_off)));
            std::shared_ptr<const successor::System> system = make_plain_system(
                input_.system, std::move(all), sweeps ? measure_.given() : &none, std::move(layout), preferred);
            return cut_off_ ? reduce::make_cut_off(std::move(system), cut_off_) : system;
        };
        if (!product_) return plain(std::move(labels));
        automata::ProductSettings settings;
        if (sweeps && measure_.has_rank()) settings.rank = automata::RankPlace::first;
        if (sweeps) settings.key_bits = measure_.key_bits();
        settings.is_monitor = monitored_ != nullptr;
        LinearProduct product =
            linear_product(*product_, spec(), model(), std::move(labels), plain, FairnessBy::marks, settings);
        if (monitored_) monitor_products_.push_back(product);
        return product.system;
    }

    // ---- infinite runs
    // ---------------------------------------------------------------------------------------------------------

    // ---- safety formulas

    // Whether bad prefixes decide a formula by the reading of deadlocks and the kind of runs that count: every finite
    // run must be the beginning of one that counts.
    [[nodiscard]] std::optional<automata::Automaton> monitor_for(const LinearProperty& property) const {
        if (is_swept_ || spec().engine != Engine::automatic || spec().deadlocks == DeadlockReading::ignore ||
            spec().fairness != Fairness::none || spec().progress.kind == ProgressChoice::Kind::given ||
            spec().progress.kind == ProgressChoice::Kind::projection ||
            spec().ledger.kind == LedgerChoice::Kind::directory || !property.make_monitor)
            return std::nullopt;
        const bool asks_for_ends =
            spec().deadlocks == DeadlockReading::finite ||
            std::ranges::any_of(property.meanings, [](const AtomMeaning& meaning) {
                return meaning.kind == AtomMeaning::Kind::deadlock || meaning.kind == AtomMeaning::Kind::enabled;
            });
        if (asks_for_ends && !input_.system.enabled_at) return std::nullopt;
        // Where no run violates the formula, whatever the system, there is nothing to search for.
        if (property.automaton.edge_count() == 0) return std::nullopt;
        return property.make_monitor();
    }

    // Breadth-first through the product with the monitor: the first state where it cannot go on ends a shortest bad
    // prefix.
    check::Outcome decide_by_monitor(const LinearProperty& property, automata::Automaton monitor) {
        const RunPlan before = plan_;
        auto product = std::make_unique<LinearProperty>(property);
        product->automaton = std::move(monitor);
        multiply_with(std::move(product));
        monitored_ = &property;
        StateProperties question;
        question.properties.push_back({check::StateProperty::Kind::formula, property.name, property.formula, 0});
        plan_.engine = Engine::bfs;
        plan_.changes_over = spec().progress.kind == ProgressChoice::Kind::automatic &&
                             spec().ledger.kind == LedgerChoice::Kind::automatic && !spec().compress;
        const std::string reason = "a safety formula: a monitor decides it breadth-first";
        plan_.engine_reason = reason;
        check::Outcome outcome = search(question, Engine::bfs, spec().states);
        outcome.resumable = false;
        if (outcome.engine != to_string(Engine::bfs)) linear_components_ = measure_.components();
        check::Verdict& verdict = outcome.verdicts.front();
        if (verdict.answer == check::Answer::holds) {
            const auto any = [this](const auto& flag) { return std::ranges::any_of(monitor_products_, flag); };
            if (any([](const LinearProduct& p) { return p.has_stayed->load(); })) verdict.note = note_on_deadlocks();
            if (!property.antecedent_text.empty() &&
                !any([](const LinearProduct& p) { return p.antecedent->seen.load(); }))
                verdict.vacuous = property.antecedent_text;
        }
        // The notice of a change to the sweep stands; everything else is as before.
        RunPlan after = std::exchange(plan_, before);
        if (!plan_.searches_states) {
            plan_.engine_reason = after.engine_reason == reason ? reason : reason + ", and " + after.engine_reason;
            plan_.measure_source = after.measure_source;
            plan_.predicted_share = after.predicted_share;
        }
        ledger_.reset();
        monitor_products_.clear();
        monitored_ = nullptr;
        multiply_with(nullptr);
        return outcome;
    }

    // Replays the run and evaluates its word.
    [[nodiscard]] trace::Confirm confirm_prefix() const {
        return [this, property = monitored_](const trace::Trace& trace, const support::Budget& budget) {
            trace::Confirmation walked = input_.system.confirm(trace, budget);
            const bool shows_prefix = trace.violation && trace.violation->kind == trace::ShownViolation::Kind::formula;
            const auto is_bad = [&] {
                if (!trace.loop) return is_bad_prefix(trace, *property, spec(), input_.system);
                const RunWord run = word_of(trace, *property, spec(), input_.system);
                return property->is_counterexample(run.word, run.ends);
            };
            if (walked.is_confirmed() && (shows_prefix || trace.loop) && !is_bad())
                walked.disagreement = "the run that was found does not violate " + property->formula;
            return walked;
        };
    }

    check::Outcome decide(const LinearProperty& property) {
        if (std::optional<automata::Automaton> monitor = monitor_for(property))
            return decide_by_monitor(property, *std::move(monitor));
        check::LtlRequest request;
        request.engine = engine_for_sets(property.automaton.sets, model());
        const progress::Measure none;
        LinearProperty searched = property;
        searched.automaton = automaton_for(request.engine, property.automaton, property.name, budget_);
        std::vector<LinearProduct> products;  // two where the search changed over
        const LinearSystem system{
            [&](check::ltl::Engine engine) { return measure_for(engine, input_.system, &searched.automaton); },
            [&](check::ltl::Engine engine, const LinearMeasure* measure, std::optional<successor::Layout> layout,
                successor::Successors preferred) {
                automata::ProductSettings settings;
                if (measure != nullptr) settings.key_bits = measure->in_use.key_bits();
                if (measure != nullptr && measure->in_use.has_rank()) settings.rank = rank_of(engine);
                if (layout) layout = without_last_slot(*layout, model().slot_count());
                return products.emplace_back(linear_product(
                    searched, spec(), model(), {},
                    [&](std::vector<model::Expression> labels) {
                        return make_plain_system(input_.system, std::move(labels),
                                                 measure != nullptr ? measure->in_use.given() : &none, layout,
                                                 preferred);
                    },
                    fairness_by(engine), settings));
            }};
        request.names_transitions = property.reads_moves();
        request.name = property.name;
        request.logic = property.logic;
        request.formula = property.formula;
        request.confirm = input_.system.confirm;
        request.is_bad = [&](const trace::Trace& trace) {
            const RunWord run = word_of(trace, property, spec(), input_.system);
            return property.is_counterexample(run.word, run.ends) && is_fair(trace, spec().fairness, input_.system);
        };
        swept_automaton_ = automata::to_hoa(searched.automaton);
        is_certified_ = counts_all_runs() && !property.speaks_of_steps();
        check::Outcome outcome = decide(std::move(request), system);
        check::Verdict& verdict = outcome.verdicts.front();
        const auto any = [&](const auto& flag) { return std::ranges::any_of(products, flag); };
        if (verdict.answer == check::Answer::holds && any([](const LinearProduct& p) { return p.has_stayed->load(); }))
            verdict.note = note_on_deadlocks();
        if (verdict.answer == check::Answer::holds && products.front().antecedent &&
            !any([](const LinearProduct& p) { return p.antecedent->seen.load() || p.antecedent->has_gaps.load(); }))
            verdict.vacuous = property.antecedent_text;
        return outcome;
    }

    // Where the product does not fit into memory and the search could not change over, `auto` sweeps it from the start,
    // with a ledger.
    template <class Decide>
    check::Outcome within_memory(const Decide& decide_it) {
        check::Outcome first = decide_it();
        if (first.reason != support::StopReason::memory || !can_change_to_sweep() ||
            first.engine == to_string(Engine::sweep))
            return first;
        const explore::Statistics before = first.statistics;
        first = {};
        support::release_free_memory();
        sink_.notice("the product does not fit into memory; a sweep with a ledger begins");
        is_swept_ = true;
        check::Outcome outcome = decide_it();
        is_swept_ = false;
        explain(fmt::format("the graph did not fit into memory after {} states", support::count_text(before.states)));
        // What was done before counts.
        outcome.statistics.expanded += before.expanded;
        outcome.statistics.seconds += before.seconds;
        check::Verdict& verdict = outcome.verdicts.front();
        verdict.expanded += before.expanded;
        verdict.seconds += before.seconds;
        return outcome;
    }

    // The engine for an automaton with so many sets.
    [[nodiscard]] check::ltl::Engine engine_for_sets(std::size_t sets, const model::Model& model) const {
        // With a ledger a verdict that holds can be audited.
        const bool records = spec().engine == Engine::automatic && spec().fairness != Fairness::strong &&
                             spec().ledger.kind == LedgerChoice::Kind::directory && is_one_sweep();
        if (is_swept_ || records) return check::ltl::Engine::sweep;
        if (spec().engine == Engine::automatic &&
            (spec().fairness == Fairness::strong || (spec().fairness == Fairness::weak && !fits_marks(sets, model))))
            return check::ltl::Engine::graph;
        return linear_engine(spec().engine);
    }
    // First, few states are in memory: one component of the automaton after the other. Last, accepting states are
    // reached early.
    [[nodiscard]] static automata::RankPlace rank_of(check::ltl::Engine engine) {
        return engine == check::ltl::Engine::sweep ? automata::RankPlace::first : automata::RankPlace::last;
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
        request.engine = engine_for_sets(whole.names->acceptance_sets, *whole.names);
        const progress::Measure none;
        swept_automaton_.clear();
        is_certified_ = counts_all_runs();
        const LinearSystem system{[&](check::ltl::Engine engine) { return measure_for(engine, whole, nullptr); },
                                  [&](check::ltl::Engine engine, const LinearMeasure* measure,
                                      std::optional<successor::Layout> layout, successor::Successors preferred) {
                                      return process_product(
                                          spec(), *whole.names,
                                          [&](std::vector<model::Expression> labels) {
                                              return make_plain_system(
                                                  whole, std::move(labels),
                                                  measure != nullptr ? measure->in_use.given() : &none, layout,
                                                  preferred);
                                          },
                                          fairness_by(engine));
                                  }};
        request.is_bad = [&](const trace::Trace& trace) { return is_fair(trace, spec().fairness, whole); };
        request.is_product = false;
        request.name = process.name;
        request.logic = "automaton";
        request.confirm = whole.confirm;
        return decide(std::move(request), system);
    }

    // What a linear-time property is decided on, for an engine: its measure (nothing: it goes by none), and the system
    // with acceptance marks, with this measure, packed like this, computed like this unless the user has said it.
    struct LinearSystem {
        std::function<std::optional<LinearMeasure>(check::ltl::Engine)> measure;
        std::function<LinearProduct(check::ltl::Engine, const LinearMeasure*, std::optional<successor::Layout>,
                                    successor::Successors)>
            make;
    };

    // The measure of a sweep for a linear-time property; nothing where the engine goes by none.
    std::optional<LinearMeasure> measure_for(check::ltl::Engine engine, const LoadedSystem& system,
                                             const automata::Automaton* automaton) {
        if (!check::ltl::is_sweep(engine)) return std::nullopt;
        LinearMeasure measure = linear_measure(spec(), system, automaton, budget_);
        plan_.measure_source = measure.source;
        plan_.predicted_share = measure.predicted_share;
        plan_.measure = measure.text;
        linear_components_ = measure.components;
        return measure;
    }

    check::Outcome decide(check::LtlRequest request, const LinearSystem& system) {
        const std::optional<LinearMeasure> measure = system.measure(request.engine);
        use(system.make(request.engine, measure ? &*measure : nullptr, reopen_for(request.engine),
                        successor::Successors::automatic),
            request);
        request.settings = settings(spec().states);
        request.settings.threads = spec().threads;
        request.tick = [this](const explore::Statistics& statistics) { sink_.progress(statistics); };
        request.variant = linear_variant(spec().variants);
        give_notices(run_engine(request.engine), false);
        if (spec().engine == Engine::automatic && request.engine == check::ltl::Engine::couvreur && !is_swept_)
            return probe_and_decide(std::move(request), system);
        if (request.engine == check::ltl::Engine::sweep) return sweep(std::move(request), measure->in_use);
        return search(request);
    }

    // What audits of ledgers know of runs.
    [[nodiscard]] bool counts_all_runs() const {
        return spec().fairness == Fairness::none && spec().deadlocks == DeadlockReading::stutter &&
               spec().end_states.empty();
    }

    // A run with a single property, of linear time, is its sweep: its ledger may be the user's, and it is resumed.
    [[nodiscard]] bool is_one_sweep() const { return !plan_.searches_states && spec().properties.size() == 1; }

    // Opens the ledger of a sweep that is resumed; how its states are packed.
    std::optional<successor::Layout> reopen_for(check::ltl::Engine engine) {
        if (engine != check::ltl::Engine::sweep || resumed_.empty() || !is_one_sweep()) return std::nullopt;
        ledger_ = RunLedger::reopen(resumed_, spec().limits);
        seconds_before_ = ledger_->run().saved.statistics.seconds;
        return ledger_->layout();
    }

    // With a ledger of its own, which is removed in the end unless the run can be resumed.
    check::Outcome sweep(check::LtlRequest request, const MeasureInUse& measure) {
        if (spec().ledger.kind == LedgerChoice::Kind::directory && !is_one_sweep())
            sink_.notice("several properties are checked; the ledgers of their sweeps are temporary ones");
        std::unique_ptr<RunLedger> of_states = put_ledger_aside();
        if (ledger_) ledger_->verify({{}, swept_automaton_, measure.key_layout()});
        request.settings.ledger = &open_linear_ledger(*request.system, measure);
        if (is_certified_ && is_one_sweep() && !ledger_->is_temporary()) request.certificate = ledger_->directory();
        check::Outcome outcome = search(request);
        close_linear_ledger(outcome, std::move(of_states));
        return outcome;
    }

    // That of the properties of states, where there are such.
    [[nodiscard]] std::unique_ptr<RunLedger> put_ledger_aside() {
        return is_one_sweep() ? nullptr : std::exchange(ledger_, nullptr);
    }
    // Of a sweep for a linear-time property; the one that is resumed, or a new one.
    explore::LedgerRun& open_linear_ledger(const successor::System& system, const MeasureInUse& measure) {
        if (!ledger_) {
            RunPlan plan = plan_;
            plan.spec.engine = plan.engine = Engine::sweep;
            if (!is_one_sweep()) plan.spec.ledger = {};
            plan.spec.record = explore::Recorded::edges;
            ledger_ = RunLedger::create(plan, system, {{}, swept_automaton_, measure.key_layout()}, sink_);
        }
        explore::LedgerRun& run = ledger_->run();
        if (!is_one_sweep()) run.checkpoint_every = std::chrono::hours(24 * 365);  // it is never resumed
        if (system.layout() != nullptr) run.block_bits = measure.block_bits();
        return run;
    }
    void close_linear_ledger(check::Outcome& outcome, std::unique_ptr<RunLedger> of_states) {
        if (ledger_ && is_one_sweep() && outcome.resumable && !outcome.measure_error) {
            ledger_->keep();
            resumable_ = ledger_->directory();
        }
        outcome.resumable = outcome.resumable && is_one_sweep();
        ledger_ = std::move(of_states);
    }

    // ---- the change of the numbered graph to a sweep

    class LinearChange final : public explore::ChangeOver {
    public:
        LinearChange(Execution& run, const LinearSystem& system) : run_(run), system_(system) {}
        [[nodiscard]] std::optional<explore::ChangeTarget> prepare(const explore::StatesInMemory& states) override {
            return run_.prepare_linear_sweep(states, system_, measure_);
        }
        [[nodiscard]] std::string reason() const override { return run_.change_reason(); }

    private:
        Execution& run_;
        const LinearSystem& system_;
        std::optional<LinearMeasure> measure_;
    };

    [[nodiscard]] bool can_change_to_sweep() const {
        return spec().engine == Engine::automatic && !spec().compress &&
               spec().ledger.kind == LedgerChoice::Kind::automatic && spec().fairness != Fairness::strong &&
               spec().progress.kind != ProgressChoice::Kind::none;
    }

    std::optional<explore::ChangeTarget> prepare_linear_sweep(const explore::StatesInMemory& states,
                                                              const LinearSystem& system,
                                                              std::optional<LinearMeasure>& measure) {
        constexpr auto kSweep = check::ltl::Engine::sweep;
        const RunPlan before = plan_;
        try {
            measure = system.measure(kSweep);
            stop_if_exhausted();
            explain(fmt::format("changed to the sweep after {} states: {}", support::count_text(states.size()),
                                change_reason()));
            std::optional<successor::Layout> layout;
            if (const successor::Layout* now = states.system().layout()) layout = *now;
            const LinearProduct product = system.make(kSweep, &*measure, std::move(layout), preferred_as(states));
            require_packing(*product.system, states);
            return explore::ChangeTarget{product.system, &open_linear_ledger(*product.system, measure->in_use)};
        } catch (const ledger::LedgerError& error) {
            sink_.notice(std::string("the search cannot change to the sweep: ") + error.what());
        } catch (const Stopped&) {  // by the search, too
        }
        plan_ = before;
        linear_components_.clear();
        ledger_.reset();
        return std::nullopt;
    }

    check::Outcome search(const check::LtlRequest& request) {
        check::Outcome outcome = check::with_evidence(check::decide_ltl(request), budget_);
        sink_.progress_ended();
        return outcome;
    }

    // A depth-first search finds many violations within few states, and decides small products at once. Where it does
    // not, all processors fill the graph.
    check::Outcome probe_and_decide(check::LtlRequest request, const LinearSystem& system) {
        if (spec().change_at) return graph_or_sweep(std::move(request), system);
        constexpr std::uint64_t kProbedStates = 50'000;
        const bool is_last = spec().states && *spec().states <= kProbedStates;
        request.settings.states = is_last ? *spec().states : kProbedStates;
        const check::Outcome probed = search(request);
        if (probed.reason != support::StopReason::states || is_last) {
            explain("a depth-first search decided it within the first states");
            return probed;
        }
        explain(fmt::format("a depth-first probe of {} states decided nothing", kProbedStates));
        request.settings.states = spec().states;
        check::Outcome outcome = graph_or_sweep(std::move(request), system);
        // What the probe has done counts.
        outcome.statistics.expanded += probed.statistics.expanded;
        outcome.statistics.seconds += probed.statistics.seconds;
        check::Verdict& verdict = outcome.verdicts.front();
        verdict.expanded += probed.statistics.expanded;
        verdict.seconds += probed.statistics.seconds;
        return outcome;
    }
    // The graph in memory; where it does not fit, a sweep continues.
    check::Outcome graph_or_sweep(check::LtlRequest request, const LinearSystem& system) {
        request.engine = check::ltl::Engine::graph;
        LinearChange change(*this, system);
        if (can_change_to_sweep()) {
            request.settings.change_over = &change;
            request.settings.change_at = spec().change_at;
        }
        std::unique_ptr<RunLedger> of_states = put_ledger_aside();
        check::Outcome outcome = search(request);
        close_linear_ledger(outcome, std::move(of_states));
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
        if (spec().fairness != Fairness::none) refuse_unknown_movers(model());
        refuse_step_atoms(spec(), properties.meanings);
        if (plan_.engine == Engine::ledger) return merged.add(decide_on_ledger(properties));
        if (plan_.engine == Engine::scc_ctl) return merged.add(decide_by_layers(properties));
        check::Outcome outcome = decide_branching_properties(plan_, properties, input_.system, sink_, budget_);
        if (!changes_over(outcome)) return merged.add(std::move(outcome));
        outcome = {};
        support::release_free_memory();
        use_ledger();
        merged.add(decide_on_ledger(properties));
    }

    // `auto` has no other use for a ledger where all properties are of branching time.
    [[nodiscard]] bool changes_over(const check::Outcome& outcome) const {
        return outcome.reason == support::StopReason::memory && spec().engine == Engine::automatic &&
               spec().ledger.kind == LedgerChoice::Kind::automatic &&
               std::all_of(spec().properties.begin(), spec().properties.end(),
                           [](const PropertySpec& property) { return property.is_branching(); }) &&
               std::none_of(spec().properties.begin(), spec().properties.end(), [this](const PropertySpec& property) {
                   return refused_by_sweeps(property, model(), Engine::ledger).has_value();
               });
    }
    // The graph does not fit into memory: its edges go to disk.
    void use_ledger() {
        sink_.notice("the graph does not fit into memory; a sweep leaves its edges on disk (engine ledger)");
        plan_.spec.engine = plan_.engine = Engine::ledger;
        plan_.spec.record = explore::Recorded::edges;
        plan_.engine_reason = "the graph did not fit into memory";
        using Kind = ProgressChoice::Kind;
        plan_.measure_source = spec().progress.kind == Kind::given ? MeasureSource::given
                               : input_.system.own_measure         ? MeasureSource::own
                                                                   : MeasureSource::open;
        plan_.measure = spec().progress.measure;
        if (spec().progress.kind != Kind::none) return;
        plan_.measure_source = MeasureSource::found;
        plan_.measure = "0";
        use_measure(plan_.measure);
    }

    // One sweep leaves the graph in a ledger, where all formulas are decided.
    check::Outcome decide_on_ledger(const BranchingProperties& properties) {
        const LedgerAtoms atoms(properties, model());
        if (spec().progress.kind == ProgressChoice::Kind::given) use_measure(spec().progress.measure);
        try {
            if (!plan_.is_resolved()) resolve();
            // A ledger that is resumed has the atoms of all formulas, those too that were not translated in time.
            if (resumed_.empty() || !properties.untranslated.empty()) stop_if_exhausted();
        } catch (const Stopped& stopped) {
            resumable_ = resumed_;
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
        request.clusters.step_atoms = atoms.step_atoms;
        request.clusters.processes = atoms.processes;
        request.certifies = spec().ledger.kind == LedgerChoice::Kind::directory;
        if (spec().limits.disk)
            request.certificate_bytes =
                *spec().limits.disk - std::min(*spec().limits.disk, ledger_->run().writer.bytes());
        request.notice = [this](const std::string& text) { sink_.notice(text); };
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
        const std::shared_ptr<const successor::System> plain =
            make_system(properties.atoms, plan_.engine, std::nullopt);
        request.system = with_step_atoms(plain, properties, model());
        give_notices(plan_.engine, false);
        keep_tree(*plain);
        if (ledger_ && !ledger_->has_checkpoint()) request.settings.ledger = &ledger_->run();
        check::Outcome outcome = check::decide_by_layers(request);
        sink_.progress_ended();
        if (!outcome.measure_error) add_branching_evidence(outcome, plan_, properties, input_.system, sink_, budget_);
        return outcome;
    }
    // The spanning tree of a sweep that forgets its states, where asked for. One that is there already stays.
    void keep_tree(const successor::System& system) {
        if (spec().ledger.kind != LedgerChoice::Kind::directory) return;
        if (resumed_.empty()) ledger_ = RunLedger::create(plan_, system, {{}, "", measure_.key_layout()}, sink_);
        else ledger_ = RunLedger::reopen(resumed_, spec().limits);
    }
    static void add_undecided(check::Outcome& outcome, const BranchingProperties& properties) {
        for (const check::BranchingProperty& property : properties.properties)
            outcome.verdicts.push_back(undecided(property.name, property.logic, property.formula, outcome.reason));
    }

    // ---- the report
    // ------------------------------------------------------------------------------------------------------------

    [[nodiscard]] FiguresOf figures_of() const {
        const std::size_t products = linear_.size() + (property_process() != nullptr ? 1 : 0);
        const auto& asked = spec().properties;
        const bool has_branching = std::any_of(asked.begin(), asked.end(),
                                               [](const PropertySpec& property) { return property.is_branching(); });
        if (products > 1 || (products == 1 && (plan_.searches_states || has_branching))) return FiguresOf::searches;
        const bool explores_product = spec().task == Task::explore && (product_ || plan_.explores_process);
        return products == 1 || explores_product ? FiguresOf::product : FiguresOf::system;
    }

    // What can be said about the last states of runs.
    [[nodiscard]] std::vector<Reasons> reasons_of(const std::vector<check::Verdict>& verdicts) const {
        std::vector<Reasons> result(verdicts.size());
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
            const check::Verdict& verdict = verdicts[i];
            if (verdict.answer != check::Answer::violated || !verdict.trace || verdict.trace->empty()) continue;
            const std::vector<model::Value> values = verdict.trace->values(verdict.trace->size() - 1);
            if (verdict.logic == "deadlock") result[i].blocked = blocked_processes(model(), values);
            if (verdict.logic != "invariant" && verdict.logic != "assert") continue;
            const support::Result<model::Expression> condition =
                model::parse_expression(model(), support::SourceText(verdict.name, verdict.formula));
            if (condition) result[i].values = values_read(model(), *condition, values);
        }
        return result;
    }

    void complete(RunReport& report) const {
        const explore::Statistics& statistics = report.outcome.statistics;
        report.version = TIDELINE_VERSION;
        report.task = spec().task;
        report.figures_of = figures_of();
        report.model_path = input_.system.path;
        report.format = model().format;
        report.definitions = spec().model.definitions;
        if (statistics.sweeps > 0) {
            report.progress_source = plan_.measure_source == MeasureSource::found ? "auto" : "user";
            report.predicted_share = plan_.predicted_share;
            report.components = linear_components_.empty() ? measure_.components() : linear_components_;
            // The steps before a change to the sweep are not known, and those that are left out.
            report.monotonic =
                statistics.regress_edges > 0 ? "refuted"
                : report.outcome.complete && !statistics.changed_over && spec().stubborn == StubbornSets::none
                    ? "proven"
                    : "unknown";
        }
        report.reasons = reasons_of(report.outcome.verdicts);
        report.engine_reason = plan_.engine_reason;
        report.cut_off = cut_report_;
        report.stubborn = to_string(spec().stubborn);
        report.seconds = seconds_since(spec().started) + seconds_before_;
        report.measure_seconds = measure_seconds_;
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
    std::unique_ptr<LinearProperty> product_;  // that an exploration, or a monitor's search, multiplies the system with
    const LinearProperty* monitored_ = nullptr;            // the safety formula that is being decided by its monitor
    mutable std::vector<LinearProduct> monitor_products_;  // of this monitor: two where the search changed over
    std::vector<LinearProperty> linear_;
    std::vector<check::Verdict> untranslated_;
    support::StopReason untranslated_reason_ = support::StopReason::none;  // the limit that ended a translation
    MeasureInUse measure_;
    std::vector<std::string> linear_components_;  // of the measure that the last linear-time property was swept by
    std::shared_ptr<reduce::CutOff> cut_off_;     // null: every state is expanded
    std::optional<CutOffReport> cut_report_;
    std::unique_ptr<RunLedger> ledger_;
    std::unique_ptr<RunLedger> scratch_;
    bool is_certified_ = false;    // a sweep that shows that it holds can write why
    bool is_swept_ = false;        // linear-time properties are, whatever the engine that was asked for
    std::string swept_automaton_;  // of the linear-time property that is swept, in HOA; empty: a property process
    std::string resumable_;
    double seconds_before_ = 0;  // of the run that is resumed
    double measure_seconds_ = 0;
    mutable std::set<std::string> given_notices_;  // notices about systems, which are made for every property
};

// Where the run does not search the whole state space.
std::optional<LoadedInput> reduced_input(const LoadedInput& whole, const RunSpec& spec) {
    if (spec.stubborn == StubbornSets::none) return std::nullopt;
    LoadedInput reduced = whole;
    reduced.system = with_stubborn_sets(std::move(reduced.system), spec);
    return reduced;
}

// A run through steps that were left out may be shorter.
void forget_shortest(check::Outcome& outcome) {
    const auto forget = [](std::optional<trace::Trace>& trace) {
        if (trace) trace->shortest = false;
    };
    for (check::Verdict& verdict : outcome.verdicts) forget(verdict.trace);
    for (check::FaultReport& fault : outcome.faults) forget(fault.trace);
}

OrRefusal<RunReport> executed(RunPlan plan, const LoadedInput& input, Sink& sink, const support::Budget& budget,
                              const std::string& resumed) {
    try {
        std::optional<LoadedInput> grown;
        for (;;) {
            const LoadedInput& current = grown ? *grown : input;
            const std::optional<LoadedInput> with_fewer_steps = reduced_input(current, plan.spec);
            const SymmetricInput reduced(with_fewer_steps ? *with_fewer_steps : current, plan.spec, sink, budget);
            RunReport report = Execution(plan, reduced.input(), sink, budget, resumed).run();
            report.symmetry = reduced.report();
            if (with_fewer_steps) forget_shortest(report.outcome);
            const std::vector<check::FaultReport>& faults = report.outcome.faults;
            const auto missing = std::find_if(faults.begin(), faults.end(), [](const check::FaultReport& fault) {
                return fault.kind == model::FaultKind::instance;
            });
            if (missing == faults.end() || !current.grown) {
                if (current.system.visible_labels)
                    for (check::Verdict& verdict : report.outcome.verdicts)
                        if (verdict.trace && verdict.note.empty())
                            verdict.note = "visible labels: " + current.system.visible_labels(*verdict.trace);
                return report;
            }
            // What was found before holds only where every process can be created.
            if (!missing->trace || plan.spec.ledger.kind == LedgerChoice::Kind::directory)
                throw Refusal{{support::diagnostic_about(
                                  input.system.path,
                                  "more processes are created than a pilot run has seen: another " + missing->text,
                                  "run without --ledger DIR, or with more memory")},
                              support::StopReason::none};
            OrRefusal<LoadedInput> next = current.grown(missing->trace->values(missing->trace->size() - 1));
            if (auto* refusal = std::get_if<Refusal>(&next)) return std::move(*refusal);
            grown = std::get<LoadedInput>(std::move(next));
        }
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
