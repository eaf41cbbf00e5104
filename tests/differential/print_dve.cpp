#include "tests/differential/print_dve.hpp"

#include <vector>

namespace tideline::differential {

namespace {

using input::dve::BinaryOp;
using input::dve::Expr;

struct WrittenOperator {
    const char* text;
    int level;  // 1: the weakest
};

WrittenOperator written(input::dve::BinaryOp op) {
    switch (op) {
        case input::dve::BinaryOp::imply: return {"imply", 1};
        case input::dve::BinaryOp::logical_and: return {"and", 2};
        case input::dve::BinaryOp::logical_or: return {"or", 2};
        case input::dve::BinaryOp::bit_and: return {"&", 3};
        case input::dve::BinaryOp::bit_or: return {"|", 3};
        case input::dve::BinaryOp::bit_xor: return {"^", 3};
        case input::dve::BinaryOp::equal: return {"==", 4};
        case input::dve::BinaryOp::not_equal: return {"!=", 4};
        case input::dve::BinaryOp::less: return {"<", 5};
        case input::dve::BinaryOp::less_equal: return {"<=", 5};
        case input::dve::BinaryOp::greater: return {">", 5};
        case input::dve::BinaryOp::greater_equal: return {">=", 5};
        case input::dve::BinaryOp::shift_left: return {"<<", 6};
        case input::dve::BinaryOp::shift_right: return {">>", 6};
        case input::dve::BinaryOp::add: return {"+", 7};
        case input::dve::BinaryOp::subtract: return {"-", 7};
        case input::dve::BinaryOp::multiply: return {"*", 8};
        case input::dve::BinaryOp::divide: return {"/", 8};
        case input::dve::BinaryOp::modulo: return {"%", 8};
    }
    return {"+", 7};
}

constexpr int kUnaryLevel = 9;

int level_of(const input::dve::Expr& expression) {
    if (expression.kind == input::dve::Expr::Kind::chain && !expression.operators.empty())
        return written(expression.operators[0]).level;
    return expression.kind == input::dve::Expr::Kind::unary ? kUnaryLevel : kUnaryLevel + 1;
}

std::string operand_text(const input::dve::Expr& expression, int weakest);

std::string bare_text(const input::dve::Expr& expression) {
    const std::string process = expression.process.text;
    switch (expression.kind) {
        case input::dve::Expr::Kind::number: return std::to_string(expression.number);
        case input::dve::Expr::Kind::variable: return (process.empty() ? "" : process + "->") + expression.name.text;
        case input::dve::Expr::Kind::element:
            return (process.empty() ? "" : process + "->") + expression.name.text + "[" +
                   to_dve_text(*expression.operands[0]) + "]";
        case input::dve::Expr::Kind::location: return process + "." + expression.name.text;
        case input::dve::Expr::Kind::unary: {
            const std::string operand = operand_text(*expression.operands[0], kUnaryLevel);
            if (expression.unary == input::dve::UnaryOp::logical_not) return "not " + operand;
            return (expression.unary == input::dve::UnaryOp::negate ? "- " : "~ ") + operand;
        }
        case input::dve::Expr::Kind::chain: break;
    }
    std::string text = operand_text(*expression.operands[0], level_of(expression) + 1);
    for (std::size_t i = 0; i < expression.operators.size(); ++i) {
        const WrittenOperator op = written(expression.operators[i]);
        text += std::string(" ") + op.text + " " + operand_text(*expression.operands[i + 1], op.level + 1);
    }
    return text;
}

std::string operand_text(const input::dve::Expr& expression, int weakest) {
    const std::string text = bare_text(expression);
    return expression.parenthesised || level_of(expression) < weakest ? "(" + text + ")" : text;
}

std::string name_list(const std::vector<input::dve::Name>& names) {
    std::string text;
    for (const input::dve::Name& name : names) text += (text.empty() ? "" : ", ") + name.text;
    return text;
}

std::string expression_list(const std::vector<input::dve::ExprPtr>& expressions) {
    std::string text;
    for (const input::dve::ExprPtr& expression : expressions)
        text += (text.empty() ? "" : ", ") + to_dve_text(*expression);
    return text;
}

std::string type_text(input::dve::Type type) { return type == input::dve::Type::byte ? "byte" : "int"; }

std::string declaration(const input::dve::VariableDeclaration& variable) {
    std::string text = (variable.constant ? "const " : "") + type_text(variable.type) + " " + variable.name.text;
    if (variable.length) text += "[" + to_dve_text(*variable.length) + "]";
    if (!variable.initial.empty()) {
        const std::string values = expression_list(variable.initial);
        text += " = " + (variable.braces ? "{" + values + "}" : values);
    }
    return text + ";\n";
}

std::string declaration(const input::dve::ChannelDeclaration& channel) {
    std::string text = "channel ";
    if (channel.typed) {
        std::string fields;
        for (const input::dve::Type field : channel.fields) fields += (fields.empty() ? "" : ", ") + type_text(field);
        text += "{" + fields + "} ";
    }
    text += channel.name.text;
    if (channel.capacity) text += "[" + to_dve_text(*channel.capacity) + "]";
    return text + ";\n";
}

std::string transition_text(const input::dve::Transition& transition) {
    std::string text = transition.from.text + " -> " + transition.to.text + " { ";
    if (transition.guard) text += "guard " + to_dve_text(*transition.guard) + "; ";
    if (transition.sync) {
        const bool sends = transition.sync->direction == input::dve::Synchronisation::Direction::send;
        const std::string values = expression_list(transition.sync->values);
        text += "sync " + transition.sync->channel.text + (sends ? "!" : "?");
        text += (transition.sync->braces ? "{" + values + "}" : values) + "; ";
    }
    std::string effects;
    for (const input::dve::Assignment& effect : transition.effects) {
        effects += (effects.empty() ? "" : ", ") + to_dve_text(*effect.target) + " = " + to_dve_text(*effect.value);
    }
    if (!effects.empty()) text += "effect " + effects + "; ";
    return text + "}";
}

std::string acceptance_text(const input::dve::Acceptance& acceptance) {
    if (acceptance.sets.empty()) return "";
    if (!acceptance.generalised) return "  accept " + name_list(acceptance.sets[0]) + ";\n";
    std::string sets;
    for (const std::vector<input::dve::Name>& set : acceptance.sets)
        sets += (sets.empty() ? "(" : ", (") + name_list(set) + ")";
    return "  accept genbuchi " + sets + ";\n";
}

std::string process_text(const input::dve::Process& process) {
    std::string text = "process " + process.name.text + " {\n";
    for (const input::dve::VariableDeclaration& variable : process.variables) text += "  " + declaration(variable);
    text += "  state " + name_list(process.locations) + ";\n  init " + process.initial.text + ";\n";
    if (!process.committed.empty()) text += "  commit " + name_list(process.committed) + ";\n";
    text += acceptance_text(process.acceptance);
    for (const input::dve::Assertion& assertion : process.assertions) {
        text += "  assert " + assertion.location.text + ": " + to_dve_text(*assertion.condition) + ";\n";
    }
    for (std::size_t i = 0; i < process.transitions.size(); ++i) {
        text += (i == 0 ? "  trans\n    " : ",\n    ") + transition_text(process.transitions[i]);
    }
    return text + (process.transitions.empty() ? "}\n" : ";\n}\n");
}

}  // namespace

std::string to_dve_text(const input::dve::Expr& expression) { return operand_text(expression, 0); }

std::string to_dve_text(const input::dve::Program& program) {
    std::string text;
    for (const input::dve::VariableDeclaration& variable : program.variables) text += declaration(variable);
    for (const input::dve::ChannelDeclaration& channel : program.channels) text += declaration(channel);
    for (const input::dve::Process& process : program.processes) text += process_text(process);
    text += std::string("system ") + (program.synchronous ? "sync" : "async");
    if (program.property) text += " property " + program.property->text;
    return text + ";\n";
}

}  // namespace tideline::differential
