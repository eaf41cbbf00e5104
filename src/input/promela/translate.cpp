// Transitions of one process follow its control flow, edge by edge. A rendezvous becomes one transition per pair of a
// sending and a receiving edge. A d_step is entered by its first statement and runs through locations of its own, in
// which the first possible step is taken; statements that are always possible are appended to the one before them. An
// atomic sequence and a d_step hold the slot `atomic` (Model::atomic), so that no state inside is seen.
#include "input/promela/translate.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "input/promela/actions.hpp"
#include "input/promela/certain_steps.hpp"
#include "input/promela/control.hpp"
#include "input/promela/formulas.hpp"
#include "input/promela/parser.hpp"
#include "model/evaluate.hpp"

namespace tideline::input::promela {
namespace {

constexpr std::size_t kMostTransitions = 1'000'000;
constexpr std::size_t kMostSlots = 1'000'000;

model::Expression constant(model::Value value) { return model::Expression::constant(value); }

// A side of a rendezvous, before it is paired.
struct Half {
    const Instance* instance = nullptr;
    const Edge* edge = nullptr;  // that is left; of a d_step as a whole, where `first` is its first step
    const Edge* first = nullptr;
    Handshake handshake;
    std::vector<model::Expression> guards;
    int priority = 0;
    std::size_t place = 0;  // of a sender: among the edges of all instances
};

class Translator {
public:
    Translator(const Program& program, const TranslateOptions& options, const support::Budget& budget)
        : program_(program), options_(options), poll_(budget, 16) {}

    support::Result<Translated> run() {
        model_.format = "promela";
        model_.source = program_.files[0];
        try {
            refuse();
            build();
        } catch (const Refused& refused) {
            return support::diagnostic_at(program_.files[refused.place.file], refused.place.span, refused.message,
                                          refused.hint);
        }
        if (poll_.reason() != support::StopReason::none)
            return support::diagnostic_of_stop(program_.files[0].path(), poll_.reason(), "the model was translated");
        return Translated{std::move(model_), std::move(formulas_)};
    }

private:
    void refuse() const {
        if (std::none_of(program_.processes.begin(), program_.processes.end(), [](const Process& process) {
                return process.active > 0 && process.kind != Process::Kind::never;
            }))
            throw Refused{{}, "nothing runs: this model has neither init nor an active proctype", {}};
    }

    void build() {
        for (const Process& process : program_.processes) controls_.push_back(control_flow(process));
        flow_.emplace(program_);
        add_index_tables();
        slots_.emplace(program_, controls_, options_.instances, options_.with_claim, model_);
        if (model_.slot_count() > kMostSlots)
            throw Refused{program_.globals.empty() ? Place{} : program_.globals[0].place,
                          "this model has too many variables",
                          "at most " + std::to_string(kMostSlots) + " are supported"};
        expressions_.emplace(*slots_, *flow_, model_);
        actions_.emplace(*slots_, *expressions_, model_);
        if (slots_->trace) {
            trace_.emplace(program_.processes[*slots_->trace], controls_[*slots_->trace], slots_->event, *expressions_,
                           model_);
            actions_->observe_by(&*trace_);
        }
        expressions_->has_step = [this](const Instance& instance) { return has_step(instance); };
        set_initial_state();
        for (const Instance& instance : slots_->instances) collect_receivers(instance);
        for (const Instance& instance : slots_->instances) {
            if (poll_.is_exhausted()) return;
            translate(instance);
        }
        pair();
        add_in_order();
        set_valid_end();
        formulas_ = translate_formulas(program_, *expressions_, model_);
    }

    // An index of an inner array that is beyond it is not beyond the whole: a table finds it.
    void add_index_tables() {
        std::set<std::uint32_t> lengths;
        for (const Structure& structure : program_.structures)
            for (const Declaration& field : structure.fields)
                if (field.length) lengths.insert(*field.length);
        for (const std::uint32_t length : lengths) {
            model::Table table;
            table.name = "index below " + std::to_string(length);
            table.array = true;
            for (std::uint32_t i = 0; i < length; ++i) table.values.push_back(i);
            model_.tables.push_back(std::move(table));
        }
    }

    // ---- the beginning ----------------------------------------------------------------------------------------------

    void execute(const std::vector<model::Effect>& effects, Place place) {
        for (const model::Effect& effect : effects) {
            const auto& assign = std::get<model::Assign>(effect);
            const model::Variable& variable = model_.variables[assign.targets[0].variable];
            const model::Evaluation value = model::evaluate(assign.values[0], model_.tables, model_.initial);
            if (value.fault != model::FaultKind::none) throw Refused{place, "this initial value is faulty", {}};
            model::SlotId slot = variable.first_slot;
            if (assign.targets[0].index) slot += static_cast<model::SlotId>(assign.targets[0].index->constant_value());
            const Bounded stored =
                expressions_->truncated({constant(value.value), {value.value, value.value}}, variable.range);
            model_.initial[slot] = stored.code.constant_value();
        }
    }

    void set_initial_state() {
        for (std::size_t i = 0; i < slots_->globals.size(); ++i)
            execute(actions_->initial_values(slots_->globals[i], {}), program_.globals[i].place);
        for (std::size_t i = 0; i < slots_->instances.size(); ++i) {
            const bool is_claim = slots_->claim == i;
            if (i >= slots_->initial_instances && !is_claim) continue;
            const Instance& instance = slots_->instances[i];
            execute(actions_->initial_values(instance), program_.processes[instance.type].place);
            if (instance.priority)
                model_.initial[model_.variables[*instance.priority].first_slot] =
                    program_.processes[instance.type].priority.value_or(1);
            model_.initial[model_.variables[instance.location].first_slot] =
                Slots::location(controls_[instance.type].start);
            if (!is_claim) model_.initial[model_.variables[slots_->process_count].first_slot] = instance.pid + 1;
        }
        if (slots_->claim) {
            model_.observer = slots_->instances[*slots_->claim].process;
            model_.explores_observer = false;
            model_.acceptance_sets = 1;
        }
    }

    // ---- one process ------------------------------------------------------------------------------------------------

    [[nodiscard]] bool is_claim(const Instance& instance) const {
        return slots_->claim && &slots_->instances[*slots_->claim] == &instance;
    }

    void translate(const Instance& instance) {
        const Control& control = controls_[instance.type];
        held_.assign(control.locations.size(), false);
        for (const Edge& edge : control.edges)
            if (edge.continues) held_[edge.to] = true;
        for (std::uint32_t i = 0; i < control.locations.size(); ++i)
            if (control.locations[i].d_step != nullptr) held_[i] = true;
        for (std::uint32_t i = 0; i < control.locations.size(); ++i) {
            const Location& location = control.locations[i];
            if (location.d_step != nullptr) {
                translate_inside(instance, location);
                continue;
            }
            for (const std::uint32_t e : location.edges) translate(instance, control.edges[e]);
        }
    }

    [[nodiscard]] Context context_of(const Instance& instance, bool timeout) const {
        Context context;
        context.self = &instance;
        context.timeout = timeout;
        return context;
    }

    static bool mentions_timeout(const Statement* statement) {
        if (statement == nullptr) return false;
        if (statement->value && Expressions::contains(*statement->value, Expr::Kind::timeout)) return true;
        if (statement->kind == Statement::Kind::block) return mentions_timeout(statement->options[0].front().get());
        return false;
    }

    void translate(const Instance& instance, const Edge& edge) {
        ++place_;
        translate(instance, edge, context_of(instance, false), 0);
        // Where nothing else can happen, timeout holds.
        if (mentions_timeout(edge.statement)) translate(instance, edge, context_of(instance, true), -1);
    }

    // What is ready to receive in a rendezvous: a receiver that is waited for is not held back by else, or by escapes
    // that do not receive the same message.
    void collect_receivers(const Instance& instance) {
        const Control& control = controls_[instance.type];
        const Context context = context_of(instance, false);
        for (const Location& location : control.locations) {
            if (location.d_step != nullptr) continue;
            for (const std::uint32_t e : location.edges) {
                const Edge& edge = control.edges[e];
                if (is_d_step(edge)) collect_receivers_inside(instance, edge);
                if (edge.statement == nullptr || edge.statement->kind != Statement::Kind::receive) continue;
                for (Action& action : actions_->of(edge.statement, context)) {
                    if (!action.handshake) continue;
                    Half half{&instance, &edge, nullptr, *std::move(action.handshake), provided(instance, context), 0};
                    receivers_.push_back(std::move(half));
                }
            }
        }
    }

    // A d_step may begin with a receive; where several of its first steps are possible the first of them is taken.
    void collect_receivers_inside(const Instance& instance, const Edge& edge) {
        const Control& control = controls_[instance.type];
        const Context context = context_of(instance, false);
        std::vector<model::Expression> guards = provided(instance, context);
        for (const std::uint32_t e : control.locations[edge.inside].edges) {
            const Edge& first = control.edges[e];
            if (first.statement == nullptr || first.statement->kind == Statement::Kind::otherwise) break;
            if (first.statement->kind == Statement::Kind::receive)
                for (Action& action : actions_->of(first.statement, context))
                    if (action.handshake)
                        receivers_.push_back({&instance, &edge, &first, *std::move(action.handshake), guards, 0});
            guards.push_back(negation(executable(instance, first, context, true)));
        }
    }

    [[nodiscard]] std::vector<model::Expression> provided(const Instance& instance, const Context& context) const {
        const Process& process = program_.processes[instance.type];
        if (!process.provided) return {};
        return {expressions_->condition(*process.provided, context)};
    }

    void translate(const Instance& instance, const Edge& edge, const Context& context, int priority) {
        std::vector<model::Expression> unescaped = provided(instance, context);
        if (instance.priority) unescaped.push_back(has_highest_priority(instance));
        const bool is_else = edge.statement != nullptr && edge.statement->kind == Statement::Kind::otherwise;
        for (const std::uint32_t e : is_else ? edge.preceding : edge.prevented_by)
            unescaped.push_back(negation(executable(instance, controls_[instance.type].edges[e], context)));
        if (is_else) {
            add(instance, edge, edge.to, edge.continues, unescaped, {}, {}, priority);
            return;
        }
        if (is_d_step(edge)) {
            enter(instance, edge, unescaped, context, priority);
            return;
        }
        for (Action& action : actions_->of(edge.statement, context)) {
            if (action.handshake) {
                if (!action.handshake->sends) check_index(instance, edge, *action.handshake, unescaped, priority);
                else
                    senders_.push_back(
                        {&instance, &edge, nullptr, *std::move(action.handshake), unescaped, priority, place_});
                continue;
            }
            std::vector<model::Expression> guards = unescaped;
            std::move(action.guards.begin(), action.guards.end(), std::back_inserter(guards));
            add(instance, edge, edge.to, edge.continues, std::move(guards), std::move(action.effects),
                std::move(action.events), priority);
        }
    }

    // A receive through an array of rendezvous channels is tried although nobody sends: a wrong index is a fault then.
    void check_index(const Instance& instance, const Edge& edge, const Handshake& handshake,
                     std::vector<model::Expression> guards, int priority) {
        const std::vector<model::Instruction>& code = handshake.which.code();
        if (std::none_of(code.begin(), code.end(), [](const model::Instruction& i) {
                return i.op == model::Op::load_table || i.op == model::Op::load_element;
            }))
            return;
        guards.push_back(model::Expression::binary(model::Op::less, handshake.which, constant(0)));
        add(instance, edge, edge.to, false, std::move(guards), {}, {}, priority);
    }

    static bool is_d_step(const Edge& edge) {
        return edge.statement != nullptr && edge.statement->kind == Statement::Kind::block &&
               edge.statement->atomicity == Statement::Atomicity::d_step;
    }

    // Whether a step can be taken, as SPIN sees it for else and unless: of a rendezvous the sender moves.
    model::Expression executable(const Instance& instance, const Edge& edge, const Context& context,
                                 bool inside = false) const {
        if (edge.statement != nullptr && edge.statement->kind == Statement::Kind::otherwise) {
            model::Expression result = constant(1);
            for (const std::uint32_t e : edge.preceding) {
                const Edge& other = controls_[instance.type].edges[e];
                result = conjunction(std::move(result), negation(executable(instance, other, context)));
            }
            return result;
        }
        if (is_d_step(edge)) {
            model::Expression result = constant(0);
            for (const std::uint32_t e : controls_[instance.type].locations[edge.inside].edges) {
                const Edge& first = controls_[instance.type].edges[e];
                result = disjunction(std::move(result), executable(instance, first, context, true));
            }
            return result;
        }
        model::Expression result = constant(0);
        for (const Action& action : actions_->of(edge.statement, context)) {
            if (action.handshake) {
                if (action.handshake->sends && inside)
                    result = disjunction(std::move(result), stands_for_rendezvous(*action.handshake));
                else if (action.handshake->sends)
                    result = disjunction(
                        std::move(result),
                        is_awaited({&instance, &edge, nullptr, *action.handshake, {}, context.timeout ? -1 : 0}));
                continue;
            }
            result = disjunction(std::move(result), all_of(action.guards));
        }
        return result;
    }
    // Whether the channel of a statement is one of its rendezvous channels.
    static model::Expression stands_for_rendezvous(const Handshake& handshake) {
        if (handshake.choice.is_known) return constant(1);
        model::Expression result = constant(0);
        for (const ChannelId id : handshake.choice.channels)
            result = disjunction(std::move(result), model::Expression::binary(model::Op::equal, handshake.which,
                                                                              constant(static_cast<model::Value>(id))));
        return result;
    }
    static model::Expression all_of(const std::vector<model::Expression>& guards) {
        model::Expression all = constant(1);
        for (const model::Expression& guard : guards) all = conjunction(std::move(all), guard);
        return all;
    }

    // Whether somebody is ready to receive what it sends.
    model::Expression is_awaited(const Half& sender) const {
        model::Expression result = constant(0);
        for (const Half& receiver : receivers_) {
            if (sender.instance->pid == receiver.instance->pid) continue;
            const model::Expression there =
                model::Expression::binary(model::Op::equal, model_.read(receiver.instance->location),
                                          constant(Slots::location(receiver.edge->from)));
            for (const Meeting& meeting : meetings(sender, receiver))
                result = disjunction(std::move(result), conjunction(there, all_of(meeting.guards)));
        }
        return result;
    }

    // No process of a higher priority has a step.
    model::Expression has_highest_priority(const Instance& instance) {
        model::Expression result = constant(1);
        for (std::size_t i = 0; i < slots_->instances.size(); ++i) {
            const Instance& other = slots_->instances[i];
            if (&other == &instance || other.pid == instance.pid || !other.priority) continue;
            if (steps_of_.size() <= i) steps_of_.resize(slots_->instances.size());
            if (!steps_of_[i]) steps_of_[i] = has_step(other);
            const model::Expression higher = model::Expression::binary(model::Op::greater, model_.read(*other.priority),
                                                                       model_.read(*instance.priority));
            result = conjunction(std::move(result), negation(conjunction(higher, *steps_of_[i])));
        }
        return result;
    }

    // enabled(...): whether the process can take some step by itself.
    model::Expression has_step(const Instance& instance) const {
        if (is_finding_steps_) throw Refused{{}, "enabled(...) must not depend on itself", {}};
        is_finding_steps_ = true;
        const Control& control = controls_[instance.type];
        const Context context = context_of(instance, false);
        model::Expression result = constant(0);
        for (std::uint32_t i = 0; i < control.locations.size(); ++i) {
            if (control.locations[i].d_step != nullptr) continue;
            model::Expression some = constant(0);
            for (const std::uint32_t e : control.locations[i].edges)
                some = disjunction(std::move(some), executable(instance, control.edges[e], context));
            result = disjunction(std::move(result),
                                 conjunction(model::Expression::binary(model::Op::equal, model_.read(instance.location),
                                                                       constant(Slots::location(i))),
                                             some));
        }
        is_finding_steps_ = false;
        return conjunction(all_of(provided(instance, context)), result);
    }

    // ---- d_step -----------------------------------------------------------------------------------------------------

    void enter(const Instance& instance, const Edge& edge, const std::vector<model::Expression>& guards,
               const Context& context, int priority) {
        steps_inside(instance, controls_[instance.type].locations[edge.inside], edge.from, guards, context, priority);
    }

    void translate_inside(const Instance& instance, const Location& location) {
        if (location.edges.empty()) return;
        const std::uint32_t from = controls_[instance.type].edges[location.edges.front()].from;
        const Context context = context_of(instance, false);
        const model::Expression none = steps_inside(instance, location, from, {}, context, 0);
        if (is_value(none, 0)) return;
        const Edge& first = controls_[instance.type].edges[location.edges.front()];
        model::Require blocked;
        blocked.condition = constant(0);
        blocked.fault = model::FaultKind::assertion;
        blocked.text = "a d_step cannot be continued";
        add(instance, first, first.to, false, {none}, {blocked}, {}, 0, from);
    }

    // The first possible step of a location inside, from a location of the process. Returns when there is none.
    model::Expression steps_inside(const Instance& instance, const Location& location, std::uint32_t from,
                                   const std::vector<model::Expression>& outer, const Context& context, int priority) {
        const Control& control = controls_[instance.type];
        model::Expression none = constant(1);
        for (const std::uint32_t e : location.edges) {
            const Edge& edge = control.edges[e];
            std::vector<Action> actions;
            if (edge.statement != nullptr && edge.statement->kind == Statement::Kind::otherwise) actions.emplace_back();
            else actions = actions_->of(edge.statement, context);
            for (Action& action : actions) {
                if (action.handshake) {
                    // Nobody can take the other part inside of a d_step: a receive blocks.
                    if (!action.handshake->sends) continue;
                    action.guards.push_back(stands_for_rendezvous(*action.handshake));
                    action.effects.emplace_back(model::Require{constant(0), model::FaultKind::assertion,
                                                               "a rendezvous begins inside a d_step"});
                }
                std::vector<model::Expression> guards = outer;
                if (!is_value(none, 1)) guards.push_back(none);
                std::move(action.guards.begin(), action.guards.end(), std::back_inserter(guards));
                const std::uint32_t to = append_certain(instance, edge.to, location.d_step, action);
                add(instance, edge, to, continues_at(control, to, location.d_step), std::move(guards),
                    std::move(action.effects), std::move(action.events), priority, from);
            }
            none = edge.statement != nullptr && edge.statement->kind == Statement::Kind::otherwise
                       ? constant(0)
                       : conjunction(std::move(none), negation(executable(instance, edge, context, true)));
            if (is_value(none, 0)) break;
        }
        return none;
    }

    // Appends what certain steps do, and widens the text of the first one over them.
    void append(const Instance& instance, const std::vector<const Edge*>& edges, Action& action) const {
        for (const Edge* edge : edges) {
            std::vector<Action> actions = actions_->of(edge->statement, context_of(instance, false));
            for (model::Event& event : actions[0].events) {
                event.after += static_cast<std::uint32_t>(action.effects.size());
                action.events.push_back(std::move(event));
            }
            std::move(actions[0].effects.begin(), actions[0].effects.end(), std::back_inserter(action.effects));
        }
    }

    [[nodiscard]] CertainWalk walk(const Instance& instance) const {
        return {program_, program_.processes[instance.type], controls_[instance.type]};
    }

    // Follows statements of a d_step that are always possible, and returns where they end.
    std::uint32_t append_certain(const Instance& instance, std::uint32_t to, const Statement* d_step,
                                 Action& action) const {
        const CertainSteps steps = walk(instance).inside(to, *d_step);
        append(instance, steps.edges, action);
        return steps.to;
    }

    // Whether the process goes on alone after a step of a d_step.
    static bool continues_at(const Control& control, std::uint32_t to, const Statement* d_step) {
        if (control.locations[to].d_step == d_step) return true;
        for (const Edge& edge : control.edges)
            if (edge.statement == d_step && edge.to == to) return edge.continues;
        return false;
    }

    // The same in an atomic sequence; returns the last one.
    const Edge* append_atomic(const Instance& instance, std::uint32_t& to, bool& continues, Action& action) const {
        if (!continues || controls_[instance.type].locations[to].d_step != nullptr) return nullptr;
        const CertainSteps steps = walk(instance).behind(to, continues);
        append(instance, steps.edges, action);
        to = steps.to;
        continues = steps.continues;
        return steps.edges.empty() ? nullptr : steps.edges.back();
    }

    // The text of a step reaches over the steps that belong to it, where it is written before them.
    void widen(model::Participant& participant, const Edge* first, const Edge* last) const {
        if (last == nullptr || first->statement == nullptr) return;
        const Place begin = first->statement->place;
        const Place end = last->statement->place;
        if (begin.file == 0 && end.file == 0 && begin.span.begin < end.span.begin && begin.span.end < end.span.end)
            participant.span.end = end.span.end;
    }

    // ---- transitions ------------------------------------------------------------------------------------------------

    [[nodiscard]] model::Participant participant(const Instance& instance, const Edge& edge, std::uint32_t from,
                                                 std::uint32_t to) const {
        const Process& process = program_.processes[instance.type];
        const Place place = edge.statement != nullptr ? edge.statement->place : process.end;
        model::Participant result;
        result.process = instance.process;
        result.from = Slots::location(from);
        result.to = edge.statement != nullptr || is_claim(instance) ? Slots::location(to) : 0;
        result.span = program_.in_main(place);
        return result;
    }

    void add(const Instance& instance, const Edge& edge, std::uint32_t to, bool continues,
             std::vector<model::Expression> guards, std::vector<model::Effect> effects,
             std::vector<model::Event> events, int priority, std::optional<std::uint32_t> from = std::nullopt) {
        const Edge* last = nullptr;
        if (!is_claim(instance)) {
            Action whole{{}, std::move(effects), std::move(events), {}};
            last = append_atomic(instance, to, continues, whole);
            effects = std::move(whole.effects);
            events = std::move(whole.events);
        }
        model::Transition transition;
        transition.participants.push_back(participant(instance, edge, from.value_or(edge.from), to));
        widen(transition.participants.back(), &edge, last);
        if (is_claim(instance)) {
            const Location& location = controls_[instance.type].locations[edge.from];
            if (edge.statement == nullptr) {
                // The claim has ended: it has seen what must not be.
                transition.marks = 1;
                guards.clear();
                effects.clear();
                events.clear();
            } else if (location.is_accepting) {
                transition.marks = 1;
            }
        } else {
            hold(instance, continues, held_[from.value_or(edge.from)], effects);
            if (slots_->last) effects.push_back(set(*slots_->last, constant(instance.pid)));
        }
        for (model::Expression& guard : guards) {
            if (is_value(guard, 0)) return;
            if (!guard.is_constant()) transition.guards.push_back(std::move(guard));
        }
        transition.effects = std::move(effects);
        transition.events = std::move(events);
        transition.priority = priority;
        add(std::move(transition), edge, place_);
    }

    void hold(const Instance& instance, bool continues, bool may_hold, std::vector<model::Effect>& effects) const {
        if (!slots_->holder) return;
        if (continues)
            effects.push_back(set(*slots_->holder, constant(static_cast<model::Value>(instance.process) + 1)));
        else if (may_hold) effects.push_back(set(*slots_->holder, constant(0)));
    }

    void add(model::Transition transition, const Edge& edge, std::size_t place) {
        if (transitions_.size() >= kMostTransitions)
            throw Refused{edge.statement != nullptr ? edge.statement->place : Place{},
                          "this model has too many transitions",
                          "at most " + std::to_string(kMostTransitions) + " are supported"};
        transitions_.emplace_back(place, std::move(transition));
    }
    // A rendezvous comes where its sender's edge is, as in SPIN and in reference/.
    void add_in_order() {
        std::ranges::stable_sort(transitions_, {}, &std::pair<std::size_t, model::Transition>::first);
        for (auto& [place, transition] : transitions_) model_.add_transition(std::move(transition));
        transitions_.clear();
    }

    // ---- rendezvous -------------------------------------------------------------------------------------------------

    void pair() {
        for (const Half& sender : senders_)
            for (const Half& receiver : receivers_) {
                if (poll_.is_exhausted()) return;
                if (sender.instance == receiver.instance || sender.instance->pid == receiver.instance->pid) continue;
                pair(sender, receiver);
            }
    }

    void pair(const Half& sender, const Half& receiver) {
        for (Meeting& meeting : meetings(sender, receiver)) add(sender, receiver, std::move(meeting));
    }

    // A sender and a receiver at one channel.
    struct Meeting {
        ChannelId channel = 0;
        std::vector<model::Expression> guards;
        model::Assign message;
        model::Expression number;               // of the channel
        std::vector<model::Expression> values;  // all that are sent
    };

    std::vector<Meeting> meetings(const Half& sender, const Half& receiver) const {
        std::vector<Meeting> result;
        std::vector<ChannelId> common;
        const std::vector<ChannelId>& a = sender.handshake.choice.channels;
        const std::vector<ChannelId>& b = receiver.handshake.choice.channels;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
        if (common.empty()) return result;
        const bool known = sender.handshake.choice.is_known && receiver.handshake.choice.is_known;
        const auto same_fields = [&](ChannelId id) {
            const std::vector<Type>& x = expressions_->channel(id).fields;
            const std::vector<Type>& y = expressions_->channel(common[0]).fields;
            return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Type& s, const Type& t) {
                return range_of(s) == range_of(t) && (s.base == Base::chan) == (t.base == Base::chan);
            });
        };
        const bool alike = common.size() > 1 && !trace_ && std::all_of(common.begin(), common.end(), same_fields) &&
                           ((sender.handshake.only_these && common.size() == a.size()) ||
                            (receiver.handshake.only_these && common.size() == b.size()));
        const model::Expression& left = sender.handshake.which;
        const model::Expression& right = receiver.handshake.which;
        if (alike) {
            std::vector<model::Expression> guards;
            guards.push_back(model::Expression::binary(model::Op::equal, left, right));
            guards.push_back(model::Expression::binary(model::Op::not_equal, left, constant(0)));
            meet(sender, receiver, common[0], left, std::move(guards), result);
            return result;
        }
        for (const ChannelId id : common) {
            std::vector<model::Expression> guards;
            if (!known && !left.is_constant())
                guards.push_back(model::Expression::binary(model::Op::equal, left, constant(id)));
            if (!known && !right.is_constant())
                guards.push_back(model::Expression::binary(model::Op::equal, right, constant(id)));
            meet(sender, receiver, id, constant(id), std::move(guards), result);
        }
        return result;
    }

    void meet(const Half& sender, const Half& receiver, ChannelId id, const model::Expression& number,
              std::vector<model::Expression> guards, std::vector<Meeting>& out) const {
        const Channel& channel = expressions_->channel(id);
        const Context sending = context_of(*sender.instance, sender.priority < 0);
        const Context receiving = context_of(*receiver.instance, receiver.priority < 0);
        guards.insert(guards.end(), sender.guards.begin(), sender.guards.end());
        guards.insert(guards.end(), receiver.guards.begin(), receiver.guards.end());
        Meeting meeting;
        meeting.channel = id;
        meeting.message.wrap = true;
        const Statement& send = *sender.handshake.statement;
        const Statement& receive = *receiver.handshake.statement;
        const auto sent = [&](std::size_t f) {
            model::Range range = range_of(channel.fields[f]);
            if (channel.fields[f].base == Base::chan) range.high = 65535;
            return expressions_->truncated(expressions_->translate(*send.values[f], sending), range);
        };
        for (std::size_t f = 0; f < send.values.size(); ++f) meeting.values.push_back(sent(f).code);
        meeting.number = number;
        for (std::size_t f = 0; f < receive.patterns.size(); ++f) {
            const Bounded value = sent(f);
            const Pattern& pattern = receive.patterns[f];
            if (pattern.value) {
                const Bounded wanted = expressions_->translate(*pattern.value, receiving);
                if (value.code.is_constant() && wanted.code.is_constant())
                    guards.push_back(constant(value.code.constant_value() == wanted.code.constant_value() ? 1 : 0));
                else guards.push_back(model::Expression::binary(model::Op::equal, value.code, wanted.code));
            } else if (!pattern.target->scratch) {
                meeting.message.targets.push_back(expressions_->target(*pattern.target, receiving));
                meeting.message.values.push_back(value.code);
            }
        }
        for (model::Expression& guard : guards) {
            if (is_value(guard, 0)) return;
            if (!guard.is_constant()) meeting.guards.push_back(std::move(guard));
        }
        out.push_back(std::move(meeting));
    }

    // The receiver has an escape that receives the same message.
    model::Expression is_escaped(const Half& sender, const Half& receiver) const {
        model::Expression result = constant(0);
        for (const std::uint32_t e : receiver.edge->prevented_by)
            for (const Half& escape : receivers_)
                if (escape.instance == receiver.instance && escape.edge == &controls_[escape.instance->type].edges[e])
                    for (const Meeting& meeting : meetings(sender, escape))
                        result = disjunction(std::move(result), all_of(meeting.guards));
        return result;
    }

    void add(const Half& sender, const Half& receiver, Meeting meeting) {
        model::Transition transition;
        transition.participants.push_back(
            participant(*sender.instance, *sender.edge, sender.edge->from, sender.edge->to));
        Action further;  // of a d_step that begins with the receive
        const Edge& received = receiver.first != nullptr ? *receiver.first : *receiver.edge;
        std::uint32_t to = received.to;
        bool continues = received.continues;
        if (receiver.first != nullptr) {
            to = append_certain(*receiver.instance, to, receiver.edge->statement, further);
            continues = continues_at(controls_[receiver.instance->type], to, receiver.edge->statement);
        }
        const Edge* last = append_atomic(*receiver.instance, to, continues, further);
        transition.participants.push_back(participant(*receiver.instance, received, receiver.edge->from, to));
        widen(transition.participants.back(), &received, last);
        transition.label = expressions_->channel(meeting.channel).name;
        transition.guards = std::move(meeting.guards);
        if (!receiver.edge->prevented_by.empty()) {
            model::Expression free = negation(is_escaped(sender, receiver));
            if (is_value(free, 0)) return;
            if (!free.is_constant()) transition.guards.push_back(std::move(free));
        }
        if (trace_)
            for (const bool sends : {true, false})
                for (model::Effect& effect : trace_->effects(sends, meeting.channel, meeting.values))
                    transition.effects.push_back(std::move(effect));
        if (!meeting.message.targets.empty()) transition.effects.emplace_back(std::move(meeting.message));
        for (const auto kind : {model::Event::Kind::send, model::Event::Kind::receive}) {
            transition.events.push_back(
                actions_->message_event(kind, meeting.number, expressions_->channel(meeting.channel), meeting.values));
            transition.events.back().participant = kind == model::Event::Kind::send ? 0 : 1;
        }
        // The receiver's step decides who goes on alone.
        for (model::Event& event : further.events) {
            event.after += static_cast<std::uint32_t>(transition.effects.size());
            event.participant = 1;
            transition.events.push_back(std::move(event));
        }
        std::move(further.effects.begin(), further.effects.end(), std::back_inserter(transition.effects));
        if (slots_->holder && (continues || is_held(*sender.instance, sender.edge->from)))
            transition.effects.push_back(set(
                *slots_->holder, constant(continues ? static_cast<model::Value>(receiver.instance->process) + 1 : 0)));
        if (slots_->last) transition.effects.push_back(set(*slots_->last, constant(receiver.instance->pid)));
        transition.priority = std::min(sender.priority, receiver.priority);
        add(std::move(transition), *sender.edge, sender.place);
    }

    [[nodiscard]] bool is_held(const Instance& instance, std::uint32_t location) const {
        const std::vector<Edge>& edges = controls_[instance.type].edges;
        return std::any_of(edges.begin(), edges.end(),
                           [&](const Edge& edge) { return edge.continues && edge.to == location; });
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    // A process may stop at its end and at labels that begin with "end".
    void set_valid_end() {
        model::Expression all = constant(1);
        for (const Instance& instance : slots_->instances) {
            if (is_claim(instance)) continue;
            const std::vector<Location>& locations = controls_[instance.type].locations;
            model::Expression valid =
                model::Expression::binary(model::Op::equal, model_.read(instance.location), constant(0));
            for (std::uint32_t i = 0; i < locations.size(); ++i)
                if (locations[i].is_end)
                    valid = disjunction(std::move(valid),
                                        model::Expression::binary(model::Op::equal, model_.read(instance.location),
                                                                  constant(Slots::location(i))));
            all = conjunction(std::move(all), valid);
        }
        // Where no process is left SPIN does not ask.
        if (trace_)
            all = conjunction(std::move(all),
                              disjunction(model::Expression::binary(model::Op::equal,
                                                                    model_.read(slots_->process_count), constant(0)),
                                          trace_->is_complete()));
        for (const model::Variable& variable : model_.variables)
            for (const char* label : {"valid_end", "np_", "accept_"})
                if (variable.name == label)
                    throw Refused{{},
                                  support::in_quotes(label) + " is a name of Tideline's own: a label of states",
                                  "expected another name for this variable"};
        model_.end_label = "valid_end";
        model_.labels.push_back({model_.end_label, std::move(all), {}});
        model_.labels.push_back({"np_", expressions_->non_progress(), {}});
        model_.labels.push_back({"accept_", at_accept_label(), {}});
    }

    [[nodiscard]] model::Expression at_accept_label() const {
        model::Expression result = constant(0);
        for (const Instance& instance : slots_->instances) {
            if (is_claim(instance)) continue;
            const std::vector<Location>& locations = controls_[instance.type].locations;
            for (std::uint32_t i = 0; i < locations.size(); ++i)
                if (locations[i].is_accepting)
                    result = disjunction(std::move(result),
                                         model::Expression::binary(model::Op::equal, model_.read(instance.location),
                                                                   constant(Slots::location(i))));
        }
        return result;
    }

    const Program& program_;
    const TranslateOptions& options_;
    support::BudgetPoll poll_;
    model::Model model_;
    std::vector<FileProperty> formulas_;
    std::vector<Control> controls_;
    std::optional<ChannelFlow> flow_;
    std::optional<Slots> slots_;
    std::optional<Expressions> expressions_;
    std::optional<Actions> actions_;
    std::optional<EventTrace> trace_;
    std::vector<bool> held_;  // by location of the current process: whether it may hold `atomic` there
    mutable bool is_finding_steps_ = false;
    std::vector<std::optional<model::Expression>> steps_of_;              // by instance, where priorities ask
    std::size_t place_ = 0;                                               // of the edge that is being translated
    std::vector<std::pair<std::size_t, model::Transition>> transitions_;  // with the places of their edges
    std::vector<Half> senders_;
    std::vector<Half> receivers_;
};

}  // namespace

support::Result<Translated> translate(const Program& program, const TranslateOptions& options,
                                      const support::Budget& budget) {
    return Translator(program, options, budget).run();
}

}  // namespace tideline::input::promela
