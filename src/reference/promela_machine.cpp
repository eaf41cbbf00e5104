// Executes Promela step by step. Every rule of docs/promela.md is implemented in one function:
//   - values and their truncation: Execution::value, store, in_type;
//   - whether a statement can be executed and what it does: statement, send, receive, run, end;
//   - else and unless: edge_steps, is_executable;
//   - rendezvous: meetings;
//   - d_step: d_step;
//   - who goes on alone, and which states are seen: PromelaMachine::steps.
// A fault while it is found out whether a step is possible makes it a faulty step.
#include "reference/promela_machine.hpp"

#include <set>
#include <stdexcept>

#include "input/promela/certain_steps.hpp"
#include "input/promela/parser.hpp"
#include "reference/promela_state.hpp"

namespace tideline::reference {
namespace {

struct Fault {
    model::FaultKind kind;
};

// A statement executed: a step, or a part of one.
struct Piece {
    std::vector<Participant> participants;
    model::FaultKind fault = model::FaultKind::none;
    State next;
    std::optional<std::size_t> goes_on;  // the instance that continues alone
};

std::int64_t in_int(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

std::int64_t in_type(std::int64_t value, const promela::Type& type) {
    switch (type.base) {
        case promela::Base::bit:
        case promela::Base::boolean: return value & 1;
        case promela::Base::short_int: return static_cast<std::int16_t>(static_cast<std::uint16_t>(value));
        case promela::Base::integer: return in_int(value);
        case promela::Base::unsigned_bits: return value & ((std::int64_t{1} << type.bits) - 1);
        case promela::Base::chan: return value & 0xFFFF;
        default: return value & 0xFF;
    }
}

class Execution {
public:
    Execution(const PromelaState& places, const State& state, bool timeout)
        : places_(places), state_(state), timeout_(timeout) {}

    // The steps of an instance at its location.
    [[nodiscard]] std::vector<Piece> steps(std::size_t instance) const {
        std::vector<Piece> result;
        const promela::Location* at = location(instance);
        if (at == nullptr) return result;
        for (const std::uint32_t e : at->edges) edge_steps(instance, control(instance).edges[e], result);
        return result;
    }

    // Sets the variables of an instance that begins.
    void begin(std::size_t instance, State& state) const {
        const PromelaInstance& made = places_.instances[instance];
        for (const PromelaVariable& variable : made.locals) begin(variable, instance, state);
        state[made.location] = control(instance).start + 1;
    }
    void begin(const PromelaVariable& variable, std::optional<std::size_t> self, State& state) const {
        for (const auto& [path, cells] : variable) {
            if (!cells.first || cells.declaration->parameter) continue;
            const std::vector<promela::ExprPtr>& initial = cells.declaration->initial;
            const std::uint32_t length = cells.lengths.back().value_or(1);
            for (std::uint32_t i = 0; i < cells.count; ++i) {
                std::int64_t first = cells.channel != 0 ? cells.channel + i : 0;
                const std::size_t place = i % length;
                if (place < initial.size()) first = value(*initial[place], self, state);
                else if (!initial.empty()) first = value(*initial.back(), self, state);
                state[*cells.first + i] = in_type(first, cells.type);
            }
        }
    }

private:
    [[nodiscard]] const promela::Control& control(std::size_t instance) const {
        return places_.controls[places_.instances[instance].type];
    }
    [[nodiscard]] const promela::Location* location(std::size_t instance) const {
        const std::int64_t at = state_[places_.instances[instance].location];
        return at == 0 ? nullptr : &control(instance).locations[static_cast<std::size_t>(at - 1)];
    }
    [[nodiscard]] const promela::Process& process(std::size_t instance) const {
        return places_.program.processes[places_.instances[instance].type];
    }

    // ---- values -----------------------------------------------------------------------------------------------------

    struct Cell {
        std::optional<std::size_t> slot;
        std::int64_t constant = 0;
        promela::Type type;
    };

    [[nodiscard]] Cell cell(const PromelaCells& cells, const promela::Reference& reference,
                            std::optional<std::size_t> self, const State& state) const {
        std::int64_t offset = 0;
        for (std::size_t level = 0; level < cells.lengths.size(); ++level) {
            if (!cells.lengths[level]) continue;
            const std::int64_t length = *cells.lengths[level];
            std::int64_t index = 0;
            if (level < reference.index.size() && reference.index[level])
                index = value(*reference.index[level], self, state);
            if (index < 0 || index >= length) throw Fault{model::FaultKind::index};
            offset = offset * length + index;
        }
        Cell result;
        result.type = cells.type;
        if (cells.first) result.slot = *cells.first + static_cast<std::size_t>(offset);
        else result.constant = cells.channel + offset;
        return result;
    }
    [[nodiscard]] Cell cell(const promela::Reference& reference, std::optional<std::size_t> self,
                            const State& state) const {
        const PromelaVariable& variable = reference.global ? places_.globals[reference.declaration]
                                                           : places_.instances[*self].locals[reference.declaration];
        return cell(variable.at(reference.fields), reference, self, state);
    }

    void store(const promela::Reference& target, std::int64_t stored, std::size_t self, State& state) const {
        if (target.scratch) return;
        const Cell to = cell(target, self, state);
        state[*to.slot] = in_type(stored, to.type);
    }

    [[nodiscard]] std::int64_t value(const promela::Expr& e, std::optional<std::size_t> self,
                                     const State& state) const {
        using Kind = promela::Expr::Kind;
        const auto operand = [&](std::size_t i) { return value(*e.operands[i], self, state); };
        switch (e.kind) {
            case Kind::number: return e.number;
            case Kind::reference: {
                const Cell from = cell(*e.reference, self, state);
                return from.slot ? state[*from.slot] : from.constant;
            }
            case Kind::unary:
                switch (e.unary) {
                    case promela::Unary::negate: return in_int(-operand(0));
                    case promela::Unary::complement: return ~operand(0);
                    case promela::Unary::logical_not: return operand(0) == 0 ? 1 : 0;
                    default: throw std::logic_error("a temporal operator in a statement");
                }
            case Kind::binary: return binary(e, self, state);
            case Kind::conditional: return operand(0) != 0 ? operand(1) : operand(2);
            case Kind::run: return run_value_;
            case Kind::length:
            case Kind::full:
            case Kind::empty:
            case Kind::not_full:
            case Kind::not_empty:
            case Kind::poll: return of_channel(e, self, state);
            case Kind::remote_label:
            case Kind::remote_value: return remote(e, self, state);
            case Kind::enabled:
            case Kind::get_priority:
            case Kind::pc_value: return of_process(e, self, state);
            case Kind::timeout: return timeout_ ? 1 : 0;
            case Kind::non_progress: return is_non_progress(state) ? 1 : 0;
            case Kind::process_count: return state[places_.process_count];
            case Kind::last: return state[*places_.last];
            case Kind::self: return places_.instances[*self].pid;
            default: throw std::logic_error("an expression that the translation refuses");
        }
    }

    [[nodiscard]] std::int64_t binary(const promela::Expr& e, std::optional<std::size_t> self,
                                      const State& state) const {
        const std::int64_t a = value(*e.operands[0], self, state);
        if (e.op == promela::Op::logical_and) return a != 0 && value(*e.operands[1], self, state) != 0 ? 1 : 0;
        if (e.op == promela::Op::logical_or) return a != 0 || value(*e.operands[1], self, state) != 0 ? 1 : 0;
        const std::int64_t b = value(*e.operands[1], self, state);
        switch (e.op) {
            case promela::Op::multiply: return in_int(a * b);
            case promela::Op::divide:
                if (b == 0) throw Fault{model::FaultKind::division};
                return in_int(a / b);
            case promela::Op::modulo:
                if (b == 0) throw Fault{model::FaultKind::division};
                return a % b;
            case promela::Op::add: return in_int(a + b);
            case promela::Op::subtract: return in_int(a - b);
            case promela::Op::shift_left:
                return in_int(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << (b & 31)));
            case promela::Op::shift_right: return a >> (b & 31);
            case promela::Op::less: return a < b;
            case promela::Op::less_equal: return a <= b;
            case promela::Op::greater: return a > b;
            case promela::Op::greater_equal: return a >= b;
            case promela::Op::equal: return a == b;
            case promela::Op::not_equal: return a != b;
            case promela::Op::bit_and: return a & b;
            case promela::Op::bit_xor: return a ^ b;
            case promela::Op::bit_or: return a | b;
            default: throw std::logic_error("a temporal operator in a statement");
        }
    }

    [[nodiscard]] const PromelaChannel* channel(std::int64_t number) const {
        if (number < 1 || number > static_cast<std::int64_t>(places_.channels.size())) return nullptr;
        return &places_.channels[static_cast<std::size_t>(number - 1)];
    }

    [[nodiscard]] std::int64_t of_channel(const promela::Expr& e, std::optional<std::size_t> self,
                                          const State& state) const {
        using Kind = promela::Expr::Kind;
        const PromelaChannel* of = channel(value(*e.operands[0], self, state));
        if (of == nullptr) return 0;
        const promela::Expr& named = *e.operands[0];
        if (e.kind == Kind::poll && of->capacity == 0 && named.kind == Kind::reference &&
            !cell(*named.reference, self, state).slot)
            throw Fault{model::FaultKind::assertion};
        const std::int64_t length = of->capacity > 0 ? state[of->length] : 0;
        switch (e.kind) {
            case Kind::length: return length;
            case Kind::full: return of->capacity > 0 && length == of->capacity ? 1 : 0;
            case Kind::empty: return length == 0 ? 1 : 0;
            case Kind::not_full: return of->capacity > 0 && length == of->capacity ? 0 : 1;
            case Kind::not_empty: return length > 0 ? 1 : 0;
            default: return position(*of, e.patterns, e.anywhere, self, state) ? 1 : 0;
        }
    }

    [[nodiscard]] std::int64_t remote(const promela::Expr& e, std::optional<std::size_t> self,
                                      const State& state) const {
        std::optional<std::int64_t> pid;
        if (!e.operands.empty()) pid = value(*e.operands[0], self, state);
        for (auto other = places_.instances.rbegin(); other != places_.instances.rend(); ++other) {
            if (other->type != e.process) continue;
            if (pid ? *pid != other->pid : state[other->location] == 0) continue;
            if (e.kind == promela::Expr::Kind::remote_value) {
                const Cell from = cell(other->locals[e.reference->declaration].at({}), *e.reference, self, state);
                return from.slot ? state[*from.slot] : from.constant;
            }
            const promela::Control& flow = places_.controls[other->type];
            const auto label = flow.labels.find(e.label);
            return label != flow.labels.end() && state[other->location] == label->second + 1 ? 1 : 0;
        }
        return 0;
    }

    [[nodiscard]] std::int64_t of_process(const promela::Expr& e, std::optional<std::size_t> self,
                                          const State& state) const {
        const std::int64_t pid = value(*e.operands[0], self, state);
        for (std::size_t i = 0; i < places_.instances.size(); ++i) {
            const PromelaInstance& of = places_.instances[i];
            if (places_.claim == i || of.pid != pid || state[of.location] == 0) continue;
            const Execution there(places_, state, timeout_);
            if (e.kind == promela::Expr::Kind::get_priority) return state[*of.priority];
            if (e.kind == promela::Expr::Kind::pc_value) return there.location(i)->number;
            return there.is_enabled(i) ? 1 : 0;
        }
        return 0;
    }

    [[nodiscard]] bool is_enabled(std::size_t instance) const {
        if (process(instance).provided && value(*process(instance).provided, instance, state_) == 0) return false;
        for (const std::uint32_t edge : location(instance)->edges)
            if (is_executable(instance, control(instance).edges[edge])) return true;
        return false;
    }

    // No process of a higher priority has a step.
    [[nodiscard]] bool has_highest_priority(std::size_t self) const {
        const PromelaInstance& of = places_.instances[self];
        if (!of.priority) return true;
        for (std::size_t i = 0; i < places_.instances.size(); ++i) {
            const PromelaInstance& other = places_.instances[i];
            if (other.priority && other.pid != of.pid && state_[other.location] != 0 &&
                state_[*other.priority] > state_[*of.priority] && is_enabled(i))
                return false;
        }
        return true;
    }

    [[nodiscard]] bool is_non_progress(const State& state) const {
        for (const PromelaInstance& instance : places_.instances)
            if (const std::int64_t at = state[instance.location]; at != 0)
                if (places_.controls[instance.type].locations[static_cast<std::size_t>(at - 1)].is_progress)
                    return false;
        return true;
    }

    // ---- messages ---------------------------------------------------------------------------------------------------

    [[nodiscard]] bool fits(const PromelaChannel& of, std::int64_t at, const std::vector<promela::Pattern>& patterns,
                            std::optional<std::size_t> self, const State& state) const {
        for (std::size_t f = 0; f < patterns.size() && f < of.fields.size(); ++f)
            if (patterns[f].value &&
                state[of.contents[f] + static_cast<std::size_t>(at)] != value(*patterns[f].value, self, state))
                return false;
        return true;
    }
    // Of the message that would be received.
    [[nodiscard]] std::optional<std::int64_t> position(const PromelaChannel& of,
                                                       const std::vector<promela::Pattern>& patterns, bool anywhere,
                                                       std::optional<std::size_t> self, const State& state) const {
        if (of.capacity == 0 || patterns.size() > of.fields.size()) return std::nullopt;
        const std::int64_t last = anywhere ? state[of.length] : std::min<std::int64_t>(1, state[of.length]);
        for (std::int64_t at = 0; at < last; ++at)
            if (fits(of, at, patterns, self, state)) return at;
        return std::nullopt;
    }

    [[nodiscard]] static std::vector<std::int64_t> message_at(const PromelaChannel& of, std::int64_t at,
                                                              const State& state) {
        std::vector<std::int64_t> message;
        for (const std::size_t first : of.contents) message.push_back(state[first + static_cast<std::size_t>(at)]);
        return message;
    }

    // The trace or notrace declaration sees a message.
    void observe(bool sends, const PromelaChannel& through, const std::vector<std::int64_t>& message,
                 State& state) const {
        const promela::Control& flow = places_.controls[*places_.trace];
        const auto is_about = [&](const promela::Edge& edge) {
            using Kind = promela::Statement::Kind;
            return edge.statement != nullptr && edge.statement->kind == (sends ? Kind::send : Kind::receive) &&
                   channel(value(*edge.statement->channel, std::nullopt, state)) == &through;
        };
        if (std::none_of(flow.edges.begin(), flow.edges.end(), is_about)) return;
        const bool negated = places_.program.processes[*places_.trace].kind == promela::Process::Kind::notrace;
        std::vector<std::uint32_t> matching;
        for (const std::uint32_t e : flow.locations[static_cast<std::size_t>(state[places_.event])].edges)
            if (is_about(flow.edges[e]) && matches(*flow.edges[e].statement, message, state))
                matching.push_back(flow.edges[e].to);
        if (matching.size() > 1 || (matching.empty() && !negated)) throw Fault{model::FaultKind::assertion};
        if (negated && !matching.empty() && matching[0] == flow.end) throw Fault{model::FaultKind::assertion};
        state[places_.event] = matching.empty() ? flow.end : matching[0];
    }
    // What an event sends, where that is no constant, and variables that it receives into match everything.
    [[nodiscard]] bool matches(const promela::Statement& event, const std::vector<std::int64_t>& message,
                               const State& state) const {
        for (std::size_t f = 0; f < message.size(); ++f) {
            const promela::Expr* field = nullptr;
            if (f < event.values.size() && promela::constant_value(*event.values[f])) field = event.values[f].get();
            if (f < event.patterns.size()) field = event.patterns[f].value.get();
            if (field != nullptr && value(*field, std::nullopt, state) != message[f]) return false;
        }
        return true;
    }

    bool send(const promela::Statement& s, std::size_t self, State& state) const {
        const PromelaChannel* to = channel(value(*s.channel, self, state));
        if (to == nullptr || to->capacity == 0 || s.values.size() != to->fields.size()) return false;
        if (state[to->length] == to->capacity) return false;
        std::vector<std::int64_t> message;
        for (std::size_t f = 0; f < s.values.size(); ++f)
            message.push_back(in_type(value(*s.values[f], self, state), to->fields[f]));
        std::int64_t at = state[to->length];
        if (s.sorted) {
            const auto stored = [&](std::int64_t k) {
                std::vector<std::int64_t> result;
                for (const std::size_t first : to->contents)
                    result.push_back(state[first + static_cast<std::size_t>(k)]);
                return result;
            };
            at = 0;
            while (at < state[to->length] && !(stored(at) > message)) ++at;
        }
        for (std::size_t f = 0; f < message.size(); ++f) {
            for (std::int64_t k = state[to->length]; k > at; --k)
                state[to->contents[f] + static_cast<std::size_t>(k)] =
                    state[to->contents[f] + static_cast<std::size_t>(k - 1)];
            state[to->contents[f] + static_cast<std::size_t>(at)] = message[f];
        }
        ++state[to->length];
        if (places_.trace) observe(true, *to, message_at(*to, state[to->length] - 1, state), state);
        return true;
    }

    bool receive(const promela::Statement& s, std::size_t self, State& state) const {
        const PromelaChannel* from = channel(value(*s.channel, self, state));
        if (from == nullptr) return false;
        const std::optional<std::int64_t> at = position(*from, s.patterns, s.anywhere, self, state);
        if (!at) return false;
        std::vector<std::int64_t> message;
        for (std::size_t f = 0; f < s.patterns.size(); ++f)
            message.push_back(state[from->contents[f] + static_cast<std::size_t>(*at)]);
        for (std::size_t f = 0; f < s.patterns.size(); ++f)
            if (s.patterns[f].target) store(*s.patterns[f].target, message[f], self, state);
        if (s.keep) return true;
        if (places_.trace) observe(false, *from, message_at(*from, 0, state), state);
        for (const std::size_t first : from->contents) {
            for (std::int64_t k = *at; k + 1 < from->capacity; ++k)
                state[first + static_cast<std::size_t>(k)] = state[first + static_cast<std::size_t>(k + 1)];
            state[first + static_cast<std::size_t>(from->capacity - 1)] = 0;
        }
        --state[from->length];
        return true;
    }

    // ---- statements -------------------------------------------------------------------------------------------------

    static const promela::Expr* find_run(const promela::Expr& e) {
        if (e.kind == promela::Expr::Kind::run) return &e;
        for (const promela::ExprPtr& operand : e.operands)
            if (const promela::Expr* found = find_run(*operand)) return found;
        return nullptr;
    }

    // Executes it where that is possible. A state where it is not remains as it was.
    bool statement(const promela::Statement* s, std::size_t self, State& state) const {
        if (s == nullptr) return end(self, state);
        if (s->value)
            if (const promela::Expr* run = find_run(*s->value)) return with_run(*s, *run, self, state);
        return plain(*s, self, state);
    }

    bool plain(const promela::Statement& s, std::size_t self, State& state) const {
        using Kind = promela::Statement::Kind;
        switch (s.kind) {
            case Kind::expression: return value(*s.value, self, state) != 0;
            case Kind::assign: store(*s.target, value(*s.value, self, state), self, state); return true;
            case Kind::send: return send(s, self, state);
            case Kind::receive: return receive(s, self, state);
            case Kind::assertion:
                if (value(*s.value, self, state) == 0) throw Fault{model::FaultKind::assertion};
                return true;
            case Kind::set_priority: {
                const std::int64_t pid = value(*s.values[0], self, state);
                const std::int64_t priority = value(*s.values[1], self, state) & 255;
                for (const PromelaInstance& instance : places_.instances)
                    if (instance.priority && instance.pid == pid && state[instance.location] != 0)
                        state[*instance.priority] = priority;
                return true;
            }
            default: return true;  // goto, break, printf
        }
    }

    bool with_run(const promela::Statement& s, const promela::Expr& run, std::size_t self, State& state) const {
        const auto pid = state[places_.process_count];
        run_value_ = pid < 255 ? pid : 0;
        if (s.kind == promela::Statement::Kind::expression && value(*s.value, self, state) == 0) return false;
        if (pid == 255) return plain(s, self, state);
        for (std::size_t i = 0; i < places_.instances.size(); ++i) {
            const PromelaInstance& made = places_.instances[i];
            if (made.type != run.process || made.pid != pid || places_.claim == i) continue;
            for (std::size_t k = 0; k < run.operands.size(); ++k) {
                const PromelaCells& parameter = made.locals[k].at({});
                state[*parameter.first] = in_type(value(*run.operands[k], self, state), parameter.type);
            }
            begin(i, state);
            if (made.priority) state[*made.priority] = run.priority.value_or(1);
            state[places_.process_count] = pid + 1;
            return plain(s, self, state);
        }
        throw Fault{model::FaultKind::instance};
    }

    bool end(std::size_t self, State& state) const {
        const PromelaInstance& ending = places_.instances[self];
        if (places_.claim == self) return true;
        if (state[places_.process_count] != ending.pid + 1) return false;
        for (std::size_t i = ending.location; i < ending.end; ++i) state[i] = 0;
        state[places_.process_count] = ending.pid;
        return true;
    }

    // ---- steps ------------------------------------------------------------------------------------------------------

    static bool is_else(const promela::Edge& edge) {
        return edge.statement != nullptr && edge.statement->kind == promela::Statement::Kind::otherwise;
    }
    static bool is_d_step(const promela::Edge& edge) {
        return edge.statement != nullptr && edge.statement->kind == promela::Statement::Kind::block;
    }
    [[nodiscard]] Participant participant(std::size_t instance, const promela::Edge& edge) const {
        const promela::Place place = edge.statement != nullptr ? edge.statement->place : process(instance).end;
        return {places_.instances[instance].name,
                places_.program.files[0].line_number(places_.program.in_main(place).begin)};
    }

    // Whether it is a step by itself, without a partner.
    [[nodiscard]] bool is_executable(std::size_t self, const promela::Edge& edge) const {
        if (is_else(edge)) return no_other(self, edge);
        if (is_d_step(edge)) {
            for (const std::uint32_t e : control(self).locations[edge.inside].edges)
                if (const promela::Edge& first = control(self).edges[e]; is_first_executable(self, first)) return true;
            return false;
        }
        if (edge.statement == nullptr) return state_[places_.process_count] == places_.instances[self].pid + 1;
        const promela::Statement& s = *edge.statement;
        switch (s.kind) {
            case promela::Statement::Kind::expression:
                run_value_ = state_[places_.process_count] < 255 ? state_[places_.process_count] : 0;
                return value(*s.value, self, state_) != 0;
            case promela::Statement::Kind::send: {
                const PromelaChannel* to = channel(value(*s.channel, self, state_));
                if (to == nullptr || s.values.size() != to->fields.size()) return false;
                if (to->capacity > 0) return state_[to->length] < to->capacity;
                std::vector<Piece> found;
                meetings(self, edge, found);
                return !found.empty();
            }
            case promela::Statement::Kind::receive: {
                const PromelaChannel* from = channel(value(*s.channel, self, state_));
                return from != nullptr && position(*from, s.patterns, s.anywhere, self, state_);
            }
            default: return true;
        }
    }
    // The same of the first step of a d_step, where a send is tried whoever waits for it.
    [[nodiscard]] bool is_first_executable(std::size_t self, const promela::Edge& first) const {
        return is_else(first) || sends_rendezvous(first, self, state_) || is_executable(self, first);
    }
    [[nodiscard]] bool sends_rendezvous(const promela::Edge& edge, std::size_t self, const State& state) const {
        if (edge.statement == nullptr || edge.statement->kind != promela::Statement::Kind::send) return false;
        const PromelaChannel* to = channel(value(*edge.statement->channel, self, state));
        return to != nullptr && to->capacity == 0 && edge.statement->values.size() == to->fields.size();
    }
    [[nodiscard]] bool no_other(std::size_t self, const promela::Edge& edge) const {
        for (const std::uint32_t e : edge.preceding)
            if (is_executable(self, control(self).edges[e])) return false;
        return true;
    }

    void edge_steps(std::size_t self, const promela::Edge& edge, std::vector<Piece>& out) const {
        Piece piece;
        piece.participants.push_back(participant(self, edge));
        try {
            if (process(self).provided && value(*process(self).provided, self, state_) == 0) return;
            if (!has_highest_priority(self)) return;
            for (const std::uint32_t e : edge.prevented_by)
                if (is_executable(self, control(self).edges[e])) return;
            if (is_d_step(edge)) {
                d_step(self, edge, out);
                return;
            }
            if (edge.statement != nullptr && edge.statement->kind == promela::Statement::Kind::send &&
                meetings(self, edge, out))
                return;
            piece.next = state_;
            if (is_else(edge) ? !no_other(self, edge) : !statement(edge.statement, self, piece.next)) return;
            move(self, edge.statement == nullptr && places_.claim != self, edge.to, edge.continues, piece);
        } catch (const Fault& fault) {
            piece.fault = fault.kind;
        }
        out.push_back(std::move(piece));
    }

    void move(std::size_t self, bool ends, std::uint32_t to, bool continues, Piece& piece) const {
        if (continues && places_.claim != self && control(self).locations[to].d_step == nullptr) {
            // What follows for certain in an atomic sequence is no part of its own.
            const promela::CertainSteps further =
                promela::CertainWalk(places_.program, process(self), control(self)).behind(to, continues);
            for (const promela::Edge* edge : further.edges) statement(edge->statement, self, piece.next);
            to = further.to;
            continues = further.continues;
        }
        piece.next[places_.instances[self].location] = ends ? 0 : to + 1;
        if (continues) piece.goes_on = self;
        if (places_.last && places_.claim != self) piece.next[*places_.last] = places_.instances[self].pid;
    }

    // A send through a rendezvous channel with every receiver that is ready. False: the channel has a buffer.
    bool meetings(std::size_t self, const promela::Edge& edge, std::vector<Piece>& out) const {
        const promela::Statement& sent = *edge.statement;
        const std::int64_t number = value(*sent.channel, self, state_);
        const PromelaChannel* through = channel(number);
        if (through == nullptr || through->capacity > 0) return false;
        if (sent.values.size() != through->fields.size()) return true;
        for (std::size_t other = 0; other < places_.instances.size(); ++other) {
            if (other == self || places_.claim == other || location(other) == nullptr) continue;
            for (const std::uint32_t e : location(other)->edges) {
                const promela::Edge& receiving = control(other).edges[e];
                if (is_d_step(receiving)) meet_inside(self, edge, other, receiving, number, *through, out);
                if (receiving.statement == nullptr || receiving.statement->kind != promela::Statement::Kind::receive)
                    continue;
                Piece piece;
                piece.participants = {participant(self, edge), participant(other, receiving)};
                try {
                    if (!meet(self, edge, other, receiving, receiving, number, *through, piece)) continue;
                } catch (const Fault& fault) {
                    piece.fault = fault.kind;
                }
                out.push_back(std::move(piece));
            }
        }
        return true;
    }
    // A d_step that begins with a receive continues behind it, to its end.
    void meet_inside(std::size_t self, const promela::Edge& edge, std::size_t other, const promela::Edge& whole,
                     std::int64_t number, const PromelaChannel& through, std::vector<Piece>& out) const {
        for (const std::uint32_t e : control(other).locations[whole.inside].edges) {
            const promela::Edge& first = control(other).edges[e];
            if (is_else(first) || first.statement == nullptr) return;
            Piece piece;
            piece.participants = {participant(self, edge), participant(other, first)};
            bool meets = false;
            try {
                if (first.statement->kind == promela::Statement::Kind::receive)
                    meets = meet(self, edge, other, whole, first, number, through, piece);
                if (!meets && is_first_executable(other, first)) return;
            } catch (const Fault& fault) {
                piece.fault = fault.kind;
                out.push_back(std::move(piece));
                return;
            }
            if (!meets) continue;
            piece.goes_on.reset();
            go_through(other, whole, first.to, false, piece, out);
            return;
        }
    }
    // `whole`: the step that is escaped from; `receiving`: where the message is received.
    bool meet(std::size_t self, const promela::Edge& edge, std::size_t other, const promela::Edge& whole,
              const promela::Edge& receiving, std::int64_t number, const PromelaChannel& through, Piece& piece) const {
        const promela::Statement& received = *receiving.statement;
        if (process(other).provided && value(*process(other).provided, other, state_) == 0) return false;
        std::vector<std::int64_t> message;
        for (std::size_t f = 0; f < through.fields.size(); ++f)
            message.push_back(in_type(value(*edge.statement->values[f], self, state_), through.fields[f]));
        if (!accepts(other, received, number, message)) return false;
        for (const std::uint32_t e : whole.prevented_by)
            if (const promela::Statement* escape = control(other).edges[e].statement;
                escape != nullptr && escape->kind == promela::Statement::Kind::receive &&
                accepts(other, *escape, number, message))
                return false;
        piece.next = state_;
        if (places_.trace) {
            observe(true, through, message, piece.next);
            observe(false, through, message, piece.next);
        }
        for (std::size_t f = 0; f < received.patterns.size(); ++f)
            if (received.patterns[f].target) store(*received.patterns[f].target, message[f], other, piece.next);
        piece.next[places_.instances[self].location] = edge.to + 1;
        if (&whole == &receiving) move(other, false, receiving.to, receiving.continues, piece);
        return true;
    }

    [[nodiscard]] bool accepts(std::size_t self, const promela::Statement& received, std::int64_t number,
                               const std::vector<std::int64_t>& message) const {
        if (value(*received.channel, self, state_) != number || received.patterns.size() > message.size()) return false;
        for (std::size_t f = 0; f < received.patterns.size(); ++f)
            if (received.patterns[f].value && value(*received.patterns[f].value, self, state_) != message[f])
                return false;
        return true;
    }

    // The first statement decides whether it is possible; then the first possible one is executed, to the end.
    void d_step(std::size_t self, const promela::Edge& edge, std::vector<Piece>& out) const {
        Piece piece;
        piece.next = state_;
        go_through(self, edge, edge.inside, true, piece, out);
    }
    // From a location inside on, or from its end.
    void go_through(std::size_t self, const promela::Edge& edge, std::uint32_t at, bool first, Piece& piece,
                    std::vector<Piece>& out) const {
        constexpr std::size_t kMostSteps = 10'000'000;
        const promela::Control& flow = control(self);
        const auto leave = [&] { move(self, false, at, at == edge.to && edge.continues, piece); };
        try {
            if (!first && flow.locations[at].d_step != edge.statement) {
                leave();
                out.push_back(std::move(piece));
                return;
            }
            for (std::size_t steps = 0;; ++steps) {
                if (steps == kMostSteps) throw std::runtime_error("a d_step without an end");
                const promela::Edge* taken = nullptr;
                for (const std::uint32_t e : flow.locations[at].edges) {
                    const promela::Edge& candidate = flow.edges[e];
                    State tried = piece.next;
                    try {
                        if (sends_rendezvous(candidate, self, piece.next)) throw Fault{model::FaultKind::assertion};
                        if (!is_else(candidate) &&
                            !Execution(places_, piece.next, timeout_).statement(candidate.statement, self, tried))
                            continue;
                    } catch (const Fault&) {
                        begin_part(self, candidate, flow, at, first, piece);
                        throw;
                    }
                    taken = &candidate;
                    begin_part(self, candidate, flow, at, first, piece);
                    piece.next = std::move(tried);
                    break;
                }
                if (taken == nullptr) {
                    if (first) return;
                    piece.participants.push_back(participant(self, flow.edges[flow.locations[at].edges.front()]));
                    throw Fault{model::FaultKind::assertion};
                }
                first = false;
                at = taken->to;
                if (flow.locations[at].d_step == edge.statement) continue;
                leave();
                break;
            }
        } catch (const Fault& fault) {
            piece.fault = fault.kind;
        }
        out.push_back(std::move(piece));
    }
    void begin_part(std::size_t self, const promela::Edge& edge, const promela::Control& flow, std::uint32_t at,
                    bool first, Piece& piece) const {
        const bool alone = flow.locations[at].edges.size() == 1;
        if (!first && alone && edge.statement != nullptr && promela::is_certain(*edge.statement)) return;
        piece.participants.push_back(participant(self, edge));
    }

    const PromelaState& places_;
    const State& state_;
    bool timeout_;
    mutable std::int64_t run_value_ = 0;
};

class PromelaMachine final : public Machine {
public:
    PromelaMachine(std::shared_ptr<const promela::Program> program, const PromelaMachineOptions& options)
        : program_(std::move(program)), places_(*program_, options), initial_(places_.names.size()) {
        const Execution beginning(places_, initial_, false);
        State state = initial_;
        for (const PromelaVariable& variable : places_.globals) beginning.begin(variable, std::nullopt, state);
        for (std::size_t i = 0; i < places_.instances.size(); ++i) {
            if (i >= places_.initial_instances && places_.claim != i) continue;
            beginning.begin(i, state);
            if (const auto priority = places_.instances[i].priority)
                state[*priority] = program_->processes[places_.instances[i].type].priority.value_or(1);
            if (places_.claim != i) state[places_.process_count] = places_.instances[i].pid + 1;
        }
        if (places_.trace) state[places_.event] = places_.controls[*places_.trace].start;
        initial_ = state;
    }

    [[nodiscard]] const std::vector<std::string>& names() const override { return places_.names; }
    [[nodiscard]] std::vector<State> initial_states() const override { return {initial_}; }
    [[nodiscard]] std::size_t acceptance_sets() const override { return places_.claim ? 1 : 0; }

    [[nodiscard]] OutsideNames outside_names() const override {
        OutsideNames result;
        for (const PromelaInstance& instance : places_.instances) {
            std::set<std::string> used{"-"};
            const std::vector<promela::Location>& locations = places_.controls[instance.type].locations;
            for (std::size_t i = 0; i < locations.size(); ++i) {
                std::string name = "end";
                if (const promela::Statement* first = locations[i].statement) {
                    const support::SourceText& file = program_->files[first->place.file];
                    name = locations[i].labels.empty()
                               ? "line" + std::to_string(file.line_number(first->place.span.begin))
                               : locations[i].labels.front();
                }
                std::string unique = name;
                for (int copy = 2; !used.insert(unique).second; ++copy) unique = name + '_' + std::to_string(copy);
                result.locations[instance.name + '.' + unique] = {instance.location, static_cast<std::int64_t>(i) + 1};
            }
            result.numbers_of_locations.insert(instance.name);
        }
        result.predicates = {
            {"valid_end", [this](const State& state) { return is_valid_end(state); }},
            {"np_", [this](const State& state) { return !is_any_at(state, &promela::Location::is_progress); }},
            {"accept_", [this](const State& state) { return is_any_at(state, &promela::Location::is_accepting); }}};
        return result;
    }

    [[nodiscard]] std::vector<Step> steps(const State& state) const override {
        std::vector<Step> result = system_steps(state);
        if (!places_.claim) return result;
        std::vector<Step> observed;
        const std::vector<Piece> claim = Execution(places_, state, false).steps(*places_.claim);
        if (result.empty()) result.push_back({{}, model::FaultKind::none, state, 0});
        for (const Step& step : result) {
            if (step.fault != model::FaultKind::none) {
                observed.push_back(step);
                continue;
            }
            for (const Piece& move : claim) {
                Step both = step;
                both.participants.insert(both.participants.end(), move.participants.begin(), move.participants.end());
                both.fault = move.fault;
                const PromelaInstance& of = places_.instances[*places_.claim];
                if (move.fault == model::FaultKind::none)
                    for (std::size_t i = of.location; i < of.end; ++i) both.next[i] = move.next[i];
                const auto from = static_cast<std::size_t>(state[of.location] - 1);
                const promela::Location& at = places_.controls[of.type].locations[from];
                if (at.is_accepting || at.statement == nullptr) both.marks = 1;
                observed.push_back(std::move(both));
            }
        }
        return observed;
    }

    [[nodiscard]] support::Result<Answer> evaluate(const std::string& expression,
                                                   const State& /*state*/) const override {
        return support::diagnostic_about(expression, "expressions are not evaluated here");
    }
    [[nodiscard]] std::vector<FailedAssertion> failed_assertions(const State& /*state*/) const override { return {}; }

private:
    // Where an instance is; null where it does not run.
    [[nodiscard]] const promela::Location* location_of(const PromelaInstance& instance, const State& state) const {
        const std::int64_t at = state[instance.location];
        return at == 0 ? nullptr : &places_.controls[instance.type].locations[static_cast<std::size_t>(at - 1)];
    }
    // Of the processes without the claim.
    [[nodiscard]] bool is_any_at(const State& state, bool promela::Location::* mark) const {
        for (std::size_t i = 0; i < places_.instances.size(); ++i) {
            const promela::Location* at = location_of(places_.instances[i], state);
            if (places_.claim != i && at != nullptr && at->*mark) return true;
        }
        return false;
    }
    // Every process has ended or is at a label that begins with "end"; so is the trace declaration, unless there is no
    // process left.
    [[nodiscard]] bool is_valid_end(const State& state) const {
        for (std::size_t i = 0; i < places_.instances.size(); ++i) {
            const promela::Location* at = location_of(places_.instances[i], state);
            if (places_.claim != i && at != nullptr && !at->is_end) return false;
        }
        if (!places_.trace || state[places_.process_count] == 0) return true;
        return places_.controls[*places_.trace].locations[static_cast<std::size_t>(state[places_.event])].is_end;
    }

    [[nodiscard]] std::vector<Piece> pieces(const State& state, bool timeout) const {
        std::vector<Piece> result;
        const Execution execution(places_, state, timeout);
        for (std::size_t i = 0; i < places_.instances.size(); ++i) {
            if (places_.claim == i) continue;
            for (Piece& piece : execution.steps(i)) result.push_back(std::move(piece));
        }
        return result;
    }

    // A process inside an atomic sequence goes on alone while it can; only then a state is seen.
    [[nodiscard]] std::vector<Step> system_steps(const State& state) const {
        std::vector<Piece> first = pieces(state, false);
        if (first.empty()) first = pieces(state, true);
        std::vector<Step> result;
        // Several ways through the same states count separately as long as there are few: a trace may show any of them.
        constexpr std::size_t kMostWays = 4000;
        constexpr std::size_t kNone = SIZE_MAX;
        struct Inside {
            Piece piece;
            std::size_t from;  // the one before it
        };
        std::set<std::pair<std::size_t, State>> known;
        std::size_t ways = 0;
        std::vector<Inside> inside;
        const auto way_to = [&](std::vector<Participant> last, std::size_t from) {
            std::vector<const std::vector<Participant>*> parts;
            for (; from != kNone; from = inside[from].from) parts.push_back(&inside[from].piece.participants);
            std::vector<Participant> way;
            for (auto part = parts.rbegin(); part != parts.rend(); ++part)
                way.insert(way.end(), (*part)->begin(), (*part)->end());
            way.insert(way.end(), last.begin(), last.end());
            return way;
        };
        const auto take = [&](Piece piece, std::size_t from) {
            if (piece.fault == model::FaultKind::none && piece.goes_on) {
                if (known.emplace(*piece.goes_on, piece.next).second || ++ways < kMostWays)
                    inside.push_back({std::move(piece), from});
            } else {
                result.push_back({way_to(std::move(piece.participants), from), piece.fault, std::move(piece.next), 0});
            }
        };
        for (Piece& piece : first) take(std::move(piece), kNone);
        for (std::size_t i = 0; i < inside.size(); ++i) {
            if (i == model::kMostPassed) {
                std::size_t begin = i;
                while (inside[begin].from != kNone) begin = inside[begin].from;
                result.push_back({inside[begin].piece.participants, model::FaultKind::endless, {}, 0});
                break;
            }
            const State at = inside[i].piece.next;
            std::vector<Piece> further = Execution(places_, at, false).steps(*inside[i].piece.goes_on);
            if (further.empty()) result.push_back({way_to({}, i), model::FaultKind::none, at, 0});
            for (Piece& piece : further) take(std::move(piece), i);
        }
        return result;
    }

    std::shared_ptr<const promela::Program> program_;
    PromelaState places_;
    State initial_;
};

}  // namespace

std::unique_ptr<Machine> make_promela_machine(std::shared_ptr<const promela::Program> program,
                                              PromelaMachineOptions options) {
    return std::make_unique<PromelaMachine>(std::move(program), options);
}

}  // namespace tideline::reference
