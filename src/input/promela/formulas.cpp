#include "input/promela/formulas.hpp"

namespace tideline::input::promela {
namespace {

bool is_temporal(const Expr& expr) {
    if (expr.kind == Expr::Kind::unary && expr.unary >= Unary::always) return true;
    if (expr.kind == Expr::Kind::binary && expr.op >= Op::implies) return true;
    if (expr.kind != Expr::Kind::unary && expr.kind != Expr::Kind::binary) return false;
    for (const ExprPtr& operand : expr.operands)
        if (is_temporal(*operand)) return true;
    return false;
}

class Writer {
public:
    Writer(const Formula& formula, const Expressions& expressions, model::Model& model, const Program& program)
        : formula_(formula), expressions_(expressions), model_(model), program_(program) {}

    std::string write(const Expr& expr) {
        if (!is_temporal(expr)) return atom(expr);
        const auto operand = [&](std::size_t i) { return "(" + write(*expr.operands[i]) + ")"; };
        if (expr.kind == Expr::Kind::unary) {
            switch (expr.unary) {
                case Unary::always: return "G " + operand(0);
                case Unary::eventually: return "F " + operand(0);
                case Unary::next: return "X " + operand(0);
                case Unary::logical_not: return "!" + operand(0);
                default: throw Refused{expr.place, "this operator stands before a value, not before a formula", {}};
            }
        }
        static constexpr std::pair<Op, const char*> kSigns[] = {
            {Op::logical_and, " && "}, {Op::logical_or, " || "}, {Op::implies, " -> "}, {Op::equivalent, " <-> "},
            {Op::until, " U "},        {Op::weak_until, " W "},  {Op::release, " R "}};
        for (const auto& [op, sign] : kSigns)
            if (expr.op == op) return operand(0) + sign + operand(1);
        throw Refused{expr.place, "this operator stands between values, not between formulas", {}};
    }

private:
    std::string atom(const Expr& expr) {
        const model::Expression condition = expressions_.condition(expr, {});
        if (condition.is_constant()) return condition.constant_value() != 0 ? "true" : "false";
        const support::SourceText& file = program_.files[expr.place.file];
        for (std::size_t i = first_; i < model_.labels.size(); ++i)
            if (model_.labels[i].expression == condition) return model_.labels[i].name;
        if (first_ == 0) first_ = model_.labels.size();
        std::string name = formula_.name + "_" + std::to_string(++count_);
        model_.labels.push_back({name, condition, expr.place.file == 0 ? expr.place.span : support::SourceSpan{}});
        (void)file;
        return name;
    }

    const Formula& formula_;
    const Expressions& expressions_;
    model::Model& model_;
    const Program& program_;
    std::size_t first_ = 0;
    int count_ = 0;
};

}  // namespace

std::vector<FileProperty> translate_formulas(const Program& program, const Expressions& expressions,
                                             model::Model& model) {
    std::vector<FileProperty> result;
    for (const Formula& formula : program.formulas) {
        FileProperty property;
        property.name = formula.name;
        property.logic = "ltl";
        property.text = Writer(formula, expressions, model, program).write(*formula.formula);
        property.span = program.in_main(formula.place);
        result.push_back(std::move(property));
    }
    return result;
}

}  // namespace tideline::input::promela
