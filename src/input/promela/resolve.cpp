// What is known only when everything has been read: proctypes that run names, labels, remote references.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
void Parser::resolve_later() {
    inlines_.clear();
    for (const Later& later : later_) {
        Expr& expr = *later.expr;
        const auto found_process = std::find_if(program_.processes.begin(), program_.processes.end(),
                                                [&](const Process& p) { return p.name == expr.name; });
        if (found_process == program_.processes.end()) {
            std::vector<std::string> names;
            for (const Process& p : program_.processes)
                if (p.kind == Process::Kind::proctype) names.push_back(p.name);
            fail(later.token, "unknown proctype " + support::in_quotes(expr.name),
                 support::suggestion(expr.name, names));
        }
        expr.process = static_cast<std::uint32_t>(found_process - program_.processes.begin());
        if (expr.kind == Expr::Kind::run) {
            if (found_process->kind != Process::Kind::proctype)
                fail(later.token, support::in_quotes(expr.name) + " is not a proctype");
            if (expr.operands.size() != found_process->parameters)
                fail(later.token, expr.name + " has " + std::to_string(found_process->parameters) +
                                      " parameters, not " + std::to_string(expr.operands.size()));
        } else if (expr.kind == Expr::Kind::remote_value) {
            const auto found_local = std::find_if(found_process->locals.begin(), found_process->locals.end(),
                                                  [&](const Declaration& d) { return d.name == expr.label; });
            if (found_local == found_process->locals.end()) {
                std::vector<std::string> names;
                for (const Declaration& d : found_process->locals) names.push_back(d.name);
                fail(later.token, expr.name + " has no variable " + support::in_quotes(expr.label),
                     support::suggestion(expr.label, names));
            }
            expr.reference->declaration = static_cast<std::uint32_t>(found_local - found_process->locals.begin());
            expr.reference->type = found_local->type;
            if (found_local->type.base == Base::structure)
                fail(later.token, "a structure of another process is not supported");
            if (found_local->length && !expr.reference->index[0]) expr.reference->index[0] = number(0, expr.place);
            if (!found_local->length && expr.reference->index[0])
                fail(later.token, support::in_quotes(expr.label) + " is not an array");
        } else {
            std::set<std::string> labels;
            collect_labels(found_process->body, labels);
            if (labels.count(expr.label) == 0)
                fail(later.token, expr.name + " has no label " + support::in_quotes(expr.label),
                     support::suggestion(expr.label, {labels.begin(), labels.end()}));
            process_ = &*found_process;
            give_place(found_process->body, expr.label);
            process_ = nullptr;
        }
    }
}

// A goto is no location; where another process refers to its label, SPIN puts a skip before it.
void Parser::give_place(Sequence& sequence, const std::string& label) {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        Statement& statement = *sequence[i];
        for (Sequence& option : statement.options) give_place(option, label);
        if (!is_jump(statement) ||
            std::find(statement.labels.begin(), statement.labels.end(), label) == statement.labels.end())
            continue;
        StatementPtr skip = make(Statement::Kind::expression, statement.place);
        skip->value = number(1, statement.place);
        skip->labels.swap(statement.labels);
        skip->label_places.swap(statement.label_places);
        sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(i), std::move(skip));
        ++i;
    }
}

void Parser::collect_labels(const Sequence& sequence, std::set<std::string>& out) {
    for (const StatementPtr& statement : sequence) {
        out.insert(statement->labels.begin(), statement->labels.end());
        for (const Sequence& option : statement->options) collect_labels(option, out);
    }
}

void Parser::check_labels() {
    for (const Process& process : program_.processes) {
        std::set<std::string> labels;
        collect_labels(process.body, labels);
        std::set<std::string> seen;
        check_jumps(process.body, labels, seen, 0, process);
    }
}

void Parser::check_jumps(const Sequence& sequence, const std::set<std::string>& labels, std::set<std::string>& seen,
                         int loops, const Process& process) {
    for (const StatementPtr& statement : sequence) {
        for (std::size_t i = 0; i < statement->labels.size(); ++i)
            if (!seen.insert(statement->labels[i]).second)
                fail(statement->label_places[i], "duplicate label " + support::in_quotes(statement->labels[i]));
        if (statement->kind == Statement::Kind::jump && labels.count(statement->text) == 0)
            fail(statement->place, process.name + " has no label " + support::in_quotes(statement->text),
                 support::suggestion(statement->text, {labels.begin(), labels.end()}));
        if (statement->kind == Statement::Kind::leave && loops == 0) fail(statement->place, "break outside of a loop");
        const int inner = loops + (statement->kind == Statement::Kind::repetition ? 1 : 0);
        for (const Sequence& option : statement->options) check_jumps(option, labels, seen, inner, process);
    }
}

}  // namespace tideline::input::promela
