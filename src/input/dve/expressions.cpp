#include "input/dve/expressions.hpp"

#include "model/evaluate.hpp"

namespace tideline::input::dve {
namespace {

model::Op model_op(BinaryOp op) {
    switch (op) {
        case BinaryOp::bit_and: return model::Op::bit_and;
        case BinaryOp::bit_or: return model::Op::bit_or;
        case BinaryOp::bit_xor: return model::Op::bit_xor;
        case BinaryOp::equal: return model::Op::equal;
        case BinaryOp::not_equal: return model::Op::not_equal;
        case BinaryOp::less: return model::Op::less;
        case BinaryOp::less_equal: return model::Op::less_equal;
        case BinaryOp::greater: return model::Op::greater;
        case BinaryOp::greater_equal: return model::Op::greater_equal;
        case BinaryOp::shift_left: return model::Op::shift_left;
        case BinaryOp::shift_right: return model::Op::shift_right;
        case BinaryOp::add: return model::Op::add;
        case BinaryOp::subtract: return model::Op::subtract;
        case BinaryOp::multiply: return model::Op::multiply;
        case BinaryOp::divide: return model::Op::divide;
        default: return model::Op::modulo;
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

const char* explanation(model::FaultKind kind) {
    switch (kind) {
        case model::FaultKind::index: return "an index is outside its array";
        case model::FaultKind::division: return "division by zero";
        case model::FaultKind::shift: return "a shift by less than 0 or more than 63";
        default: return "the result does not fit 64 bits";
    }
}

bool reads_state(const model::Expression& expression) {
    for (const model::Instruction& instruction : expression.code())
        if (instruction.op == model::Op::load || instruction.op == model::Op::load_element) return true;
    return false;
}

}  // namespace

void ExpressionTranslator::error(support::SourceSpan span, std::string message, std::string hint) {
    ++error_count_;
    diagnostics_.push_back(support::diagnostic_at(source_, span, std::move(message), std::move(hint)));
}

void ExpressionTranslator::warning(support::SourceSpan span, std::string message, std::string hint) {
    diagnostics_.push_back(
        support::diagnostic_at(source_, span, std::move(message), std::move(hint), support::Severity::warning));
}

const ProcessNames* ExpressionTranslator::process(const Name& name) {
    const Symbol* symbol = globals_.find(name.text);
    if (symbol == nullptr && name.text == left_out_) {
        error(
            name.span,
            support::in_quotes(name.text) + " is the property process, which has no part in what is asked here",
            "a system that reads its property process is explored and checked with it: 'tideline explore', and 'tideline check' without another property");
        return nullptr;
    }
    if (symbol == nullptr) {
        error(name.span, "unknown process " + support::in_quotes(name.text),
              support::suggestion(name.text, globals_.names()));
        return nullptr;
    }
    if (symbol->kind != Symbol::Kind::process) {
        error(name.span, support::in_quotes(name.text) + " is " + describe(symbol->kind) + ", expected a process");
        return nullptr;
    }
    if (symbol->id >= processes_.size()) {
        error(name.span, "process " + support::in_quotes(name.text) + " is not known yet at this place");
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
        error(expr.name.span, "unknown name " + support::in_quotes(expr.name.text) + place,
              foreign && globals_.find(expr.name.text) != nullptr
                  ? support::in_quotes(expr.name.text) + " is global: write it without the process"
                  : unknown_name_hint(expr.name.text, *where, foreign));
    } else if (symbol->kind == Symbol::Kind::channel || symbol->kind == Symbol::Kind::process) {
        error(expr.name.span,
              support::in_quotes(expr.name.text) + " is " + describe(symbol->kind) + ", expected a variable",
              symbol->kind == Symbol::Kind::process
                  ? "write " + expr.name.text + ".s to ask whether it is in location s"
                  : "");
        return nullptr;
    }
    return symbol;
}

// A location or a variable of a process, without the process, is more likely than a misspelled name.
std::string ExpressionTranslator::unknown_name_hint(const std::string& name, const Scope& where, bool foreign) const {
    for (std::size_t p = 0; p < processes_.size() && !foreign; ++p) {
        const std::string process = model_.processes.size() > p ? model_.processes[p].name : std::string();
        if (process.empty()) continue;
        if (processes_[p].locations.contains(name))
            return support::in_quotes(name) + " is a location: write " + process + '.' + name +
                   " to ask whether process " + process + " is in it";
        if (processes_[p].scope.find_here(name) != nullptr)
            return "process " + process + " has a variable of this name: write " + process + "->" + name;
    }
    return support::suggestion(name, where.names(!foreign));
}

bool ExpressionTranslator::index_fits(const Expr& expr, const Symbol& symbol, std::optional<model::Expression>& index) {
    const bool indexed = expr.kind == Expr::Kind::element;
    const bool array = symbol.kind == Symbol::Kind::constant_array ||
                       (symbol.kind == Symbol::Kind::variable && model_.variables[symbol.id].length.has_value());
    if (array && !indexed && warned_arrays_.insert(symbol.declared.begin).second)
        warning(expr.span,
                support::in_quotes(expr.name.text) + " is an array and has no index: this is its first element",
                "write " + expr.name.text + "[0]");
    if (!array && indexed)
        error(expr.span, support::in_quotes(expr.name.text) + " is not an array and cannot be indexed");
    if (array && !indexed) index = model::Expression::constant(0);
    return array || !indexed;
}

model::Expression ExpressionTranslator::variable(const Expr& expr, const Scope& scope) {
    const Symbol* symbol = resolve(expr, scope);
    std::optional<model::Expression> index;
    if (expr.kind == Expr::Kind::element) index = translate(*expr.operands[0], scope);
    if (symbol == nullptr || !index_fits(expr, *symbol, index)) return model::Expression::constant(0);
    if (symbol->kind == Symbol::Kind::constant) return model::Expression::constant(symbol->value);
    if (symbol->kind == Symbol::Kind::variable)
        return index ? model_.read(symbol->id, std::move(*index)) : model_.read(symbol->id);
    const std::vector<model::Value>& values = model_.tables[symbol->id].values;
    if (index->is_constant() && static_cast<std::uint64_t>(index->constant_value()) < values.size())
        return model::Expression::constant(values[static_cast<std::size_t>(index->constant_value())]);
    return model::Expression::table(symbol->id, std::move(*index));
}

model::Expression ExpressionTranslator::location(const Expr& expr) {
    const ProcessNames* owner = process(expr.process);
    if (owner == nullptr) return model::Expression::constant(0);
    const auto found = owner->locations.find(expr.name.text);
    if (found == owner->locations.end()) {
        const bool is_variable = owner->scope.find_here(expr.name.text) != nullptr;
        error(expr.name.span, "process " + expr.process.text + " has no location " + support::in_quotes(expr.name.text),
              is_variable ? "a variable of a process is written " + expr.process.text + "->" + expr.name.text
                          : support::suggestion(expr.name.text, owner->location_names));
        return model::Expression::constant(0);
    }
    return model_.at(static_cast<model::ProcessId>(owner - processes_.data()), found->second);
}

void ExpressionTranslator::warn_of_precedence(const Expr& chain) {
    for (std::size_t i = 1; i < chain.operators.size(); ++i) {
        if (usual_strength(chain.operators[i - 1]) >= usual_strength(chain.operators[i])) continue;
        warning(chain.span, "operators of one level are read from left to right: 'a or b and c' means '(a or b) and c'",
                "put parentheses where this is not meant");
        return;
    }
}

model::Expression ExpressionTranslator::chain(const Expr& expr, const Scope& scope) {
    warn_of_precedence(expr);
    model::Expression result = translate(*expr.operands[0], scope);
    for (std::size_t i = 0; i < expr.operators.size(); ++i) {
        const model::Expression right = translate(*expr.operands[i + 1], scope);
        switch (expr.operators[i]) {
            case BinaryOp::logical_and: result = model::Expression::both(std::move(result), right); break;
            case BinaryOp::logical_or: result = model::Expression::either(std::move(result), right); break;
            case BinaryOp::imply: result = model::Expression::implication(std::move(result), right); break;
            default: result = model::Expression::binary(model_op(expr.operators[i]), std::move(result), right); break;
        }
    }
    return result;
}

model::Expression ExpressionTranslator::translate(const Expr& expr, const Scope& scope) {
    switch (expr.kind) {
        case Expr::Kind::number: return model::Expression::constant(expr.number);
        case Expr::Kind::variable:
        case Expr::Kind::element: return variable(expr, scope);
        case Expr::Kind::location: return location(expr);
        case Expr::Kind::chain: return chain(expr, scope);
        case Expr::Kind::unary: break;
    }
    const model::Op op = expr.unary == UnaryOp::negate       ? model::Op::negate
                         : expr.unary == UnaryOp::complement ? model::Op::complement
                                                             : model::Op::logical_not;
    return model::Expression::unary(op, translate(*expr.operands[0], scope));
}

std::optional<model::Value> ExpressionTranslator::constant(const Expr& expr, const Scope& scope,
                                                           const std::string& purpose) {
    const std::size_t before = error_count_;
    const model::Expression expression = translate(expr, scope);
    if (error_count_ > before) return std::nullopt;
    if (reads_state(expression)) {
        error(expr.span, purpose + " must be constant", "only numbers and names declared with const may be used here");
        return std::nullopt;
    }
    const model::Evaluation result = model::evaluate(expression, model_.tables, std::span<const model::Value>{});
    if (result.fault != model::FaultKind::none) {
        error(expr.span, purpose + " cannot be computed: " + explanation(result.fault));
        return std::nullopt;
    }
    return result.value;
}

std::optional<model::Target> ExpressionTranslator::target(const Expr& expr, const Scope& scope) {
    if (expr.kind != Expr::Kind::variable && expr.kind != Expr::Kind::element) {
        error(expr.span, "expected a variable to assign to");
        return std::nullopt;
    }
    const Symbol* symbol = resolve(expr, scope);
    std::optional<model::Expression> index;
    if (expr.kind == Expr::Kind::element) index = translate(*expr.operands[0], scope);
    if (symbol == nullptr || !index_fits(expr, *symbol, index)) return std::nullopt;
    if (symbol->kind != Symbol::Kind::variable) {
        error(expr.span, support::in_quotes(expr.name.text) + " is a constant and cannot be assigned to");
        return std::nullopt;
    }
    return model::Target{symbol->id, std::move(index)};
}

}  // namespace tideline::input::dve
