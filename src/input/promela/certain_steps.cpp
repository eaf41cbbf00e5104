#include "input/promela/certain_steps.hpp"

#include <algorithm>
#include <set>

#include "input/promela/parser.hpp"

namespace tideline::input::promela {
namespace {

bool has_run(const Expr& expr) {
    return expr.kind == Expr::Kind::run || std::any_of(expr.operands.begin(), expr.operands.end(),
                                                       [](const ExprPtr& operand) { return has_run(*operand); });
}

bool is_d_step(const Edge& edge) {
    return edge.statement != nullptr && edge.statement->kind == Statement::Kind::block &&
           edge.statement->atomicity == Statement::Atomicity::d_step;
}

}  // namespace

bool is_certain(const Statement& statement) {
    switch (statement.kind) {
        case Statement::Kind::expression: return constant_value(*statement.value).value_or(0) != 0;
        case Statement::Kind::assign:
        case Statement::Kind::assertion: return !has_run(*statement.value);
        case Statement::Kind::print:
        case Statement::Kind::jump:
        case Statement::Kind::leave: return true;
        default: return false;
    }
}

CertainSteps CertainWalk::inside(std::uint32_t to, const Statement& d_step) const {
    CertainSteps result{{}, to, false};
    std::set<std::uint32_t> seen;
    while (control_.locations[result.to].d_step == &d_step && control_.locations[result.to].edges.size() == 1 &&
           seen.insert(result.to).second) {
        const Edge& next = control_.edges[control_.locations[result.to].edges.front()];
        if (next.statement == nullptr || !is_certain(*next.statement)) break;
        result.edges.push_back(&next);
        result.to = next.to;
    }
    return result;
}

CertainSteps CertainWalk::behind(std::uint32_t to, bool continues) const {
    CertainSteps result{{}, to, continues};
    if (process_.provided || program_.uses_priorities) return result;
    std::set<std::uint32_t> seen;
    while (result.continues && control_.locations[result.to].d_step == nullptr &&
           control_.locations[result.to].edges.size() == 1 && seen.insert(result.to).second) {
        const Edge& next = control_.edges[control_.locations[result.to].edges.front()];
        if (next.statement == nullptr || !next.prevented_by.empty() || !is_certain(*next.statement)) break;
        result.edges.push_back(&next);
        result.to = next.to;
        result.continues = next.continues;
    }
    return result;
}

bool CertainWalk::must_continue(const Edge& d_step) const {
    if (behind(d_step.to, d_step.continues).continues) return true;
    const std::vector<std::uint32_t>& first = control_.locations[d_step.inside].edges;
    return std::any_of(first.begin(), first.end(), [&](std::uint32_t e) {
        const CertainSteps steps = inside(control_.edges[e].to, *d_step.statement);
        return control_.locations[steps.to].d_step == d_step.statement;
    });
}

bool CertainWalk::must_continue() const {
    return std::any_of(control_.locations.begin(), control_.locations.end(), [&](const Location& location) {
        if (location.d_step != nullptr) return false;
        return std::any_of(location.edges.begin(), location.edges.end(), [&](std::uint32_t e) {
            const Edge& edge = control_.edges[e];
            return is_d_step(edge) ? must_continue(edge) : behind(edge.to, edge.continues).continues;
        });
    });
}

}  // namespace tideline::input::promela
