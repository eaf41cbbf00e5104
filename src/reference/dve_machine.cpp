// Executes DVE step by step as docs/dve.md says. Every rule of that page is implemented in one function:
//   - which transitions and pairs are examined, and in which order: asynchronous_steps, synchronous_steps;
//   - whether a step is possible: single_step, rendezvous_step (location, committed, guards, channel);
//   - what happens when it is taken: pass_on, append, take_out for the message, run_effects, move;
//   - the observer that moves with all others: observed_steps.
// A faulty step of the others is listed once and without the property process, which cannot move with a step that leads
// nowhere; such steps still are steps, so the property process does not move alone beside them.
#include "reference/dve_machine.hpp"

#include <optional>
#include <set>
#include <utility>

#include "input/dve/parser.hpp"
#include "reference/dve_names.hpp"

namespace tideline::reference {

namespace {

struct Move {
    const input::dve::Transition* transition = nullptr;
    const ChannelPlace* channel = nullptr;  // null: no synchronisation
    Participant participant;
    std::size_t slot = 0;  // index of the location of its process in the state
    std::int64_t from = 0;
    std::int64_t to = 0;

    [[nodiscard]] bool at_source(const State& state) const { return state[slot] == from; }
    [[nodiscard]] bool sends() const {
        return transition->sync->direction == input::dve::Synchronisation::Direction::send;
    }
    [[nodiscard]] bool by_rendezvous() const { return channel != nullptr && channel->capacity == 0; }
};

struct Part {
    std::size_t slot = 0;
    std::vector<bool> committed;  // by location
    std::vector<Move> moves;
};

struct PlacedAssertion {
    std::size_t index = 0;  // through the file
    std::size_t slot = 0;
    std::int64_t location = 0;
    const input::dve::Expr* condition = nullptr;
};

std::vector<const input::dve::Process*> members(const input::dve::Program& program, bool with_property) {
    std::vector<const input::dve::Process*> result;
    for (const input::dve::Process& process : program.processes) {
        const bool property = program.property && process.name.text == program.property->text;
        if (with_property || !property) result.push_back(&process);
    }
    return result;
}

class DveMachine final : public Machine {
public:
    DveMachine(std::shared_ptr<const input::dve::Program> program, DveMachineOptions options);

    [[nodiscard]] const std::vector<std::string>& names() const override { return names_.names(); }
    [[nodiscard]] std::vector<State> initial_states() const override { return {names_.initial()}; }
    [[nodiscard]] std::size_t acceptance_sets() const override { return accepting_.size(); }
    [[nodiscard]] OutsideNames outside_names() const override { return names_.outside(); }
    [[nodiscard]] std::vector<Step> steps(const State& state) const override;
    [[nodiscard]] support::Result<Answer> evaluate(const std::string& expression, const State& state) const override;
    [[nodiscard]] std::vector<FailedAssertion> failed_assertions(const State& state) const override;
    [[nodiscard]] std::vector<Assertion> assertions() const override;

private:
    void add_process(const input::dve::Process& process, const ProcessNames& names, std::size_t& assertions);
    [[nodiscard]] Move make_move(const input::dve::Transition& transition, const ProcessNames& names);

    [[nodiscard]] Answer value(const input::dve::Expr& expression, const State& state) const;
    [[nodiscard]] Answer guard(const Move& move, const State& state) const;

    [[nodiscard]] std::vector<Step> asynchronous_steps(const State& state) const;
    [[nodiscard]] std::vector<Step> synchronous_steps(const State& state) const;
    [[nodiscard]] std::vector<Step> observed_steps(std::vector<Step> others, const State& state) const;
    void single_step(const Move& move, const State& state, std::vector<Step>& steps) const;
    void rendezvous_steps(const Part& part, const Move& send, const State& state, std::vector<Step>& steps) const;
    void rendezvous_step(const Move& send, const Move& receive, const State& state, std::vector<Step>& steps) const;
    [[nodiscard]] bool anyone_committed(const State& state) const;
    static bool is_committed(const Part& part, const State& state);

    // These change a state that is being made, up to the first fault.
    model::FaultKind values_sent(const Move& send, const State& state, std::vector<std::int64_t>& values) const;
    model::FaultKind store(const input::dve::Expr& target, std::int64_t number, State& state) const;
    model::FaultKind pass_on(const Move& send, const Move& receive, State& state) const;
    model::FaultKind append(const Move& send, State& state) const;
    model::FaultKind take_out(const Move& receive, State& state) const;
    model::FaultKind run_effects(const Move& move, State& state) const;
    model::FaultKind into_type(std::int64_t& number, input::dve::Type type) const;

    std::shared_ptr<const input::dve::Program> program_;
    DveMachineOptions options_;
    DveNames names_;
    Meanings meanings_;
    std::vector<Part> parts_;  // in the order of the file, without the property process
    std::optional<Part> property_;
    std::vector<std::set<std::int64_t>> accepting_;  // of the property: the locations of each acceptance set
    std::vector<PlacedAssertion> assertions_;
};

DveMachine::DveMachine(std::shared_ptr<const input::dve::Program> program, DveMachineOptions options)
    : program_(std::move(program)), options_(options), names_(*program_, members(*program_, options.with_property)) {
    std::size_t member = 0;
    std::size_t assertions = 0;
    for (const input::dve::Process& process : program_->processes) {
        const bool property = program_->property && process.name.text == program_->property->text;
        if (property && !options_.with_property) {
            assertions += process.assertions.size();
            continue;
        }
        add_process(process, names_.processes()[member++], assertions);
    }
}

void DveMachine::add_process(const input::dve::Process& process, const ProcessNames& names, std::size_t& assertions) {
    Part part;
    part.slot = names.location;
    part.committed.resize(process.locations.size(), false);
    for (const input::dve::Name& name : process.committed) {
        const auto location = names.locations.find(name.text);
        if (location != names.locations.end()) part.committed[location->second] = true;
    }
    for (const input::dve::Assertion& assertion : process.assertions) {
        const auto location = names.locations.find(assertion.location.text);
        resolve(*assertion.condition, names_, &names, meanings_);
        if (location != names.locations.end()) {
            assertions_.push_back(
                {assertions, names.location, static_cast<std::int64_t>(location->second), assertion.condition.get()});
        }
        ++assertions;
    }
    for (const input::dve::Transition& transition : process.transitions)
        part.moves.push_back(make_move(transition, names));
    if (program_->property && process.name.text == program_->property->text) {
        property_ = std::move(part);
        for (const std::vector<input::dve::Name>& set : process.acceptance.sets) {
            std::set<std::int64_t>& accepting = accepting_.emplace_back();
            for (const input::dve::Name& name : set)
                accepting.insert(static_cast<std::int64_t>(names.locations.at(name.text)));
        }
    } else {
        parts_.push_back(std::move(part));
    }
}

Move DveMachine::make_move(const input::dve::Transition& transition, const ProcessNames& names) {
    Move move;
    move.transition = &transition;
    move.participant = {names.name, program_->source.line_number(transition.span.begin)};
    move.slot = names.location;
    const auto from = names.locations.find(transition.from.text);
    const auto to = names.locations.find(transition.to.text);
    const bool known = from != names.locations.end() && to != names.locations.end();
    move.from = known ? static_cast<std::int64_t>(from->second) : -1;
    move.to = known ? static_cast<std::int64_t>(to->second) : -1;
    if (transition.guard != nullptr) resolve(*transition.guard, names_, &names, meanings_);
    if (transition.sync) {
        move.channel = names_.channel(transition.sync->channel.text);
        for (const input::dve::ExprPtr& expression : transition.sync->values)
            resolve(*expression, names_, &names, meanings_);
    }
    for (const input::dve::Assignment& effect : transition.effects) {
        resolve(*effect.target, names_, &names, meanings_);
        resolve(*effect.value, names_, &names, meanings_);
    }
    return move;
}

Answer DveMachine::value(const input::dve::Expr& expression, const State& state) const {
    return reference::evaluate(expression, StateValues(meanings_, state));
}

Answer DveMachine::guard(const Move& move, const State& state) const {
    if (move.transition->guard == nullptr) return {model::FaultKind::none, 1};
    return value(*move.transition->guard, state);
}

std::vector<Step> DveMachine::steps(const State& state) const {
    std::vector<Step> others = program_->synchronous ? synchronous_steps(state) : asynchronous_steps(state);
    return property_ ? observed_steps(std::move(others), state) : others;
}

bool DveMachine::is_committed(const Part& part, const State& state) {
    const auto location = static_cast<std::size_t>(state[part.slot]);
    return location < part.committed.size() && part.committed[location];
}

bool DveMachine::anyone_committed(const State& state) const {
    for (const Part& part : parts_) {
        if (is_committed(part, state)) return true;
    }
    return false;
}

std::vector<Step> DveMachine::asynchronous_steps(const State& state) const {
    std::vector<Step> steps;
    const bool only_committed = anyone_committed(state);
    for (const Part& part : parts_) {
        if (only_committed && !is_committed(part, state)) continue;
        for (const Move& move : part.moves) {
            if (!move.at_source(state)) continue;
            if (!move.by_rendezvous()) {
                single_step(move, state, steps);
            } else if (move.sends()) {
                rendezvous_steps(part, move, state, steps);
            }
        }
    }
    return steps;
}

void DveMachine::single_step(const Move& move, const State& state, std::vector<Step>& steps) const {
    Step step{{move.participant}, model::FaultKind::none, state};
    const Answer enabled = guard(move, state);
    step.fault = enabled.fault;
    if (step.fault == model::FaultKind::none) {
        if (enabled.value == 0) return;
        if (move.channel != nullptr) {
            const auto messages = static_cast<std::size_t>(state[move.channel->length]);
            const bool ready = move.sends() ? messages < move.channel->capacity : messages > 0;
            if (!ready) return;
            step.fault = move.sends() ? append(move, step.next) : take_out(move, step.next);
        }
    }
    if (step.fault == model::FaultKind::none) step.fault = run_effects(move, step.next);
    if (step.fault == model::FaultKind::none) step.next[move.slot] = move.to;
    steps.push_back(std::move(step));
}

void DveMachine::rendezvous_steps(const Part& part, const Move& send, const State& state,
                                  std::vector<Step>& steps) const {
    const bool only_committed = anyone_committed(state);
    for (const Part& partner : parts_) {
        if (&partner == &part || (only_committed && !is_committed(partner, state))) continue;
        for (const Move& receive : partner.moves) {
            if (receive.channel != send.channel || receive.sends() || !receive.at_source(state)) continue;
            rendezvous_step(send, receive, state, steps);
        }
    }
}

void DveMachine::rendezvous_step(const Move& send, const Move& receive, const State& state,
                                 std::vector<Step>& steps) const {
    Step step{{send.participant, receive.participant}, model::FaultKind::none, state};
    for (const Move* move : {&send, &receive}) {
        if (step.fault != model::FaultKind::none) break;
        const Answer enabled = guard(*move, state);
        step.fault = enabled.fault;
        if (step.fault == model::FaultKind::none && enabled.value == 0) return;
    }
    if (step.fault == model::FaultKind::none) step.fault = pass_on(send, receive, step.next);
    if (step.fault == model::FaultKind::none) step.fault = run_effects(receive, step.next);
    if (step.fault == model::FaultKind::none) step.fault = run_effects(send, step.next);
    if (step.fault == model::FaultKind::none) {
        step.next[send.slot] = send.to;
        step.next[receive.slot] = receive.to;
    }
    steps.push_back(std::move(step));
}

std::vector<Step> DveMachine::synchronous_steps(const State& state) const {
    std::vector<Step> steps;
    std::vector<std::vector<const Move*>> choices{{}};  // one move per process so far, in all combinations
    for (const Part& part : parts_) {
        std::vector<const Move*> enabled;
        for (const Move& move : part.moves) {
            if (!move.at_source(state)) continue;
            const Answer answer = guard(move, state);
            if (answer.fault != model::FaultKind::none) steps.push_back(Step{{move.participant}, answer.fault, state});
            if (answer.fault == model::FaultKind::none && answer.value != 0) enabled.push_back(&move);
        }
        std::vector<std::vector<const Move*>> longer;
        for (const std::vector<const Move*>& choice : choices) {
            for (const Move* move : enabled) {
                longer.push_back(choice);
                longer.back().push_back(move);
            }
        }
        choices = std::move(longer);
        if (choices.empty()) return steps;
    }
    if (parts_.empty()) return steps;
    for (const std::vector<const Move*>& choice : choices) {
        Step step{{}, model::FaultKind::none, state};
        for (const Move* move : choice) {
            step.participants.push_back(move->participant);
            if (step.fault == model::FaultKind::none) step.fault = run_effects(*move, step.next);
        }
        for (const Move* move : choice) step.next[move->slot] = move->to;
        steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<Step> DveMachine::observed_steps(std::vector<Step> others, const State& state) const {
    std::vector<Step> steps;
    if (others.empty()) others.push_back(Step{{}, model::FaultKind::none, state});  // the property moves alone
    for (const Step& other : others) {
        if (other.fault != model::FaultKind::none) {
            steps.push_back(other);
            continue;
        }
        for (const Move& move : property_->moves) {
            if (!move.at_source(state)) continue;
            const Answer enabled = guard(move, state);
            if (enabled.fault == model::FaultKind::none && enabled.value == 0) continue;
            Step step = other;
            step.participants.push_back(move.participant);
            for (std::size_t i = 0; i < accepting_.size(); ++i)
                step.marks |= std::uint64_t{accepting_[i].count(move.from)} << i;
            step.fault = enabled.fault;
            if (step.fault == model::FaultKind::none) step.fault = run_effects(move, step.next);
            step.next[move.slot] = move.to;
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

model::FaultKind DveMachine::into_type(std::int64_t& number, input::dve::Type type) const {
    if (fits(number, type)) return model::FaultKind::none;
    if (!options_.wrap) return model::FaultKind::range;
    number = wrapped(number, type);
    return model::FaultKind::none;
}

model::FaultKind DveMachine::store(const input::dve::Expr& target, std::int64_t number, State& state) const {
    const auto found = meanings_.find(&target);
    if (found == meanings_.end() || found->second.kind != Meaning::Kind::place) return model::FaultKind::none;
    const Place& place = *found->second.place;
    if (place.constant) return model::FaultKind::none;
    std::size_t offset = 0;
    if (target.kind == input::dve::Expr::Kind::element) {
        const Answer index = value(*target.operands[0], state);
        if (index.fault != model::FaultKind::none) return index.fault;
        if (index.value < 0 || static_cast<std::size_t>(index.value) >= place.length) return model::FaultKind::index;
        offset = static_cast<std::size_t>(index.value);
    }
    const model::FaultKind fault = into_type(number, place.type);
    if (fault == model::FaultKind::none) state[place.first + offset] = number;
    return fault;
}

model::FaultKind DveMachine::values_sent(const Move& send, const State& state,
                                         std::vector<std::int64_t>& values) const {
    for (const input::dve::ExprPtr& expression : send.transition->sync->values) {
        const Answer answer = value(*expression, state);
        if (answer.fault != model::FaultKind::none) return answer.fault;
        values.push_back(answer.value);
    }
    return model::FaultKind::none;
}

model::FaultKind DveMachine::pass_on(const Move& send, const Move& receive, State& state) const {
    std::vector<std::int64_t> values;
    model::FaultKind fault = values_sent(send, state, values);
    const std::vector<input::dve::ExprPtr>& targets = receive.transition->sync->values;
    for (std::size_t i = 0; i < values.size() && fault == model::FaultKind::none; ++i) {
        if (i < send.channel->fields.size()) fault = into_type(values[i], send.channel->fields[i]);
        if (fault == model::FaultKind::none && i < targets.size()) fault = store(*targets[i], values[i], state);
    }
    return fault;
}

model::FaultKind DveMachine::append(const Move& send, State& state) const {
    const ChannelPlace& channel = *send.channel;
    std::vector<std::int64_t> values;
    model::FaultKind fault = values_sent(send, state, values);
    values.resize(channel.fields.size(), 0);
    for (std::size_t i = 0; i < values.size() && fault == model::FaultKind::none; ++i) {
        fault = into_type(values[i], channel.fields[i]);
    }
    if (fault != model::FaultKind::none) return fault;
    const std::size_t end = channel.first + static_cast<std::size_t>(state[channel.length]) * values.size();
    for (std::size_t i = 0; i < values.size(); ++i) state[end + i] = values[i];
    ++state[channel.length];
    return model::FaultKind::none;
}

model::FaultKind DveMachine::take_out(const Move& receive, State& state) const {
    const ChannelPlace& channel = *receive.channel;
    const std::size_t width = channel.fields.size();
    const std::size_t size = channel.capacity * width;
    std::vector<std::int64_t> message;
    for (std::size_t i = 0; i < width; ++i) message.push_back(state[channel.first + i]);
    for (std::size_t i = 0; i < size; ++i) {
        state[channel.first + i] = i + width < size ? state[channel.first + i + width] : 0;
    }
    --state[channel.length];
    const std::vector<input::dve::ExprPtr>& targets = receive.transition->sync->values;
    for (std::size_t i = 0; i < width && i < targets.size(); ++i) {
        const model::FaultKind fault = store(*targets[i], message[i], state);
        if (fault != model::FaultKind::none) return fault;
    }
    return model::FaultKind::none;
}

model::FaultKind DveMachine::run_effects(const Move& move, State& state) const {
    for (const input::dve::Assignment& effect : move.transition->effects) {
        const Answer answer = value(*effect.value, state);
        if (answer.fault != model::FaultKind::none) return answer.fault;
        const model::FaultKind fault = store(*effect.target, answer.value, state);
        if (fault != model::FaultKind::none) return fault;
    }
    return model::FaultKind::none;
}

support::Result<Answer> DveMachine::evaluate(const std::string& expression, const State& state) const {
    const support::SourceText source("", expression);
    support::Result<input::dve::ExprPtr> tree = input::dve::parse_expression(source);
    if (!tree) return tree.diagnostics();
    Meanings meanings;
    if (const input::dve::Expr* unknown = resolve(**tree, names_, nullptr, meanings)) {
        return support::diagnostic_at(source, unknown->span,
                                      "the model has no such name: " + support::in_quotes(source.text(unknown->span)));
    }
    return reference::evaluate(**tree, StateValues(meanings, state));
}

std::vector<Machine::Assertion> DveMachine::assertions() const {
    std::vector<Assertion> result;
    for (const input::dve::Process& process : program_->processes) {
        const bool absent =
            !options_.with_property && program_->property && process.name.text == program_->property->text;
        for (const input::dve::Assertion& assertion : process.assertions)
            result.push_back({process.name.text + "." + assertion.location.text,
                              std::string(program_->source.text(assertion.condition->span)), !absent});
    }
    return result;
}

std::vector<Machine::FailedAssertion> DveMachine::failed_assertions(const State& state) const {
    std::vector<FailedAssertion> failed;
    for (const PlacedAssertion& assertion : assertions_) {
        if (state[assertion.slot] != assertion.location) continue;
        const Answer answer = value(*assertion.condition, state);
        if (answer.fault != model::FaultKind::none || answer.value == 0)
            failed.push_back({assertion.index, answer.fault});
    }
    return failed;
}

}  // namespace

std::unique_ptr<Machine> make_dve_machine(std::shared_ptr<const input::dve::Program> program,
                                          DveMachineOptions options) {
    return std::make_unique<DveMachine>(std::move(program), options);
}

}  // namespace tideline::reference
