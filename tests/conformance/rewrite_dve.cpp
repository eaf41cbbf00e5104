#include "tests/conformance/rewrite_dve.hpp"

#include <algorithm>
#include <map>

namespace tideline::conformance {
namespace {

using Names = std::map<std::string, std::string>;

// Renames in two passes: first all names get their new ones (an expression may name a process that comes later), then
// every use is replaced according to its scope.
class Renamer {
public:
    explicit Renamer(input::dve::Program& program) : program_(program) {}

    void run() {
        for (const input::dve::VariableDeclaration& v : program_.variables) declare(globals_, v.name, "v");
        for (const input::dve::ChannelDeclaration& c : program_.channels) declare(globals_, c.name, "c");
        for (const input::dve::Process& p : program_.processes) {
            declare(globals_, p.name, "p");
            Inner& inner = inner_[p.name.text];
            for (const input::dve::VariableDeclaration& v : p.variables) declare(inner.variables, v.name, "v");
            for (const input::dve::Name& location : p.locations) declare(inner.locations, location, "s");
        }
        Names none;
        for (input::dve::VariableDeclaration& v : program_.variables) {
            declaration(v, none);
            use(v.name, globals_);
        }
        for (input::dve::ChannelDeclaration& c : program_.channels) {
            if (c.capacity) expression(*c.capacity, none);
            use(c.name, globals_);
        }
        for (input::dve::Process& p : program_.processes) process(p);
        if (program_.property) use(*program_.property, globals_);
    }

private:
    struct Inner {
        Names variables;
        Names locations;
    };

    void declare(Names& names, const input::dve::Name& name, const char* prefix) {
        names[name.text] = prefix + std::to_string(999'999 - count_++);
    }

    static void use(input::dve::Name& name, const Names& names) {
        const auto found = names.find(name.text);
        if (found != names.end()) name.text = found->second;
    }

    void declaration(input::dve::VariableDeclaration& v, const Names& locals) {
        if (v.length) expression(*v.length, locals);
        for (const input::dve::ExprPtr& value : v.initial) expression(*value, locals);
    }

    void process(input::dve::Process& p) {
        const Inner& inner = inner_[p.name.text];
        Names visible;  // a local name counts from its declaration on
        for (input::dve::VariableDeclaration& v : p.variables) {
            declaration(v, visible);
            visible.insert(*inner.variables.find(v.name.text));
            use(v.name, inner.variables);
        }
        for (input::dve::Name& location : p.locations) use(location, inner.locations);
        use(p.initial, inner.locations);
        for (input::dve::Name& location : p.committed) use(location, inner.locations);
        for (std::vector<input::dve::Name>& set : p.acceptance.sets)
            for (input::dve::Name& location : set) use(location, inner.locations);
        for (input::dve::Assertion& assertion : p.assertions) {
            use(assertion.location, inner.locations);
            expression(*assertion.condition, inner.variables);
        }
        for (input::dve::Transition& t : p.transitions) transition(t, inner);
        use(p.name, globals_);
    }

    void transition(input::dve::Transition& t, const Inner& inner) {
        use(t.from, inner.locations);
        use(t.to, inner.locations);
        if (t.guard) expression(*t.guard, inner.variables);
        if (t.sync) {
            use(t.sync->channel, globals_);
            for (const input::dve::ExprPtr& value : t.sync->values) expression(*value, inner.variables);
        }
        for (input::dve::Assignment& effect : t.effects) {
            expression(*effect.target, inner.variables);
            expression(*effect.value, inner.variables);
        }
    }

    void expression(input::dve::Expr& expr, const Names& locals) {
        for (const input::dve::ExprPtr& operand : expr.operands) expression(*operand, locals);
        if (!expr.process.text.empty()) {
            const Inner& inner = inner_[expr.process.text];
            use(expr.name, expr.kind == input::dve::Expr::Kind::location ? inner.locations : inner.variables);
            use(expr.process, globals_);
        } else if (expr.kind == input::dve::Expr::Kind::variable || expr.kind == input::dve::Expr::Kind::element) {
            use(expr.name, locals.contains(expr.name.text) ? locals : globals_);
        }
    }

    input::dve::Program& program_;
    Names globals_;
    std::map<std::string, Inner> inner_;  // by the old name of the process
    int count_ = 0;
};

template <class Iterator>
void shuffle(Iterator begin, Iterator end, differential::RandomNumbers& numbers) {
    for (auto left = end - begin; left > 1; --left)
        std::swap(begin[left - 1], begin[static_cast<std::ptrdiff_t>(numbers.below(static_cast<std::size_t>(left)))]);
}

void reorder(std::vector<input::dve::VariableDeclaration>& variables, differential::RandomNumbers& numbers) {
    const auto rest = std::stable_partition(variables.begin(), variables.end(),
                                            [](const input::dve::VariableDeclaration& v) { return v.constant; });
    shuffle(rest, variables.end(), numbers);
}

input::dve::ExprPtr number(std::int64_t value) {
    auto expr = std::make_unique<input::dve::Expr>();
    expr->number = value;
    return expr;
}

input::dve::ExprPtr joined(std::int64_t left, input::dve::BinaryOp op, std::int64_t right) {
    auto expr = std::make_unique<input::dve::Expr>();
    expr->kind = input::dve::Expr::Kind::chain;
    expr->operators.push_back(op);
    expr->operands.push_back(number(left));
    expr->operands.push_back(number(right));
    return expr;
}

template <class List>
auto some_place(List& list, differential::RandomNumbers& numbers) {
    return list.begin() + static_cast<std::ptrdiff_t>(numbers.below(list.size() + 1));
}

input::dve::Process& some_process(input::dve::Program& program, differential::RandomNumbers& numbers) {
    return program.processes[numbers.below(program.processes.size())];
}

// A scalar that the process has itself.
const input::dve::VariableDeclaration* own_scalar(const input::dve::Process& process) {
    for (const input::dve::VariableDeclaration& v : process.variables)
        if (!v.constant && !v.length) return &v;
    return nullptr;
}

void add_transition(input::dve::Program& program, differential::RandomNumbers& numbers, input::dve::ExprPtr guard,
                    input::dve::ExprPtr value) {
    input::dve::Process& process = some_process(program, numbers);
    input::dve::Transition transition;
    transition.from = numbers.one_of(process.locations);
    transition.to = numbers.one_of(process.locations);
    transition.guard = std::move(guard);
    if (const input::dve::VariableDeclaration* variable = own_scalar(process)) {
        input::dve::Assignment effect;
        effect.target = std::make_unique<input::dve::Expr>();
        effect.target->kind = input::dve::Expr::Kind::variable;
        effect.target->name = variable->name;
        effect.value = std::move(value);
        transition.effects.push_back(std::move(effect));
    }
    process.transitions.insert(some_place(process.transitions, numbers), std::move(transition));
}

input::dve::VariableDeclaration unused(input::dve::Type type, const char* name) {
    input::dve::VariableDeclaration variable;
    variable.type = type;
    variable.name.text = name;
    return variable;
}

}  // namespace

void rename_everything(input::dve::Program& program) { Renamer(program).run(); }

void reorder_processes(input::dve::Program& program, differential::RandomNumbers& numbers) {
    shuffle(program.processes.begin(), program.processes.end(), numbers);
}

void reorder_declarations(input::dve::Program& program, differential::RandomNumbers& numbers) {
    reorder(program.variables, numbers);
    shuffle(program.channels.begin(), program.channels.end(), numbers);
    for (input::dve::Process& process : program.processes) reorder(process.variables, numbers);
}

void reorder_locations_and_transitions(input::dve::Program& program, differential::RandomNumbers& numbers) {
    for (input::dve::Process& process : program.processes) {
        shuffle(process.locations.begin(), process.locations.end(), numbers);
        shuffle(process.transitions.begin(), process.transitions.end(), numbers);
    }
}

void add_dead_transition(input::dve::Program& program, differential::RandomNumbers& numbers) {
    input::dve::ExprPtr never = numbers.chance(50) ? number(0) : joined(1, input::dve::BinaryOp::equal, 2);
    add_transition(program, numbers, std::move(never), joined(1, input::dve::BinaryOp::divide, 0));
}

void add_live_transition(input::dve::Program& program, differential::RandomNumbers& numbers) {
    add_transition(program, numbers, joined(1, input::dve::BinaryOp::less, 2), number(1));
}

void add_unused_variables(input::dve::Program& program, differential::RandomNumbers& numbers) {
    input::dve::VariableDeclaration array = unused(input::dve::Type::byte, "unused_array");
    array.length = number(3);
    array.braces = true;
    array.initial.push_back(number(7));
    array.initial.push_back(number(255));
    program.variables.insert(some_place(program.variables, numbers), std::move(array));
    input::dve::VariableDeclaration scalar = unused(input::dve::Type::integer, "unused_scalar");
    scalar.initial.push_back(joined(0, input::dve::BinaryOp::subtract, 32768));
    input::dve::Process& process = some_process(program, numbers);
    process.variables.insert(some_place(process.variables, numbers), std::move(scalar));
}

void add_idle_process(input::dve::Program& program, differential::RandomNumbers& numbers) {
    input::dve::Process idle;
    idle.name.text = "Idle_process";
    idle.locations.push_back({"rest", {}});
    idle.initial.text = "rest";
    program.processes.insert(some_place(program.processes, numbers), std::move(idle));
}

}  // namespace tideline::conformance
