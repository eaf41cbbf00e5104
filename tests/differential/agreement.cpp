#include "tests/differential/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "check/reachability.hpp"
#include "input/load.hpp"
#include "model/evaluate.hpp"
#include "model/parse_expression.hpp"
#include "progress/certificate.hpp"
#include "progress/measure.hpp"
#include "reference/explorer.hpp"
#include "reference/machines.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "successor/interpret/pilot.hpp"
#include "successor/native/native_system.hpp"
#include "tests/differential/random_numbers.hpp"
#include "trace/confirm.hpp"

namespace tideline::differential {
namespace {

const Budget kUnlimited;

struct Disagreement {
    std::string text;
};

// The invariants do not fit the model (a shrunken model may have lost the names).
struct NotApplicable {};

template <class... Arguments>
[[noreturn]] void disagree(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    throw Disagreement{fmt::format(format, std::forward<Arguments>(arguments)...)};
}

template <class T>
void require_equal(const std::string& what, const T& ours, const T& theirs) {
    if (ours != theirs) disagree("{}: {}, reference {}", what, ours, theirs);
}

// What a search saw, as sets.
class Recorder final : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const Found> fresh) override {
        for (const Found& found : fresh) states.insert(search.system().decode(found.state));
        return true;
    }
    bool deadlock(SearchView& search, const Found& found) override {
        deadlocks.insert(search.system().decode(found.state));
        return true;
    }
    bool faulty(SearchView& search, const Found& source, TransitionId /*transition*/, FaultKind kind) override {
        faults.insert({search.system().decode(source.state), kind});
        return true;
    }

    std::set<std::vector<Value>> states;
    std::set<std::vector<Value>> deadlocks;
    std::multiset<std::pair<std::vector<Value>, FaultKind>> faults;
};

class Comparison {
public:
    Comparison(const LoadedModel& loaded, const LoadOptions& options, const AgreementOptions& limits)
        : model_(loaded.model), machine_(reference::make_machine(loaded, options)), limits_(limits) {
        const std::vector<reference::Machine::Assertion> assertions = machine_->assertions();
        for (std::size_t number = 0; number < assertions.size(); ++number)
            if (assertions[number].takes_part) number_in_file_.push_back(number);
    }

    // False: too large.
    bool run(const std::vector<std::string>& invariants, AgreementResult& result) {
        graph_ = reference::explore(*machine_, {limits_.max_states, false});
        if (graph_.limit_hit) return false;
        result.states = graph_.states.size();
        result.faults = graph_.faults.size();
        map_names();
        compare_steps();
        compare_searches();
        choose_measures();
        for (const Measure& measure : measures_) compare_sweeps(measure);
        result.nested = compare_certificates();
        compare_assertions();
        for (const std::string& invariant : invariants) compare_invariant(invariant);
        compare_deadlock_verdict();
        return true;
    }

private:
    std::shared_ptr<const System> system(std::vector<Expression> labels, bool from_initial, const Measure& measure = {}) const {
        std::vector<Range> ranges;
        for (const Value v : model_->initial) ranges.push_back({v, v});
        if (!from_initial) ranges = observe_ranges(*model_, kUnlimited);
        return make_interpreted_system(model_, std::move(labels), Layout::observed(*model_, ranges), measure.program);
    }

    // Machine code with a packing that may turn out too narrow.
    std::shared_ptr<const System> native_system(const Measure& measure) const {
        std::string notice;
        return make_model_system(model_, {}, Layout::observed(*model_, observe_ranges(*model_, kUnlimited)), measure.program, Successors::native, kUnlimited, notice);
    }

    // Two measures of random components; every other time the second is the first one negated.
    void choose_measures() {
        RandomNumbers random(limits_.seed);
        std::vector<std::string> names;
        for (const Model::SlotOwner owner : model_->slot_owners()) names.push_back(model_->slot_name(owner));
        if (names.empty()) names.push_back("0");
        const auto component = [&] {
            const std::string& name = random.one_of(names);
            switch (random.below(4)) {
                case 0: return "-" + name;
                case 1: return "(" + name + " & 3)";
                case 2: return name + " + " + random.one_of(names);
                default: return name;
            }
        };
        std::string first = component();
        if (random.chance(50)) first += ", " + component();
        if (random.chance(25)) first = "product(" + component() + ", " + component() + "), " + first;
        std::string second = random.chance(50) ? "-(" + component() + ")" : random.chance(20) ? "7" : component() + "," + component() + "," + component();
        for (const std::string& text : {first, second}) {
            Result<Measure> measure = parse_measure(*model_, text);
            if (!measure) disagree("the measure {} is not understood: {}", text, to_text(measure.diagnostics().front()));
            measures_.push_back(*std::move(measure));
        }
    }

    // What is proven never to decrease never does: slots, negated slots, and sums of neighbours. Whether sweeps were nested in it.
    bool compare_certificates() const {
        std::vector<Expression> proven;
        for (SlotId slot = 0; slot < model_->slot_count(); ++slot) {
            const Expression one = Expression::slot(slot);
            const Expression next = Expression::slot((slot + 1) % model_->slot_count());
            for (const Expression& e : {one, Expression::unary(Op::negate, one), Expression::binary(Op::add, one, next), Expression::binary(Op::subtract, one, next)})
                if (never_decreases(*model_, e)) proven.push_back(e);
        }
        if (proven.empty()) return false;
        for (const reference::State& state : graph_.states) {
            const std::vector<Value> before = ours(state);
            for (const reference::Step& step : machine_->steps(state)) {
                if (step.fault != FaultKind::none) continue;
                const std::vector<Value> after = ours(step.next);
                for (const Expression& e : proven)
                    if (evaluate(e, model_->tables, after).value < evaluate(e, model_->tables, before).value) disagree("what was proven never to decrease does");
            }
        }
        return compare_nested_sweeps(proven);
    }

    // Sweeps inside blocks of one or two components that are proven never to decrease, by one that need not be. False: nothing proven
    // grows.
    bool compare_nested_sweeps(const std::vector<Expression>& proven) const {
        std::set<std::vector<Value>> states;
        for (const reference::State& s : graph_.states) states.insert(ours(s));
        std::vector<Expression> growing;
        for (const Expression& e : proven) {
            const auto value = [&](const std::vector<Value>& state) { return evaluate(e, model_->tables, state).value; };
            const Value first = value(*states.begin());
            if (std::any_of(states.begin(), states.end(), [&](const auto& state) { return value(state) != first; })) growing.push_back(e);
        }
        if (growing.empty()) return false;
        RandomNumbers random(limits_.seed + 1);
        KeyProgram key;
        for (std::size_t i = 1 + random.below(2); i > 0; --i) key.components.push_back(key_component(*model_, random.one_of(growing)));
        const Expression other = Expression::slot(static_cast<SlotId>(random.below(model_->slot_count())));
        key.components.push_back(key_component(*model_, random.chance(50) ? other : Expression::unary(Op::negate, other)));
        unsigned bits = 0;
        for (const KeyComponent& component : key.components) bits += component.bits;
        if (bits > 128) return false;
        SearchSettings settings;
        settings.block_bits = key.components.back().bits;
        std::uint64_t expanded = 0;
        for (const unsigned threads : {1U, 2U}) {
            if (threads > 1 && limits_.seed % 8 != 0) break;
            settings.threads = threads;
            settings.alone_below = 0;
            std::vector<Range> ranges;
            for (const Value v : model_->initial) ranges.push_back({v, v});
            Recorder swept;
            const SearchResult nested =
                search(make_interpreted_system(model_, {}, Layout::observed(*model_, ranges), key), WalkOrder::sweep, settings, swept);
            require_equal("nested sweep complete", nested.complete, true);
            if (swept.states != states) disagree("a nested sweep visits other states");
            if (threads == 1) expanded = nested.statistics.expanded;
            require_equal<std::uint64_t>("expanded by a nested sweep of two threads", nested.statistics.expanded, expanded);
        }
        return true;
    }

    void compare_sweeps(const Measure& measure) const {
        std::set<std::vector<Value>> states;
        for (const reference::State& s : graph_.states) states.insert(ours(s));
        Recorder swept;
        const SearchResult general = search(limits_.native ? native_system(measure) : system({}, true, measure), WalkOrder::sweep, {}, swept);
        require_equal("sweep complete", general.complete, true);
        if (swept.states != states) disagree("the sweep by {} visits other states", fmt::join(measure.components, ","));
        SearchSettings two_threads;
        two_threads.threads = 2;
        two_threads.alone_below = limits_.seed % 2 == 0 ? 0 : 8;
        Recorder swept_by_two;
        const SearchResult by_two = search(system({}, true, measure), WalkOrder::sweep, two_threads, swept_by_two);
        if (swept_by_two.states != states) disagree("two threads sweep other states");
        require_equal<std::uint64_t>("expanded by two threads", by_two.statistics.expanded, general.statistics.expanded);
        require_equal<std::uint64_t>("transitions by two threads", by_two.statistics.transitions, general.statistics.transitions);
        require_equal<std::uint64_t>("peak of two threads", by_two.statistics.peak_states, general.statistics.peak_states);
        require_equal<std::uint64_t>("persistent by two threads", by_two.statistics.persistent, general.statistics.persistent);
        const bool monotonic = general.statistics.regress_edges == 0;
        if (general.statistics.sweeps == 1) {
            require_equal<std::uint64_t>("states of a sweep", general.statistics.states, graph_.states.size());
            require_equal<std::uint64_t>("transitions of a sweep", general.statistics.transitions, graph_.transitions);
            require_equal<std::uint64_t>("deadlocks of a sweep", general.statistics.deadlocks, graph_.deadlocks.size());
            require_equal<std::uint64_t>("faults of a sweep", general.statistics.faults, graph_.faults.size());
        }
        Recorder ignored;
        const SearchResult basic = search(system({}, false, measure), WalkOrder::sweep_basic, {}, ignored);
        require_equal("basic sweep complete", basic.complete, monotonic);
    }

    void map_names() {
        const std::vector<Model::SlotOwner> owners = model_->slot_owners();
        std::map<std::string, std::size_t> by_name;
        for (std::size_t i = 0; i < machine_->names().size(); ++i) by_name[machine_->names()[i]] = i;
        require_equal("number of slots", owners.size(), by_name.size());
        for (const Model::SlotOwner owner : owners) {
            const auto found = by_name.find(model_->slot_name(owner));
            if (found == by_name.end()) disagree("the reference knows no {}", model_->slot_name(owner));
            place_.push_back(found->second);
        }
    }

    std::vector<Value> ours(const reference::State& state) const {
        std::vector<Value> result;
        for (const std::size_t place : place_) result.push_back(state[place]);
        return result;
    }

    void compare_steps() const {
        const std::unique_ptr<System> wide = make_interpreted_system(model_, {}, Layout::declared(*model_));
        const Layout layout = Layout::declared(*model_);
        const std::unique_ptr<Expander> expander = wide->expander();
        std::string notice;
        const std::unique_ptr<System> native =
            limits_.native ? make_model_system(model_, {}, layout, {}, Successors::native, kUnlimited, notice) : nullptr;
        const std::unique_ptr<Expander> native_expander = native ? native->expander() : nullptr;
        SuccessorBatch batch(wide->state_words(), 3);
        SuccessorBatch native_batch(wide->state_words(), 3);
        std::vector<Word> packed(wide->state_words());
        for (const reference::State& state : graph_.states) {
            if (layout.pack(ours(state).data(), packed.data())) disagree("a state of the reference is outside the declared ranges");
            const std::vector<StepDetail> mine = wide->steps(packed.data());
            const std::vector<reference::Step> theirs = machine_->steps(state);
            require_equal("number of steps of a state", mine.size(), theirs.size());
            Cursor cursor;
            std::size_t at = 0;
            Expansion expansion = Expansion::full;
            while (expansion == Expansion::full) {
                batch.restart(cursor.state);
                expansion = expander->expand(packed.data(), 1, cursor, batch);
                for (std::size_t i = 0; i < batch.size(); ++i, ++at) compare_step(*wide, mine[at], theirs[at], batch, i);
            }
            require_equal("number of successors", at, mine.size());
            if (native) compare_native(*wide, *native, *native_expander, packed, mine, native_batch);
            if (wide->commuting() == nullptr) continue;
            // A sleep set that the state could have, by chance.
            SleepSet asleep = hash_state(packed.data(), packed.size());
            if (!mine.empty()) asleep = wide->commuting()->asleep_after(asleep, mine[asleep % mine.size()].transition);
            compare_sleeping(*wide, *expander, packed, asleep, mine, batch);
            if (!native) continue;
            std::vector<Word> narrow(native->state_words());
            native->repacking(*wide)(packed.data(), narrow.data());
            compare_sleeping(*native, *native_expander, narrow, asleep, mine, native_batch);
        }
    }

    // What sleeps is left out and counted, and each successor gets the right set.
    void compare_sleeping(const System& system, Expander& expander, const std::vector<Word>& from, SleepSet asleep,
                          const std::vector<StepDetail>& steps, SuccessorBatch& batch) const {
        const Commuting& commuting = *system.commuting();
        std::vector<const StepDetail*> awake;
        for (const StepDetail& step : steps)
            if (step.fault != FaultKind::none || (commuting.class_of(step.transition) & asleep) == 0) awake.push_back(&step);
        Cursor cursor;
        std::size_t at = 0;
        Expansion expansion = Expansion::full;
        while (expansion == Expansion::full) {
            batch.restart(cursor.state, &asleep);
            expansion = expander.expand(from.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i, ++at) {
                if (at >= awake.size()) disagree("a step that sleeps is delivered");
                require_equal("awake: transition", batch.transition(i), awake[at]->transition);
                require_equal("awake: fault", std::string(to_string(batch.fault(i))), std::string(to_string(awake[at]->fault)));
                if (awake[at]->fault == FaultKind::none)
                    require_equal("sleep set", batch.asleep(i), commuting.asleep_after(asleep, awake[at]->transition));
            }
        }
        require_equal("number of steps awake", at, awake.size());
        require_equal<std::size_t>("number of steps asleep", batch.skipped(0), steps.size() - awake.size());
    }

    // Machine code gives the same successors in the same order.
    void compare_native(const System& wide, const System& native, Expander& expander, const std::vector<Word>& packed,
                        const std::vector<StepDetail>& steps, SuccessorBatch& batch) const {
        Cursor cursor;
        std::size_t at = 0;
        std::vector<Word> from(native.state_words());
        native.repacking(wide)(packed.data(), from.data());
        Expansion expansion = Expansion::full;
        while (expansion == Expansion::full) {
            batch.restart(cursor.state);
            expansion = expander.expand(from.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i, ++at) {
                if (at >= steps.size()) disagree("machine code has more successors");
                require_equal("native: fault", std::string(to_string(batch.fault(i))), std::string(to_string(steps[at].fault)));
                require_equal("native: transition", batch.transition(i), steps[at].transition);
                if (steps[at].fault == FaultKind::none && native.decode(batch.state(i)) != wide.decode(steps[at].next.data()))
                    disagree("native: a successor differs");
            }
        }
        require_equal("native: number of successors", at, steps.size());
    }

    void compare_step(const System& wide, const StepDetail& mine, const reference::Step& theirs, const SuccessorBatch& batch,
                      std::size_t i) const {
        require_equal("fault of a step", std::string(to_string(mine.fault)), std::string(to_string(theirs.fault)));
        require_equal("fault of a successor", std::string(to_string(batch.fault(i))), std::string(to_string(mine.fault)));
        require_equal("number of participants", mine.parts.size(), theirs.participants.size());
        for (std::size_t p = 0; p < mine.parts.size(); ++p) {
            require_equal("participant", mine.parts[p].process, theirs.participants[p].process);
            require_equal("line of a participant", mine.parts[p].line, theirs.participants[p].line);
        }
        if (mine.fault != FaultKind::none) return;
        if (!std::equal(mine.next.begin(), mine.next.end(), batch.state(i))) disagree("steps() and expand() differ");
        if (wide.decode(batch.state(i)) != ours(theirs.next)) disagree("a successor differs");
    }

    void compare_searches() const {
        std::set<std::vector<Value>> states;
        std::set<std::vector<Value>> deadlocks;
        std::multiset<std::pair<std::vector<Value>, FaultKind>> faults;
        for (const reference::State& s : graph_.states) states.insert(ours(s));
        for (const std::size_t s : graph_.deadlocks) deadlocks.insert(ours(graph_.states[s]));
        for (const reference::FaultyStep& f : graph_.faults) faults.insert({ours(graph_.states[f.state]), f.kind});
        struct Way {
            WalkOrder order;
            unsigned threads;
            bool compress;
        };
        for (const Way way : {Way{WalkOrder::breadth_first, 1, false}, Way{WalkOrder::depth_first, 1, false}, Way{WalkOrder::breadth_first, 2, false},
                              Way{WalkOrder::breadth_first, 1, true}}) {
            SearchSettings settings;
            settings.threads = way.threads;
            settings.alone_below = 0;
            settings.compress = way.compress;
            for (const bool from_initial : {false, true}) {
                Recorder recorder;
                const SearchResult result = search(system({}, from_initial), way.order, settings, recorder);
                require_equal("complete", result.complete, true);
                require_equal<std::uint64_t>("states", result.statistics.states, graph_.states.size());
                require_equal<std::uint64_t>("expanded", result.statistics.expanded, graph_.states.size());
                require_equal<std::uint64_t>("transitions", result.statistics.transitions, graph_.transitions);
                require_equal<std::uint64_t>("deadlocks", result.statistics.deadlocks, graph_.deadlocks.size());
                require_equal<std::uint64_t>("faults", result.statistics.faults, graph_.faults.size());
                if (recorder.states != states) disagree("the sets of states differ");
                if (recorder.deadlocks != deadlocks) disagree("the sets of deadlocks differ");
                if (recorder.faults != faults) disagree("the faults differ");
            }
        }
    }

    void compare_assertions() const {
        std::set<std::pair<std::size_t, std::size_t>> broken;
        for (const reference::BrokenAssertion& b : graph_.assertions) broken.insert({b.state, b.assertion});
        for (std::size_t s = 0; s < graph_.states.size(); ++s) {
            const std::vector<Value> slots = ours(graph_.states[s]);
            for (std::size_t a = 0; a < model_->assertions.size(); ++a) {
                const Evaluation e = evaluate(model_->assertions[a].expression, model_->tables, slots);
                const bool fails = e.fault != FaultKind::none || e.value == 0;
                require_equal(fmt::format("assertion {} fails", a), fails, broken.count({s, number_in_file_[a]}) > 0);
            }
        }
    }

    void compare_invariant(const std::string& text) const {
        const Result<Expression> expression = parse_expression(*model_, SourceText("invariant", text));
        if (!expression) throw NotApplicable{};
        bool holds = true;
        for (const reference::State& state : graph_.states) {
            const Evaluation mine = evaluate(*expression, model_->tables, ours(state));
            const Result<reference::Answer> theirs = machine_->evaluate(text, state);
            if (!theirs) throw NotApplicable{};
            require_equal(text + ": fault", std::string(to_string(mine.fault)), std::string(to_string(theirs->fault)));
            if (mine.fault == FaultKind::none) require_equal(text, mine.value != 0, theirs->value != 0);
            if (mine.fault != FaultKind::none || mine.value == 0) holds = false;
        }
        const auto violates = [&](const reference::State& state) {
            const Result<reference::Answer> answer = machine_->evaluate(text, state);
            return answer->fault != FaultKind::none || answer->value == 0;
        };
        compare_verdicts({Goal::Kind::invariant, "invariant", text, 0}, {*expression}, holds, violates);
    }

    void compare_deadlock_verdict() const {
        const auto is_deadlock = [&](const reference::State& state) { return machine_->steps(state).empty(); };
        compare_verdicts({Goal::Kind::deadlock, "deadlock", "", 0}, {}, graph_.deadlocks.empty(), is_deadlock);
    }

    void compare_verdicts(const Goal& goal, const std::vector<Expression>& labels, bool holds,
                          const std::function<bool(const reference::State&)>& violates) const {
        for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::depth_first, WalkOrder::sweep}) {
            ReachabilityRequest request;
            request.system = system(labels, false, measures_.front());
            request.order = order;
            request.goals = {goal};
            request.confirm = [&](const Trace& trace, const Budget& budget) { return confirm(trace, *machine_, budget); };
            const Budget unlimited;
            const Outcome outcome = with_evidence(decide_reachability(request), unlimited);
            const Verdict& verdict = outcome.verdicts.front();
            const Answer expected = !holds ? Answer::violated : graph_.faults.empty() ? Answer::holds : Answer::unknown;
            require_equal(goal.name + ' ' + goal.formula, std::string(to_string(verdict.answer)), std::string(to_string(expected)));
            if (holds) continue;
            if (!verdict.trace) disagree("no trace for {}", goal.name);
            if (order == WalkOrder::depth_first) continue;
            const std::optional<reference::RecordedTrace> shortest = reference::shortest_run(*machine_, violates);
            require_equal("length of the trace for " + goal.name, verdict.trace->step_count(), shortest->steps.size());
        }
    }

    std::shared_ptr<const Model> model_;
    std::unique_ptr<reference::Machine> machine_;
    const AgreementOptions& limits_;
    reference::Graph graph_;
    std::vector<Measure> measures_;
    std::vector<std::size_t> place_;           // of our slots among the reference's names
    std::vector<std::size_t> number_in_file_;  // of the model's assertions: the reference counts those of the property too
};

}  // namespace

AgreementResult compare_with_reference(const std::string& text, const std::vector<std::string>& invariants,
                                       const AgreementOptions& options) {
    AgreementResult result;
    try {
        const auto compare = [&](bool with_property, const std::vector<std::string>& about) {
            const LoadOptions load_options{options.wrap, with_property};
            const Result<LoadedModel> loaded = load_model_text("random.dve", text, load_options);
            if (!loaded) return;
            result.compared = Comparison(*loaded, load_options, options).run(about, result);
        };
        const Result<LoadedModel> loaded = load_model_text("random.dve", text, {});
        if (!loaded) return result;
        // Invariants are asked of the system alone; the product with the property is a system of its own.
        if (loaded->model->observer) compare(true, {});
        compare(false, invariants);
    } catch (const Disagreement& found) {
        result.disagreement = found.text;
    } catch (const NotApplicable&) {
        result.compared = false;
    } catch (const UnconfirmedTrace& fault) {
        result.disagreement = std::string("unconfirmed trace: ") + fault.what();
    }
    return result;
}

}  // namespace tideline::differential
