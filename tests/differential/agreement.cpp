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

const support::Budget kUnlimited;

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

// The states, faults and violations of a search, as sets.
class Recorder final : public explore::SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(explore::SearchView& search, std::span<const explore::StateRef> fresh) override {
        for (const explore::StateRef& found : fresh) states.insert(search.system().decode(found.state));
        return true;
    }
    bool deadlock(explore::SearchView& search, const explore::StateRef& found) override {
        deadlocks.insert(search.system().decode(found.state));
        return true;
    }
    bool faulty(explore::SearchView& search, const explore::StateRef& source, model::TransitionId /*transition*/,
                model::FaultKind kind) override {
        faults.insert({search.system().decode(source.state), kind});
        return true;
    }

    std::set<std::vector<model::Value>> states;
    std::set<std::vector<model::Value>> deadlocks;
    std::multiset<std::pair<std::vector<model::Value>, model::FaultKind>> faults;
};

class Comparison {
public:
    Comparison(const input::LoadedModel& loaded, const input::LoadOptions& options, const AgreementOptions& limits)
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
        for (const progress::Measure& measure : measures_) compare_sweeps(measure);
        result.nested = compare_certificates();
        compare_assertions();
        for (const std::string& invariant : invariants) compare_invariant(invariant);
        compare_deadlock_verdict();
        return true;
    }

private:
    std::shared_ptr<const successor::System> system(std::vector<model::Expression> labels, bool from_initial,
                                                    const progress::Measure& measure = {}) const {
        std::vector<model::Range> ranges;
        for (const model::Value v : model_->initial) ranges.push_back({v, v});
        if (!from_initial) ranges = successor::observe_ranges(*model_, kUnlimited);
        return successor::make_interpreted_system(model_, std::move(labels),
                                                  successor::Layout::observed(*model_, ranges), measure.program);
    }

    // Machine code with a packing that may need repacking.
    std::shared_ptr<const successor::System> native_system(const progress::Measure& measure) const {
        std::string notice;
        return successor::make_model_system(
            model_, {}, successor::Layout::observed(*model_, successor::observe_ranges(*model_, kUnlimited)),
            measure.program, successor::Successors::native, kUnlimited, notice);
    }

    // Two measures of random components; every other time the second is the first one negated.
    void choose_measures() {
        RandomNumbers random(limits_.seed);
        std::vector<std::string> names;
        for (const model::Model::SlotOwner owner : model_->slot_owners()) names.push_back(model_->slot_name(owner));
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
        std::string second = random.chance(50)   ? "-(" + component() + ")"
                             : random.chance(20) ? "7"
                                                 : component() + "," + component() + "," + component();
        for (const std::string& text : {first, second}) {
            support::Result<progress::Measure> measure = progress::parse_measure(*model_, text);
            if (!measure)
                disagree("the measure {} is not understood: {}", text, support::to_text(measure.diagnostics().front()));
            measures_.push_back(*std::move(measure));
        }
    }

    // Components that are proven never to decrease never do: slots, negated slots, and sums of neighbours. Returns
    // whether sweeps were nested in it.
    bool compare_certificates() const {
        std::vector<model::Expression> proven;
        for (model::SlotId slot = 0; slot < model_->slot_count(); ++slot) {
            const model::Expression one = model::Expression::slot(slot);
            const model::Expression next = model::Expression::slot((slot + 1) % model_->slot_count());
            for (const model::Expression& e : {one, model::Expression::unary(model::Op::negate, one),
                                               model::Expression::binary(model::Op::add, one, next),
                                               model::Expression::binary(model::Op::subtract, one, next)})
                if (progress::never_decreases(*model_, e)) proven.push_back(e);
        }
        if (proven.empty()) return false;
        for (const reference::State& state : graph_.states) {
            const std::vector<model::Value> before = ours(state);
            for (const reference::Step& step : machine_->steps(state)) {
                if (step.fault != model::FaultKind::none) continue;
                const std::vector<model::Value> after = ours(step.next);
                for (const model::Expression& e : proven)
                    if (model::evaluate(e, model_->tables, after).value <
                        model::evaluate(e, model_->tables, before).value)
                        disagree("what was proven never to decrease does");
            }
        }
        return compare_nested_sweeps(proven);
    }

    // Sweeps inside blocks of one or two components that are proven never to decrease, by one that need not be. False:
    // nothing proven grows.
    bool compare_nested_sweeps(const std::vector<model::Expression>& proven) const {
        std::set<std::vector<model::Value>> states;
        for (const reference::State& s : graph_.states) states.insert(ours(s));
        std::vector<model::Expression> growing;
        for (const model::Expression& e : proven) {
            const auto value = [&](const std::vector<model::Value>& state) {
                return model::evaluate(e, model_->tables, state).value;
            };
            const model::Value first = value(*states.begin());
            if (std::any_of(states.begin(), states.end(), [&](const auto& state) { return value(state) != first; }))
                growing.push_back(e);
        }
        if (growing.empty()) return false;
        RandomNumbers random(limits_.seed + 1);
        successor::KeyProgram key;
        for (std::size_t i = 1 + random.below(2); i > 0; --i)
            key.components.push_back(progress::key_component(*model_, random.one_of(growing)));
        const model::Expression other =
            model::Expression::slot(static_cast<model::SlotId>(random.below(model_->slot_count())));
        key.components.push_back(progress::key_component(
            *model_, random.chance(50) ? other : model::Expression::unary(model::Op::negate, other)));
        unsigned bits = 0;
        for (const successor::KeyComponent& component : key.components) bits += component.bits;
        if (bits > 128) return false;
        explore::SearchSettings settings;
        settings.block_bits = key.components.back().bits;
        std::uint64_t expanded = 0;
        for (const unsigned threads : {1U, 2U}) {
            if (threads > 1 && limits_.seed % 8 != 0) break;
            settings.threads = threads;
            settings.alone_below = 0;
            std::vector<model::Range> ranges;
            for (const model::Value v : model_->initial) ranges.push_back({v, v});
            Recorder swept;
            const explore::SearchResult nested = explore::search(
                successor::make_interpreted_system(model_, {}, successor::Layout::observed(*model_, ranges), key),
                explore::WalkOrder::sweep, settings, swept);
            require_equal("nested sweep complete", nested.complete, true);
            if (swept.states != states) disagree("a nested sweep visits other states");
            if (threads == 1) expanded = nested.statistics.expanded;
            require_equal<std::uint64_t>("expanded by a nested sweep of two threads", nested.statistics.expanded,
                                         expanded);
        }
        return true;
    }

    void compare_sweeps(const progress::Measure& measure) const {
        std::set<std::vector<model::Value>> states;
        for (const reference::State& s : graph_.states) states.insert(ours(s));
        Recorder swept;
        const explore::SearchResult general = explore::search(
            limits_.native ? native_system(measure) : system({}, true, measure), explore::WalkOrder::sweep, {}, swept);
        require_equal("sweep complete", general.complete, true);
        if (swept.states != states) disagree("the sweep by {} visits other states", fmt::join(measure.components, ","));
        explore::SearchSettings two_threads;
        two_threads.threads = 2;
        two_threads.alone_below = limits_.seed % 2 == 0 ? 0 : 8;
        Recorder swept_by_two;
        const explore::SearchResult by_two =
            explore::search(system({}, true, measure), explore::WalkOrder::sweep, two_threads, swept_by_two);
        if (swept_by_two.states != states) disagree("two threads sweep other states");
        require_equal<std::uint64_t>("expanded by two threads", by_two.statistics.expanded,
                                     general.statistics.expanded);
        require_equal<std::uint64_t>("transitions by two threads", by_two.statistics.transitions,
                                     general.statistics.transitions);
        require_equal<std::uint64_t>("peak of two threads", by_two.statistics.peak_states,
                                     general.statistics.peak_states);
        require_equal<std::uint64_t>("persistent by two threads", by_two.statistics.persistent,
                                     general.statistics.persistent);
        const bool monotonic = general.statistics.regress_edges == 0;
        if (general.statistics.sweeps == 1) {
            require_equal<std::uint64_t>("states of a sweep", general.statistics.states, graph_.states.size());
            require_equal<std::uint64_t>("transitions of a sweep", general.statistics.transitions, graph_.transitions);
            require_equal<std::uint64_t>("deadlocks of a sweep", general.statistics.deadlocks, graph_.deadlocks.size());
            require_equal<std::uint64_t>("faults of a sweep", general.statistics.faults, graph_.faults.size());
        }
        Recorder ignored;
        const explore::SearchResult basic =
            explore::search(system({}, false, measure), explore::WalkOrder::sweep_basic, {}, ignored);
        require_equal("basic sweep complete", basic.complete, monotonic);
    }

    void map_names() {
        const std::vector<model::Model::SlotOwner> owners = model_->slot_owners();
        std::map<std::string, std::size_t> by_name;
        for (std::size_t i = 0; i < machine_->names().size(); ++i) by_name[machine_->names()[i]] = i;
        require_equal("number of slots", owners.size(), by_name.size());
        for (const model::Model::SlotOwner owner : owners) {
            const auto found = by_name.find(model_->slot_name(owner));
            if (found == by_name.end()) disagree("the reference knows no {}", model_->slot_name(owner));
            place_.push_back(found->second);
        }
    }

    std::vector<model::Value> ours(const reference::State& state) const {
        std::vector<model::Value> result;
        for (const std::size_t place : place_) result.push_back(state[place]);
        return result;
    }

    void compare_steps() const {
        const std::unique_ptr<successor::System> wide =
            successor::make_interpreted_system(model_, {}, successor::Layout::declared(*model_));
        const successor::Layout layout = successor::Layout::declared(*model_);
        const std::unique_ptr<successor::Expander> expander = wide->expander();
        std::string notice;
        const std::unique_ptr<successor::System> native =
            limits_.native ? successor::make_model_system(model_, {}, layout, {}, successor::Successors::native,
                                                          kUnlimited, notice)
                           : nullptr;
        const std::unique_ptr<successor::Expander> native_expander = native ? native->expander() : nullptr;
        successor::SuccessorBatch batch(wide->state_words(), 3);
        successor::SuccessorBatch native_batch(wide->state_words(), 3);
        std::vector<successor::Word> packed(wide->state_words());
        for (const reference::State& state : graph_.states) {
            if (layout.pack(ours(state).data(), packed.data()))
                disagree("a state of the reference is outside the declared ranges");
            const std::vector<successor::StepDetail> mine = wide->steps(packed.data());
            const std::vector<reference::Step> theirs = machine_->steps(state);
            require_equal("number of steps of a state", mine.size(), theirs.size());
            successor::Cursor cursor;
            std::size_t at = 0;
            successor::Expansion expansion = successor::Expansion::full;
            while (expansion == successor::Expansion::full) {
                batch.restart(cursor.state);
                expansion = expander->expand(packed.data(), 1, cursor, batch);
                for (std::size_t i = 0; i < batch.size(); ++i, ++at)
                    compare_step(*wide, mine[at], theirs[at], batch, i);
            }
            require_equal("number of successors", at, mine.size());
            if (native) compare_native(*wide, *native, *native_expander, packed, mine, native_batch);
            if (wide->commuting() == nullptr) continue;
            // A sleep set that the state could have, by chance.
            successor::SleepSet asleep = successor::hash_state(packed.data(), packed.size());
            if (!mine.empty()) asleep = wide->commuting()->asleep_after(asleep, mine[asleep % mine.size()].transition);
            compare_sleeping(*wide, *expander, packed, asleep, mine, batch);
            if (!native) continue;
            std::vector<successor::Word> needs_repacking(native->state_words());
            native->repacking (*wide)(packed.data(), needs_repacking.data());
            compare_sleeping(*native, *native_expander, needs_repacking, asleep, mine, native_batch);
        }
    }

    // Sleeping steps are left out and counted, and each successor gets the right set.
    void compare_sleeping(const successor::System& system, successor::Expander& expander,
                          const std::vector<successor::Word>& from, successor::SleepSet asleep,
                          const std::vector<successor::StepDetail>& steps, successor::SuccessorBatch& batch) const {
        const successor::Commuting& commuting = *system.commuting();
        std::vector<const successor::StepDetail*> awake;
        for (const successor::StepDetail& step : steps)
            if (step.fault != model::FaultKind::none || (commuting.class_of(step.transition) & asleep) == 0)
                awake.push_back(&step);
        successor::Cursor cursor;
        std::size_t at = 0;
        successor::Expansion expansion = successor::Expansion::full;
        while (expansion == successor::Expansion::full) {
            batch.restart(cursor.state, &asleep);
            expansion = expander.expand(from.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i, ++at) {
                if (at >= awake.size()) disagree("a step that sleeps is delivered");
                require_equal("awake: transition", batch.transition(i), awake[at]->transition);
                require_equal("awake: fault", std::string(model::to_string(batch.fault(i))),
                              std::string(model::to_string(awake[at]->fault)));
                if (awake[at]->fault == model::FaultKind::none)
                    require_equal("sleep set", batch.asleep(i), commuting.asleep_after(asleep, awake[at]->transition));
            }
        }
        require_equal("number of steps awake", at, awake.size());
        require_equal<std::size_t>("number of steps asleep", batch.skipped(0), steps.size() - awake.size());
    }

    // Machine code gives the same successors in the same order.
    void compare_native(const successor::System& wide, const successor::System& native, successor::Expander& expander,
                        const std::vector<successor::Word>& packed, const std::vector<successor::StepDetail>& steps,
                        successor::SuccessorBatch& batch) const {
        successor::Cursor cursor;
        std::size_t at = 0;
        std::vector<successor::Word> from(native.state_words());
        native.repacking(wide)(packed.data(), from.data());
        successor::Expansion expansion = successor::Expansion::full;
        while (expansion == successor::Expansion::full) {
            batch.restart(cursor.state);
            expansion = expander.expand(from.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i, ++at) {
                if (at >= steps.size()) disagree("machine code has more successors");
                require_equal("native: fault", std::string(model::to_string(batch.fault(i))),
                              std::string(model::to_string(steps[at].fault)));
                require_equal("native: transition", batch.transition(i), steps[at].transition);
                if (steps[at].fault == model::FaultKind::none &&
                    native.decode(batch.state(i)) != wide.decode(steps[at].next.data()))
                    disagree("native: a successor differs");
            }
        }
        require_equal("native: number of successors", at, steps.size());
    }

    void compare_step(const successor::System& wide, const successor::StepDetail& mine, const reference::Step& theirs,
                      const successor::SuccessorBatch& batch, std::size_t i) const {
        require_equal("fault of a step", std::string(model::to_string(mine.fault)),
                      std::string(model::to_string(theirs.fault)));
        require_equal("fault of a successor", std::string(model::to_string(batch.fault(i))),
                      std::string(model::to_string(mine.fault)));
        require_equal("number of participants", mine.parts.size(), theirs.participants.size());
        for (std::size_t p = 0; p < mine.parts.size(); ++p) {
            require_equal("participant", mine.parts[p].process, theirs.participants[p].process);
            require_equal("line of a participant", mine.parts[p].line, theirs.participants[p].line);
        }
        if (mine.fault != model::FaultKind::none) return;
        if (!std::equal(mine.next.begin(), mine.next.end(), batch.state(i))) disagree("steps() and expand() differ");
        if (wide.decode(batch.state(i)) != ours(theirs.next)) disagree("a successor differs");
    }

    void compare_searches() const {
        std::set<std::vector<model::Value>> states;
        std::set<std::vector<model::Value>> deadlocks;
        std::multiset<std::pair<std::vector<model::Value>, model::FaultKind>> faults;
        for (const reference::State& s : graph_.states) states.insert(ours(s));
        for (const std::size_t s : graph_.deadlocks) deadlocks.insert(ours(graph_.states[s]));
        for (const reference::FaultyStep& f : graph_.faults) faults.insert({ours(graph_.states[f.state]), f.kind});
        struct Way {
            explore::WalkOrder order;
            unsigned threads;
            bool compress;
        };
        for (const Way way :
             {Way{explore::WalkOrder::breadth_first, 1, false}, Way{explore::WalkOrder::depth_first, 1, false},
              Way{explore::WalkOrder::breadth_first, 2, false}, Way{explore::WalkOrder::breadth_first, 1, true}}) {
            explore::SearchSettings settings;
            settings.threads = way.threads;
            settings.alone_below = 0;
            settings.compress = way.compress;
            for (const bool from_initial : {false, true}) {
                Recorder recorder;
                const explore::SearchResult result =
                    explore::search(system({}, from_initial), way.order, settings, recorder);
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
            const std::vector<model::Value> slots = ours(graph_.states[s]);
            for (std::size_t a = 0; a < model_->assertions.size(); ++a) {
                const model::Evaluation e = model::evaluate(model_->assertions[a].expression, model_->tables, slots);
                const bool fails = e.fault != model::FaultKind::none || e.value == 0;
                require_equal(fmt::format("assertion {} fails", a), fails, broken.count({s, number_in_file_[a]}) > 0);
            }
        }
    }

    void compare_invariant(const std::string& text) const {
        const support::Result<model::Expression> expression =
            model::parse_expression(*model_, support::SourceText("invariant", text));
        if (!expression) throw NotApplicable{};
        bool holds = true;
        for (const reference::State& state : graph_.states) {
            const model::Evaluation mine = model::evaluate(*expression, model_->tables, ours(state));
            const support::Result<reference::Answer> theirs = machine_->evaluate(text, state);
            if (!theirs) throw NotApplicable{};
            require_equal(text + ": fault", std::string(model::to_string(mine.fault)),
                          std::string(model::to_string(theirs->fault)));
            if (mine.fault == model::FaultKind::none) require_equal(text, mine.value != 0, theirs->value != 0);
            if (mine.fault != model::FaultKind::none || mine.value == 0) holds = false;
        }
        const auto violates = [&](const reference::State& state) {
            const support::Result<reference::Answer> answer = machine_->evaluate(text, state);
            return answer->fault != model::FaultKind::none || answer->value == 0;
        };
        compare_verdicts({check::StateProperty::Kind::invariant, "invariant", text, 0}, {*expression}, holds, violates);
    }

    void compare_deadlock_verdict() const {
        const auto is_deadlock = [&](const reference::State& state) { return machine_->steps(state).empty(); };
        compare_verdicts({check::StateProperty::Kind::deadlock, "deadlock", "", 0}, {}, graph_.deadlocks.empty(),
                         is_deadlock);
    }

    void compare_verdicts(const check::StateProperty& property, const std::vector<model::Expression>& labels,
                          bool holds, const std::function<bool(const reference::State&)>& violates) const {
        for (const explore::WalkOrder order :
             {explore::WalkOrder::breadth_first, explore::WalkOrder::depth_first, explore::WalkOrder::sweep}) {
            check::ReachabilityRequest request;
            request.system = system(labels, false, measures_.front());
            request.order = order;
            request.properties = {property};
            request.confirm = [&](const trace::Trace& trace, const support::Budget& budget) {
                return trace::confirm(trace, *machine_, budget);
            };
            const support::Budget unlimited;
            const check::Outcome outcome = check::with_evidence(check::decide_reachability(request), unlimited);
            const check::Verdict& verdict = outcome.verdicts.front();
            const check::Answer expected = !holds                  ? check::Answer::violated
                                           : graph_.faults.empty() ? check::Answer::holds
                                                                   : check::Answer::unknown;
            require_equal(property.name + ' ' + property.formula, std::string(check::to_string(verdict.answer)),
                          std::string(check::to_string(expected)));
            if (holds) continue;
            if (!verdict.trace) disagree("no trace for {}", property.name);
            if (order == explore::WalkOrder::depth_first) continue;
            const std::optional<reference::RecordedTrace> shortest = reference::shortest_run(*machine_, violates);
            require_equal("length of the trace for " + property.name, verdict.trace->step_count(),
                          shortest->steps.size());
        }
    }

    std::shared_ptr<const model::Model> model_;
    std::unique_ptr<reference::Machine> machine_;
    const AgreementOptions& limits_;
    reference::Graph graph_;
    std::vector<progress::Measure> measures_;
    std::vector<std::size_t> place_;  // of our slots among the reference's names
    std::vector<std::size_t>
        number_in_file_;  // of the model's assertions: the reference counts those of the property too
};

}  // namespace

AgreementResult compare_with_reference(const std::string& text, const std::vector<std::string>& invariants,
                                       const AgreementOptions& options) {
    AgreementResult result;
    try {
        const auto compare = [&](bool with_property, const std::vector<std::string>& about) {
            const input::LoadOptions load_options{options.wrap, with_property};
            const support::Result<input::LoadedModel> loaded = input::load_model_text("random.dve", text, load_options);
            if (!loaded) return;
            result.compared = Comparison(*loaded, load_options, options).run(about, result);
        };
        const support::Result<input::LoadedModel> loaded = input::load_model_text("random.dve", text, {});
        if (!loaded) return result;
        // Invariants are checked on the system alone; the product with the property is a separate system.
        if (loaded->model->observer) compare(true, {});
        compare(false, invariants);
    } catch (const Disagreement& found) {
        result.disagreement = found.text;
    } catch (const NotApplicable&) {
        result.compared = false;
    } catch (const check::UnconfirmedTrace& fault) {
        result.disagreement = std::string("unconfirmed trace: ") + fault.what();
    }
    return result;
}

}  // namespace tideline::differential
