#include "input/dve/expressions.hpp"

#include "model/evaluate.hpp"

namespace tideline::dve {
namespace {

Op model_op(BinaryOp op) {
    switch (op) {
        case BinaryOp::bit_and: return Op::bit_and;
        case BinaryOp::bit_or: return Op::bit_or;
        case BinaryOp::bit_xor: return Op::bit_xor;
        case BinaryOp::equal: return Op::equal;
        case BinaryOp::not_equal: return Op::not_equal;
        case BinaryOp::less: return Op::less;
        case BinaryOp::less_equal: return Op::less_equal;
        case BinaryOp::greater: return Op::greater;
        case BinaryOp::greater_equal: return Op::greater_equal;
        case BinaryOp::shift_left: return Op::shift_left;
        case BinaryOp::shift_right: return Op::shift_right;
        case BinaryOp::add: return Op::add;
        case BinaryOp::subtract: return Op::subtract;
        case BinaryOp::multiply: return Op::multiply;
        case BinaryOp::divide: return Op::divide;
        default: return Op::modulo;
    }
}

// How strongly C would bind an operator, among those that DVE puts on one level.
int usual_strength(BinaryOp op) {
    switch (op) {
        case BinaryOp::logical_or: return 0;
        case BinaryOp::logical_and: return 1;
        case BinaryOp::bit_or: return 0;
        case BinaryOp::bit_xor: return 1;
        case BinaryOp::bit_and: return 2;
        default: return 0;
    }
}

const char* explanation(FaultKind kind) {
    switch (kind) {
        case FaultKind::index: return "an index is outside its array";
        case FaultKind::division: return "division by zero";
        case FaultKind::shift: return "a shift by less than 0 or more than 63";
        default: return "the result does not fit 64 bits";
    }
}

bool reads_state(const Expression& expression) {
    for (const Instruction& instruction : expression.code())
        if (instruction.op == Op::load || instruction.op == Op::load_element) return true;
    return false;
}

}  // namespace

void ExpressionTranslator::error(SourceSpan span, std::string message, std::string hint) {
    ++error_count_;
    diagnostics_.push_back(diagnostic_at(source_, span, std::move(message), std::move(hint)));
}

void ExpressionTranslator::warning(SourceSpan span, std::string message, std::string hint) {
    diagnostics_.push_back(diagnostic_at(source_, span, std::move(message), std::move(hint), Severity::warning));
}

const ProcessNames* ExpressionTranslator::process(const Name& name) {
    const Symbol* symbol = globals_.find(name.text);
    if (symbol == nullptr && name.text == left_out_) {
        error(name.span, in_quotes(name.text) + " is the property process, which has no part in what is asked here",
              "a system that reads its property process is explored and checked with it: 'tideline explore', and 'tideline check' without another property");
        return nullptr;
    }
    if (symbol == nullptr) {
        error(name.span, "unknown process " + in_quotes(name.text), suggestion(name.text, globals_.names()));
        return nullptr;
    }
    if (symbol->kind != Symbol::Kind::process) {
        error(name.span, in_quotes(name.text) + " is " + describe(symbol->kind) + ", expected a process");
        return nullptr;
    }
    if (symbol->id >= processes_.size()) {
        error(name.span, "process " + in_quotes(name.text) + " is not known yet at this place");
        return nullptr;
    }
    return &processes_[symbol->id];
}

const Symbol* ExpressionTranslator::resolve(const Expr& expr, const Scope& scope) {
    const Scope* where = &scope;
    const bool foreign = !expr.process.text.empty();
    if (foreign) {
        const ProcessNames* owner = process(expr.process);
        if (owner == nullptr) return nullptr;
        where = &owner->scope;
    }
    const Symbol* symbol = foreign ? where->find_here(expr.name.text) : where->find(expr.name.text);
    if (symbol == nullptr) {
        const std::string place = foreign ? " in process " + expr.process.text : "";
        error(expr.name.span, "unknown name " + in_quotes(expr.name.text) + place,
              foreign && globals_.find(expr.name.text) != nullptr
                  ? in_quotes(expr.name.text) + " is global: write it without the process"
                  : suggestion(expr.name.text, where->names(!foreign)));
    } else if (symbol->kind == Symbol::Kind::channel || symbol->kind == Symbol::Kind::process) {
        error(expr.name.span, in_quotes(expr.name.text) + " is " + describe(symbol->kind) + ", expected a variable",
              symbol->kind == Symbol::Kind::process ? "write " + expr.name.text + ".s to ask whether it is in location s" : "");
        return nullptr;
    }
    return symbol;
}

bool ExpressionTranslator::index_fits(const Expr& expr, const Symbol& symbol, std::optional<Expression>& index) {
    const bool indexed = expr.kind == Expr::Kind::element;
    const bool array = symbol.kind == Symbol::Kind::constant_array ||
                       (symbol.kind == Symbol::Kind::variable && model_.variables[symbol.id].length.has_value());
    if (array && !indexed && warned_arrays_.insert(symbol.declared.begin).second)
        warning(expr.span, in_quotes(expr.name.text) + " is an array and has no index: this is its first element", "write " + expr.name.text + "[0]");
    if (!array && indexed) error(expr.span, in_quotes(expr.name.text) + " is not an array and cannot be indexed");
    if (array && !indexed) index = Expression::constant(0);
    return array || !indexed;
}

Expression ExpressionTranslator::variable(const Expr& expr, const Scope& scope) {
    const Symbol* symbol = resolve(expr, scope);
    std::optional<Expression> index;
    if (expr.kind == Expr::Kind::element) index = translate(*expr.operands[0], scope);
    if (symbol == nullptr || !index_fits(expr, *symbol, index)) return Expression::constant(0);
    if (symbol->kind == Symbol::Kind::constant) return Expression::constant(symbol->value);
    if (symbol->kind == Symbol::Kind::variable)
        return index ? model_.read(symbol->id, std::move(*index)) : model_.read(symbol->id);
    const std::vector<Value>& values = model_.tables[symbol->id].values;
    if (index->is_constant() && static_cast<std::uint64_t>(index->constant_value()) < values.size())
        return Expression::constant(values[static_cast<std::size_t>(index->constant_value())]);
    return Expression::table(symbol->id, std::move(*index));
}

Expression ExpressionTranslator::location(const Expr& expr) {
    const ProcessNames* owner = process(expr.process);
    if (owner == nullptr) return Expression::constant(0);
    const auto found = owner->locations.find(expr.name.text);
    if (found == owner->locations.end()) {
        const bool is_variable = owner->scope.find_here(expr.name.text) != nullptr;
        error(expr.name.span, "process " + expr.process.text + " has no location " + in_quotes(expr.name.text),
              is_variable ? "a variable of a process is written " + expr.process.text + "->" + expr.name.text
                          : suggestion(expr.name.text, owner->location_names));
        return Expression::constant(0);
    }
    return model_.at(static_cast<ProcessId>(owner - processes_.data()), found->second);
}

void ExpressionTranslator::warn_of_precedence(const Expr& chain) {
    for (std::size_t i = 1; i < chain.operators.size(); ++i) {
        if (usual_strength(chain.operators[i - 1]) >= usual_strength(chain.operators[i])) continue;
        warning(chain.span, "operators of one level are read from left to right: 'a or b and c' means '(a or b) and c'",
                "put parentheses where this is not meant");
        return;
    }
}

Expression ExpressionTranslator::chain(const Expr& expr, const Scope& scope) {
    warn_of_precedence(expr);
    Expression result = translate(*expr.operands[0], scope);
    for (std::size_t i = 0; i < expr.operators.size(); ++i) {
        const Expression right = translate(*expr.operands[i + 1], scope);
        switch (expr.operators[i]) {
            case BinaryOp::logical_and: result = Expression::both(std::move(result), right); break;
            case BinaryOp::logical_or: result = Expression::either(std::move(result), right); break;
            case BinaryOp::imply: result = Expression::implication(std::move(result), right); break;
            default: result = Expression::binary(model_op(expr.operators[i]), std::move(result), right); break;
        }
    }
    return result;
}

Expression ExpressionTranslator::translate(const Expr& expr, const Scope& scope) {
    switch (expr.kind) {
        case Expr::Kind::number: return Expression::constant(expr.number);
        case Expr::Kind::variable:
        case Expr::Kind::element: return variable(expr, scope);
        case Expr::Kind::location: return location(expr);
        case Expr::Kind::chain: return chain(expr, scope);
        case Expr::Kind::unary: break;
    }
    const Op op = expr.unary == UnaryOp::negate       ? Op::negate
                  : expr.unary == UnaryOp::complement ? Op::complement
                                                      : Op::logical_not;
    return Expression::unary(op, translate(*expr.operands[0], scope));
}

std::optional<Value> ExpressionTranslator::constant(const Expr& expr, const Scope& scope, const std::string& purpose) {
    const std::size_t before = error_count_;
    const Expression expression = translate(expr, scope);
    if (error_count_ > before) return std::nullopt;
    if (reads_state(expression)) {
        error(expr.span, purpose + " must be constant", "only numbers and names declared with const may be used here");
        return std::nullopt;
    }
    const Evaluation result = evaluate(expression, model_.tables, std::span<const Value>{});
    if (result.fault != FaultKind::none) {
        error(expr.span, purpose + " cannot be computed: " + explanation(result.fault));
        return std::nullopt;
    }
    return result.value;
}

std::optional<Target> ExpressionTranslator::target(const Expr& expr, const Scope& scope) {
    if (expr.kind != Expr::Kind::variable && expr.kind != Expr::Kind::element) {
        error(expr.span, "expected a variable to assign to");
        return std::nullopt;
    }
    const Symbol* symbol = resolve(expr, scope);
    std::optional<Expression> index;
    if (expr.kind == Expr::Kind::element) index = translate(*expr.operands[0], scope);
    if (symbol == nullptr || !index_fits(expr, *symbol, index)) return std::nullopt;
    if (symbol->kind != Symbol::Kind::variable) {
        error(expr.span, in_quotes(expr.name.text) + " is a constant and cannot be assigned to");
        return std::nullopt;
    }
    return Target{symbol->id, std::move(index)};
}

}  // namespace tideline::dve
