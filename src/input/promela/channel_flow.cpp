#include "input/promela/channel_flow.hpp"

namespace tideline::input::promela {
namespace {

bool has_channel(const Program& program, const Declaration& declaration) {
    if (declaration.channel) return true;
    if (declaration.type.base != Base::structure) return false;
    for (const Declaration& field : program.structures[declaration.type.structure].fields)
        if (has_channel(program, field)) return true;
    return false;
}

}  // namespace

ChannelFlow::ChannelFlow(const Program& program) : program_(program) {
    const auto begin = [&](const Declaration& declaration, VariableKey key) {
        if (!has_channel(program_, declaration)) return;
        variables_[key].insert(key);
        all_.insert(key);
    };
    for (std::uint32_t i = 0; i < program.globals.size(); ++i) begin(program.globals[i], {std::nullopt, i});
    for (std::uint32_t p = 0; p < program.processes.size(); ++p)
        for (std::uint32_t i = 0; i < program.processes[p].locals.size(); ++i)
            begin(program.processes[p].locals[i], {p, i});
    do {
        changed_ = false;
        for (std::uint32_t i = 0; i < program.globals.size(); ++i)
            for (const ExprPtr& initial : program.globals[i].initial)
                if (program.globals[i].type.base == Base::chan) flow(value(*initial, 0), variables_[{std::nullopt, i}]);
        for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
            const Process& process = program.processes[p];
            if (process.kind == Process::Kind::trace || process.kind == Process::Kind::notrace) continue;
            for (std::uint32_t i = 0; i < process.locals.size(); ++i)
                for (const ExprPtr& initial : process.locals[i].initial) {
                    expression(*initial, p);
                    if (process.locals[i].type.base == Base::chan) flow(value(*initial, p), variables_[{p, i}]);
                }
            statements(process.body, p);
        }
    } while (changed_);
}

const std::set<VariableKey>& ChannelFlow::origins(VariableKey variable) const {
    static const Origins kNone;
    const auto found = variables_.find(variable);
    return found == variables_.end() ? kNone : found->second;
}

VariableKey ChannelFlow::key(const Reference& reference, std::uint32_t process) {
    return {reference.global ? std::nullopt : std::optional<std::uint32_t>(process), reference.declaration};
}

void ChannelFlow::flow(const Origins& from, Origins& into) {
    const std::size_t before = into.size();
    into.insert(from.begin(), from.end());
    changed_ |= into.size() != before;
}

ChannelFlow::Origins ChannelFlow::value(const Expr& expr, std::uint32_t process) const {
    switch (expr.kind) {
        case Expr::Kind::number: return {};
        case Expr::Kind::reference:
            return expr.reference->type.base == Base::chan ? origins(key(*expr.reference, process)) : all_;
        case Expr::Kind::remote_value: return origins({expr.process, expr.reference->declaration});
        case Expr::Kind::conditional: {
            Origins result = value(*expr.operands[1], process);
            const Origins other = value(*expr.operands[2], process);
            result.insert(other.begin(), other.end());
            return result;
        }
        default: return all_;
    }
}

// Arguments of run.
void ChannelFlow::expression(const Expr& expr, std::uint32_t process) {
    for (const ExprPtr& operand : expr.operands) expression(*operand, process);
    if (expr.kind != Expr::Kind::run) return;
    const Process& created = program_.processes[expr.process];
    for (std::uint32_t i = 0; i < expr.operands.size(); ++i)
        if (created.locals[i].type.base == Base::chan)
            flow(value(*expr.operands[i], process), variables_[{expr.process, i}]);
}

void ChannelFlow::statements(const Sequence& sequence, std::uint32_t process) {
    for (const StatementPtr& statement : sequence) {
        if (statement->value) expression(*statement->value, process);
        if (statement->kind == Statement::Kind::assign && !statement->target->scratch &&
            statement->target->type.base == Base::chan)
            flow(value(*statement->value, process), variables_[key(*statement->target, process)]);
        if (statement->kind == Statement::Kind::send || statement->kind == Statement::Kind::receive) {
            const Origins channels = value(*statement->channel, process);
            for (const VariableKey channel : channels) {
                for (std::size_t i = 0; i < statement->values.size(); ++i)
                    flow(value(*statement->values[i], process), fields_[{channel, i}]);
                for (std::size_t i = 0; i < statement->patterns.size(); ++i) {
                    const Pattern& pattern = statement->patterns[i];
                    if (pattern.target && !pattern.target->scratch && pattern.target->type.base == Base::chan)
                        flow(fields_[{channel, i}], variables_[key(*pattern.target, process)]);
                }
            }
        }
        for (const Sequence& option : statement->options) statements(option, process);
    }
}

}  // namespace tideline::input::promela
