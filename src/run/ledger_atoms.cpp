#include "run/ledger_atoms.hpp"

#include <algorithm>

namespace tideline::run {
namespace {

bool may_be_faulty(const model::Expression& expression) {
    using model::Op;
    return std::ranges::any_of(expression.code(), [](const model::Instruction& instruction) {
        switch (instruction.op) {
            case Op::load_element:
            case Op::load_table:
            case Op::negate:
            case Op::multiply:
            case Op::divide:
            case Op::modulo:
            case Op::add:
            case Op::subtract:
            case Op::shift_left:
            case Op::shift_right: return true;
            default: return false;
        }
    });
}

}  // namespace

LedgerAtoms::LedgerAtoms(const BranchingProperties& properties, const model::Model& model) {
    for (std::size_t atom = 0; atom < properties.meanings.size(); ++atom) {
        const AtomMeaning& meaning = properties.meanings[atom];
        if (meaning.kind == AtomMeaning::Kind::expression) continue;
        step_atoms.push_back({atom, std::nullopt});
        if (meaning.kind != AtomMeaning::Kind::enabled) continue;
        step_atoms.back().process = meaning.process;
        if (!processes) processes = std::make_shared<const successor::ProcessTable>(successor::process_table(model));
    }
    labels.atoms = properties.program->atoms;
    labels.labels = properties.atoms;
    for (std::size_t atom = 0; atom < properties.atoms.size(); ++atom) {
        const model::Expression& expression = properties.atoms[atom];
        if (!may_be_faulty(expression)) continue;
        guards.push_back({labels.labels.size(), atom});
        labels.labels.push_back(model::Expression::binary(model::Op::equal, expression, expression));
        labels.atoms.push_back("(" + labels.atoms[atom] + ") == (" + labels.atoms[atom] + ")");
    }
}

}  // namespace tideline::run
