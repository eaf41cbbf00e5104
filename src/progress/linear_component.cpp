#include "progress/linear_component.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/print.hpp"

namespace tideline {
namespace {

// "+ 3*x" after other terms, "3*x" as the first.
// What can be written as P.NAME and read again.
bool is_identifier(const std::string& name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void append_term(std::string& text, Value factor, const std::string& what) {
    if (text.empty())
        text = factor < 0 ? "0 - " : "";
    else
        text += factor < 0 ? " - " : " + ";
    // The magnitude is taken without the sign, which the least number has no opposite for.
    const std::uint64_t size = factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
    text += size == 1 ? what : fmt::format("{}*{}", size, what);
}

}  // namespace

Component to_component(const Model& model, const LinearComponent& linear, TableId first_table) {
    Component result;
    const auto add = [&](Expression term) {
        result.expression = result.expression.empty() ? std::move(term) : Expression::binary(Op::add, std::move(result.expression), term);
    };
    const std::vector<Model::SlotOwner> owners = model.slot_owners();
    for (const auto& [slot, factor] : linear.factors) {
        append_term(result.text, factor, to_text(model, Expression::slot(slot)));
        Expression term = Expression::slot(slot);
        if (factor != 1) term = Expression::binary(Op::multiply, std::move(term), Expression::constant(factor));
        add(std::move(term));
    }
    for (const auto& [slot, weights] : linear.weights) {
        const Variable& variable = model.variables[owners[slot].variable];
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] == 0) continue;
            const Value value = variable.range.low + static_cast<Value>(i);
            const bool is_named = variable.kind == Variable::Kind::location && is_identifier(variable.value_names[static_cast<std::size_t>(value)]);
            const std::string is_it = is_named ? to_text(model, Expression::binary(Op::equal, Expression::slot(slot), Expression::constant(value)))
                                               : fmt::format("({} == {})", to_text(model, Expression::slot(slot)), value);
            append_term(result.text, weights[i], is_it);
        }
        const TableId table = first_table + static_cast<TableId>(result.tables.size());
        result.tables.push_back({"weights of " + model.slot_name(owners[slot]), weights, true, variable.owner});
        Expression index = Expression::slot(slot);
        if (variable.range.low != 0) index = Expression::binary(Op::subtract, std::move(index), Expression::constant(variable.range.low));
        add(Expression::table(table, std::move(index)));
    }
    return result;
}

}  // namespace tideline
