#include "progress/linear_component.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/print.hpp"

namespace tideline::progress {
namespace {

// "+ 3*x" after other terms, "3*x" as the first. Names that can be written as P.NAME and parsed again.
bool is_identifier(const std::string& name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && is_letter(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void append_term(std::string& text, model::Value factor, const std::string& what) {
    if (text.empty()) text = factor < 0 ? "0 - " : "";
    else text += factor < 0 ? " - " : " + ";
    // The magnitude as an unsigned number: the least number has no negation.
    const std::uint64_t size = factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
    text += size == 1 ? what : fmt::format("{}*{}", size, what);
}

}  // namespace

Component to_component(const model::Model& model, const LinearComponent& linear, model::TableId first_table) {
    Component result;
    const auto add = [&](model::Expression term) {
        result.expression = result.expression.empty()
                                ? std::move(term)
                                : model::Expression::binary(model::Op::add, std::move(result.expression), term);
    };
    const std::vector<model::Model::SlotOwner> owners = model.slot_owners();
    for (const auto& [slot, factor] : linear.factors) {
        append_term(result.text, factor, model::to_text(model, model::Expression::slot(slot)));
        model::Expression term = model::Expression::slot(slot);
        if (factor != 1)
            term = model::Expression::binary(model::Op::multiply, std::move(term), model::Expression::constant(factor));
        add(std::move(term));
    }
    for (const auto& [slot, weights] : linear.weights) {
        const model::Variable& variable = model.variables[owners[slot].variable];
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] == 0) continue;
            const model::Value value = variable.range.low + static_cast<model::Value>(i);
            const bool is_named = variable.kind == model::Variable::Kind::location &&
                                  is_identifier(variable.value_names[static_cast<std::size_t>(value)]);
            const std::string is_it =
                is_named
                    ? model::to_text(model, model::Expression::binary(model::Op::equal, model::Expression::slot(slot),
                                                                      model::Expression::constant(value)))
                    : fmt::format("({} == {})", model::to_text(model, model::Expression::slot(slot)), value);
            append_term(result.text, weights[i], is_it);
        }
        const model::TableId table = first_table + static_cast<model::TableId>(result.tables.size());
        result.tables.push_back({"weights of " + model.slot_name(owners[slot]), weights, true, variable.owner});
        model::Expression index = model::Expression::slot(slot);
        if (variable.range.low != 0)
            index = model::Expression::binary(model::Op::subtract, std::move(index),
                                              model::Expression::constant(variable.range.low));
        add(model::Expression::table(table, std::move(index)));
    }
    return result;
}

}  // namespace tideline::progress
