#include "input/promela/expressions.hpp"

#include <algorithm>
#include <limits>

namespace tideline::input::promela {
namespace {

constexpr model::Range kInt{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
constexpr model::Range kTruth{0, 1};

model::Expression constant(model::Value value) { return model::Expression::constant(value); }
model::Expression apply(model::Op op, model::Expression left, const model::Expression& right) {
    return model::Expression::binary(op, std::move(left), right);
}

bool inside(model::Range inner, model::Range outer) { return outer.low <= inner.low && inner.high <= outer.high; }

model::Op operation(Op op) {
    switch (op) {
        case Op::multiply: return model::Op::multiply;
        case Op::divide: return model::Op::divide;
        case Op::modulo: return model::Op::modulo;
        case Op::add: return model::Op::add;
        case Op::subtract: return model::Op::subtract;
        case Op::shift_left: return model::Op::shift_left;
        case Op::shift_right: return model::Op::shift_right;
        case Op::less: return model::Op::less;
        case Op::less_equal: return model::Op::less_equal;
        case Op::greater: return model::Op::greater;
        case Op::greater_equal: return model::Op::greater_equal;
        case Op::equal: return model::Op::equal;
        case Op::not_equal: return model::Op::not_equal;
        case Op::bit_and: return model::Op::bit_and;
        case Op::bit_xor: return model::Op::bit_xor;
        default: return model::Op::bit_or;
    }
}

model::Range hull(std::initializer_list<model::Value> values) { return {std::min(values), std::max(values)}; }

// The range of a result, perhaps wider than it is.
model::Range result_range(Op op, model::Range a, model::Range b) {
    switch (op) {
        case Op::multiply: return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
        case Op::divide: {
            const model::Value most = std::max(std::abs(a.low), std::abs(a.high));
            return {a.low >= 0 && b.low >= 0 ? 0 : -most, most};
        }
        case Op::modulo: {
            const model::Value most = std::max(std::abs(b.low), std::abs(b.high));
            return {a.low >= 0 ? 0 : -most, most};
        }
        case Op::add: return {a.low + b.low, a.high + b.high};
        case Op::subtract: return {a.low - b.high, a.high - b.low};
        case Op::shift_left: {
            const auto by = static_cast<unsigned>(b.high);
            return hull({a.low, a.high, a.low * (std::int64_t{1} << by), a.high * (std::int64_t{1} << by)});
        }
        case Op::shift_right: return hull({a.low, a.high, 0, a.low < 0 ? model::Value{-1} : model::Value{0}});
        case Op::bit_and:
            if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
            if (b.low >= 0) return {0, b.high};
            if (a.low >= 0) return {0, a.high};
            return kInt;
        case Op::bit_or:
        case Op::bit_xor: {
            if (a.low < 0 || b.low < 0) return kInt;
            model::Value most = 1;
            while (most <= std::max(a.high, b.high)) most *= 2;
            return {0, most - 1};
        }
        default: return kTruth;
    }
}

}  // namespace

Bounded number(model::Value value) { return {constant(value), {value, value}}; }

bool is_value(const model::Expression& expression, model::Value value) {
    return expression.is_constant() && expression.constant_value() == value;
}

model::Expression negation(model::Expression condition) {
    if (condition.is_constant()) return constant(condition.constant_value() == 0 ? 1 : 0);
    return model::Expression::unary(model::Op::logical_not, std::move(condition));
}

model::Expression conjunction(model::Expression left, const model::Expression& right) {
    if (left.is_constant()) return left.constant_value() == 0 ? constant(0) : right;
    if (is_value(right, 1)) return left;
    return model::Expression::both(std::move(left), right);
}

model::Expression disjunction(model::Expression left, const model::Expression& right) {
    if (left.is_constant()) return left.constant_value() != 0 ? constant(1) : right;
    if (is_value(right, 0)) return left;
    return model::Expression::either(std::move(left), right);
}

bool Expressions::contains(const Expr& expr, Expr::Kind kind) {
    if (expr.kind == kind) return true;
    for (const ExprPtr& operand : expr.operands)
        if (operand && contains(*operand, kind)) return true;
    if (expr.reference)
        for (const ExprPtr& index : expr.reference->index)
            if (index && contains(*index, kind)) return true;
    return false;
}

const Expr* Expressions::run_in(const Expr& expr) {
    if (expr.kind == Expr::Kind::run) return &expr;
    for (const ExprPtr& operand : expr.operands)
        if (const Expr* found = operand ? run_in(*operand) : nullptr) return found;
    return nullptr;
}

Bounded Expressions::truncated(Bounded value, model::Range range) const {
    if (inside(value.range, range)) return value;
    const std::uint64_t span = range.span();
    if ((span & (span + 1)) == 0) {  // a number of bits
        if (value.code.is_constant()) {
            const auto offset = static_cast<std::uint64_t>(value.code.constant_value() - range.low) & span;
            return number(static_cast<model::Value>(offset) + range.low);
        }
        model::Expression code = std::move(value.code);
        if (range.low != 0) code = apply(model::Op::subtract, std::move(code), constant(range.low));
        code = apply(model::Op::bit_and, std::move(code), constant(static_cast<model::Value>(span)));
        if (range.low != 0) code = apply(model::Op::add, std::move(code), constant(range.low));
        return {std::move(code), range};
    }
    return value;
}

std::optional<Bounded> Expressions::element(const Leaf& leaf, const Reference& reference,
                                            const Context& context) const {
    std::optional<Bounded> result;
    for (std::size_t level = 0; level < leaf.lengths.size(); ++level) {
        if (!leaf.lengths[level]) continue;
        const auto length = static_cast<model::Value>(*leaf.lengths[level]);
        Bounded index = level < reference.index.size() && reference.index[level]
                            ? translate(*reference.index[level], context)
                            : number(0);
        if (!result) {
            result = std::move(index);
            continue;
        }
        // An inner index beyond its array must be found: the element of a table that says so.
        if (index.range.low < 0 || index.range.high >= length) {
            for (model::TableId t = 0; t < model_.tables.size(); ++t)
                if (model_.tables[t].name == "index below " + std::to_string(length))
                    index = {model::Expression::table(t, std::move(index.code)), {0, length - 1}};
        }
        result->code =
            apply(model::Op::add, apply(model::Op::multiply, std::move(result->code), constant(length)), index.code);
        result->range = {result->range.low * length + index.range.low, result->range.high * length + index.range.high};
        if (result->code.code().size() == 5 && result->code.code()[0].op == model::Op::constant &&
            index.code.is_constant())
            result = number(result->code.code()[0].value * length + index.code.constant_value());
    }
    return result;
}

Bounded Expressions::load(const Leaf& leaf, std::optional<Bounded> index) const {
    if (!leaf.variable) {
        if (!leaf.table) return number(leaf.first_channel);
        if (index->code.is_constant() && index->code.constant_value() >= 0 && index->code.constant_value() < leaf.count)
            return number(leaf.first_channel + index->code.constant_value());
        return {model::Expression::table(*leaf.table, std::move(index->code)),
                {leaf.first_channel, static_cast<model::Value>(leaf.first_channel) + leaf.count - 1}};
    }
    const model::Variable& variable = model_.variables[*leaf.variable];
    if (!index) return {model_.read(*leaf.variable), variable.range};
    if (index->code.is_constant() && index->code.constant_value() >= 0 && index->code.constant_value() < leaf.count)
        return {model::Expression::slot(variable.first_slot + static_cast<model::SlotId>(index->code.constant_value())),
                variable.range};
    return {model_.read(*leaf.variable, std::move(index->code)), variable.range};
}

Bounded Expressions::read(const Reference& reference, const Context& context) const {
    const Leaf& leaf = slots_.leaf(reference, context.self);
    return load(leaf, element(leaf, reference, context));
}

model::Target Expressions::target(const Reference& reference, const Context& context) const {
    const Leaf& leaf = slots_.leaf(reference, context.self);
    std::optional<Bounded> index = element(leaf, reference, context);
    model::Target result;
    result.variable = *leaf.variable;
    if (index) result.index = std::move(index->code);
    return result;
}

Bounded Expressions::translate(const Expr& expr, const Context& context) const {
    switch (expr.kind) {
        case Expr::Kind::number: return number(expr.number);
        case Expr::Kind::reference: return read(*expr.reference, context);
        case Expr::Kind::unary: return unary(expr, context);
        case Expr::Kind::binary: return binary(expr, context);
        case Expr::Kind::conditional: {
            const Bounded yes = translate(*expr.operands[1], context);
            const Bounded no = translate(*expr.operands[2], context);
            return {model::Expression::choice(condition(*expr.operands[0], context), yes.code, no.code),
                    {std::min(yes.range.low, no.range.low), std::max(yes.range.high, no.range.high)}};
        }
        case Expr::Kind::run:
            if (!context.run) throw Refused{expr.place, "run cannot stand here", "let it be a statement of its own"};
            return number(*context.run);
        case Expr::Kind::length:
        case Expr::Kind::full:
        case Expr::Kind::empty:
        case Expr::Kind::not_full:
        case Expr::Kind::not_empty:
        case Expr::Kind::poll: return of_channel(expr, context);
        case Expr::Kind::remote_label:
        case Expr::Kind::remote_value: return remote(expr, context);
        case Expr::Kind::timeout: return number(context.timeout ? 1 : 0);
        case Expr::Kind::non_progress: return {non_progress(), kTruth};
        case Expr::Kind::process_count: return {model_.read(slots_.process_count), {0, 255}};
        case Expr::Kind::last: return {model_.read(*slots_.last), {0, 255}};
        case Expr::Kind::self:
            if (context.self == nullptr) throw Refused{expr.place, "_pid has no meaning outside of a process", {}};
            return number(context.self->pid);
        case Expr::Kind::enabled:
        case Expr::Kind::pc_value:
        case Expr::Kind::get_priority: return of_process(expr, context);
    }
    throw Refused{expr.place, "this expression is not supported", {}};
}

model::Expression Expressions::condition(const Expr& expr, const Context& context) const {
    Bounded value = translate(expr, context);
    if (value.code.is_constant()) return constant(value.code.constant_value() != 0 ? 1 : 0);
    if (inside(value.range, kTruth)) return std::move(value.code);
    return model::Expression::unary(model::Op::truth, std::move(value.code));
}

Bounded Expressions::unary(const Expr& expr, const Context& context) const {
    switch (expr.unary) {
        case Unary::logical_not: return {negation(condition(*expr.operands[0], context)), kTruth};
        case Unary::negate: {
            Bounded value = translate(*expr.operands[0], context);
            if (value.code.is_constant()) return truncated(number(-value.code.constant_value()), kInt);
            return truncated({model::Expression::unary(model::Op::negate, std::move(value.code)),
                              {-value.range.high, -value.range.low}},
                             kInt);
        }
        case Unary::complement: {
            Bounded value = translate(*expr.operands[0], context);
            return {model::Expression::unary(model::Op::complement, std::move(value.code)),
                    {-value.range.high - 1, -value.range.low - 1}};
        }
        default: throw Refused{expr.place, "a temporal operator stands in ltl blocks only", {}};
    }
}

Bounded Expressions::binary(const Expr& expr, const Context& context) const {
    if (expr.op == Op::logical_and)
        return {conjunction(condition(*expr.operands[0], context), condition(*expr.operands[1], context)), kTruth};
    if (expr.op == Op::logical_or)
        return {disjunction(condition(*expr.operands[0], context), condition(*expr.operands[1], context)), kTruth};
    if (expr.op > Op::logical_or) throw Refused{expr.place, "a temporal operator stands in ltl blocks only", {}};
    Bounded left = translate(*expr.operands[0], context);
    Bounded right = translate(*expr.operands[1], context);
    if (expr.op == Op::shift_left || expr.op == Op::shift_right) right = truncated(std::move(right), {0, 31});
    const model::Range range = result_range(expr.op, left.range, right.range);
    const bool constants = left.code.is_constant() && right.code.is_constant();
    Bounded result{apply(operation(expr.op), std::move(left.code), right.code), range};
    if (constants) {
        const model::Evaluation known = model::evaluate(result.code, {}, {});
        if (known.fault == model::FaultKind::none) result = number(known.value);
    }
    return truncated(std::move(result), kInt);
}

Expressions::ChannelChoice Expressions::channels(const Expr& expr, const Context& context) const {
    ChannelChoice result;
    if (expr.kind != Expr::Kind::reference) throw Refused{expr.place, "this is not a channel", {}};
    const Reference& reference = *expr.reference;
    const Leaf& leaf = slots_.leaf(reference, context.self);
    if (!leaf.variable) {
        const Bounded value = read(reference, context);
        if (value.code.is_constant()) return {true, {static_cast<ChannelId>(value.code.constant_value())}};
        for (std::uint32_t i = 0; i < leaf.count; ++i) result.channels.push_back(leaf.first_channel + i);
        return result;
    }
    const VariableKey key{reference.global ? std::nullopt : std::optional<std::uint32_t>(context.self->type),
                          reference.declaration};
    const std::set<VariableKey>& origins = flow_.origins(key);
    for (ChannelId id = 1; id <= slots_.channels.size(); ++id)
        if (origins.count(slots_.channels[id - 1].origin) != 0) result.channels.push_back(id);
    return result;
}

bool Expressions::always_matches(const std::vector<Pattern>& patterns) const {
    return std::all_of(patterns.begin(), patterns.end(), [](const Pattern& p) { return p.value == nullptr; });
}

std::optional<model::Expression> Expressions::matches(const Channel& channel, std::uint32_t position,
                                                      const std::vector<Pattern>& patterns,
                                                      const Context& context) const {
    std::optional<model::Expression> all;
    for (std::size_t f = 0; f < patterns.size() && f < channel.contents.size(); ++f) {
        if (patterns[f].value == nullptr) continue;
        const Bounded value = translate(*patterns[f].value, context);
        const model::SlotId slot = model_.variables[channel.contents[f]].first_slot + position;
        model::Expression same = apply(model::Op::equal, model::Expression::slot(slot), value.code);
        all = all ? conjunction(*std::move(all), same) : std::move(same);
    }
    return all;
}

model::Expression Expressions::can_receive(const Channel& channel, const std::vector<Pattern>& patterns, bool anywhere,
                                           const Context& context) const {
    if (!channel.buffered()) return constant(0);
    const model::Expression length = model_.read(channel.length);
    if (always_matches(patterns)) return apply(model::Op::greater, length, constant(0));
    model::Expression result = constant(0);
    for (std::uint32_t i = 0; i < (anywhere ? channel.capacity : 1); ++i)
        result = disjunction(std::move(result), conjunction(apply(model::Op::greater, length, constant(i)),
                                                            *matches(channel, i, patterns, context)));
    return result;
}

model::Expression Expressions::can_send(const Channel& channel) const {
    if (!channel.buffered()) return constant(0);
    return apply(model::Op::less, model_.read(channel.length), constant(channel.capacity));
}

Bounded Expressions::of_channel(const Expr& expr, const Context& context) const {
    const auto with = [&](const Channel& channel) -> Bounded {
        const bool buffered = channel.buffered();
        const model::Expression length = buffered ? model_.read(channel.length) : constant(0);
        switch (expr.kind) {
            case Expr::Kind::length: return {length, {0, channel.capacity}};
            // A rendezvous channel is always empty, and full.
            case Expr::Kind::empty:
                return buffered ? Bounded{apply(model::Op::equal, length, constant(0)), kTruth} : number(1);
            case Expr::Kind::not_empty:
                return buffered ? Bounded{apply(model::Op::greater, length, constant(0)), kTruth} : number(0);
            case Expr::Kind::full:
                return buffered ? Bounded{apply(model::Op::equal, length, constant(channel.capacity)), kTruth}
                                : number(0);
            case Expr::Kind::not_full:
                return buffered ? Bounded{apply(model::Op::less, length, constant(channel.capacity)), kTruth}
                                : number(1);
            default: return {can_receive(channel, expr.patterns, expr.anywhere, context), kTruth};
        }
    };
    const ChannelChoice choice = channels(*expr.operands[0], context);
    if (choice.is_known) return with(channel(choice.channels.front()));
    const Bounded which = translate(*expr.operands[0], context);
    Bounded result = number(0);
    for (auto id = choice.channels.rbegin(); id != choice.channels.rend(); ++id) {
        const Bounded of_this = with(channel(*id));
        result = {
            model::Expression::choice(apply(model::Op::equal, which.code, constant(*id)), of_this.code, result.code),
            {std::min(of_this.range.low, result.range.low), std::max(of_this.range.high, result.range.high)}};
    }
    return result;
}

Bounded Expressions::remote(const Expr& expr, const Context& context) const {
    const auto with = [&](const Instance& instance) -> Bounded {
        if (expr.kind == Expr::Kind::remote_value) {
            const Leaf& leaf = instance.locals[expr.reference->declaration].at({});
            return load(leaf, element(leaf, *expr.reference, context));
        }
        const Control& control = slots_.controls[instance.type];
        const auto found = control.labels.find(expr.label);
        if (found == control.labels.end()) return number(0);
        return {apply(model::Op::equal, model_.read(instance.location), constant(Slots::location(found->second))),
                kTruth};
    };
    Bounded result = number(0);
    std::optional<Bounded> which;
    if (!expr.operands.empty()) which = translate(*expr.operands[0], context);
    for (const Instance& instance : slots_.instances) {
        if (instance.type != expr.process) continue;
        if (which && which->code.is_constant() && which->code.constant_value() != instance.pid) continue;
        const Bounded of_this = with(instance);
        if (which && which->code.is_constant()) return of_this;
        const model::Expression condition =
            which ? apply(model::Op::equal, which->code, constant(instance.pid))
                  : apply(model::Op::not_equal, model_.read(instance.location), constant(0));
        result = {model::Expression::choice(condition, of_this.code, result.code),
                  {std::min(of_this.range.low, result.range.low), std::max(of_this.range.high, result.range.high)}};
    }
    return result;
}

// enabled(pid), pc_value(pid), get_priority(pid): 0 where there is no such process.
Bounded Expressions::of_process(const Expr& expr, const Context& context) const {
    const bool is_enabled = expr.kind == Expr::Kind::enabled;
    const Bounded which = translate(*expr.operands[0], context);
    Bounded result = number(0);
    for (const Instance& instance : slots_.instances) {
        if (slots_.claim && &slots_.instances[*slots_.claim] == &instance) continue;
        if (which.code.is_constant() && which.code.constant_value() != instance.pid) continue;
        const model::Expression at = model_.read(instance.location);
        const model::Expression there = conjunction(
            which.code.is_constant() ? constant(1) : apply(model::Op::equal, which.code, constant(instance.pid)),
            apply(model::Op::not_equal, at, constant(0)));
        Bounded value = number(0);
        if (is_enabled) {
            value = {has_step(instance), kTruth};
        } else if (expr.kind == Expr::Kind::get_priority) {
            value = {model_.read(*instance.priority), {0, 255}};
        } else {
            const std::vector<Location>& locations = slots_.controls[instance.type].locations;
            for (std::uint32_t i = 0; i < locations.size(); ++i) {
                if (locations[i].d_step != nullptr) continue;
                const auto of_location = static_cast<model::Value>(locations[i].number);
                value = {model::Expression::choice(apply(model::Op::equal, at, constant(Slots::location(i))),
                                                   constant(of_location), value.code),
                         {0, std::max(value.range.high, of_location)}};
            }
        }
        result = {model::Expression::choice(there, value.code, result.code),
                  {0, std::max(value.range.high, result.range.high)}};
    }
    return result;
}

model::Expression Expressions::non_progress() const {
    model::Expression progress = constant(0);
    for (const Instance& instance : slots_.instances) {
        const std::vector<Location>& locations = slots_.controls[instance.type].locations;
        for (std::uint32_t i = 0; i < locations.size(); ++i)
            if (locations[i].is_progress)
                progress = disjunction(std::move(progress), apply(model::Op::equal, model_.read(instance.location),
                                                                  constant(Slots::location(i))));
    }
    return negation(std::move(progress));
}

}  // namespace tideline::input::promela
