// Greedy shrinking: all cuts of a model are numbered, the large ones first; one after the other is tried on a new
// syntax tree and kept where the model still fails. Rounds are repeated until one changes nothing. Every cut makes the
// tree smaller, or a number in it, so this ends.
#include "tests/differential/shrink_dve.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "input/dve/parser.hpp"
#include "tests/differential/print_dve.hpp"

namespace tideline::differential {

namespace {

// Counts the cuts of a program and makes the one that was asked for.
class Cut {
public:
    explicit Cut(std::size_t wanted) : remaining_(wanted) {}

    // False where there are fewer cuts.
    bool apply(input::dve::Program& program) {
        return whole_processes(program) || members(program) || parts(program) || expressions(program);
    }

private:
    bool now() { return remaining_-- == 0; }

    template <class T>
    bool remove_one(std::vector<T>& list) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!now()) continue;
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        return false;
    }

    template <class T>
    bool reset(T& part) {
        if (!part || !now()) return false;
        part = T{};
        return true;
    }

    // Whole processes, with what makes one of them the property.
    bool whole_processes(input::dve::Program& program) {
        for (std::size_t i = 0; i < program.processes.size(); ++i) {
            if (!now()) continue;
            if (program.property && program.property->text == program.processes[i].name.text) program.property.reset();
            program.processes.erase(program.processes.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        return reset(program.property);
    }

    bool members(input::dve::Program& program) {
        for (input::dve::Process& process : program.processes) {
            if (remove_one(process.transitions) || remove_one(process.assertions)) return true;
        }
        for (input::dve::Process& process : program.processes) {
            if (remove_one(process.committed) || remove_one(process.locations) || merge_locations(process)) return true;
            if (!process.acceptance.sets.empty() && now()) {
                process.acceptance = {};
                return true;
            }
            if (remove_one(process.variables)) return true;
        }
        return remove_one(program.variables) || remove_one(program.channels);
    }

    // A location is merged with the initial one.
    bool merge_locations(input::dve::Process& process) {
        for (std::size_t i = 0; i < process.locations.size(); ++i) {
            const std::string name = process.locations[i].text;
            if (name == process.initial.text || !now()) continue;
            process.locations.erase(process.locations.begin() + static_cast<std::ptrdiff_t>(i));
            const auto rename = [&](input::dve::Name& used) {
                if (used.text == name) used.text = process.initial.text;
            };
            for (input::dve::Transition& transition : process.transitions) {
                rename(transition.from);
                rename(transition.to);
            }
            for (input::dve::Assertion& assertion : process.assertions) rename(assertion.location);
            return true;
        }
        return false;
    }

    bool parts(input::dve::Program& program) {
        for (input::dve::Process& process : program.processes) {
            for (input::dve::Transition& transition : process.transitions) {
                if (reset(transition.guard) || reset(transition.sync) || remove_one(transition.effects)) return true;
            }
        }
        return false;
    }

    bool expressions(input::dve::Program& program) {
        if (initial_values(program.variables)) return true;
        for (input::dve::ChannelDeclaration& channel : program.channels) {
            if (channel.capacity && simpler(channel.capacity)) return true;
        }
        for (input::dve::Process& process : program.processes) {
            if (initial_values(process.variables)) return true;
            for (input::dve::Assertion& assertion : process.assertions) {
                if (simpler(assertion.condition)) return true;
            }
            for (input::dve::Transition& transition : process.transitions) {
                if (in_transition(transition)) return true;
            }
        }
        return false;
    }

    bool initial_values(std::vector<input::dve::VariableDeclaration>& variables) {
        for (input::dve::VariableDeclaration& variable : variables) {
            if (remove_one(variable.initial)) return true;
            if (variable.length && simpler(variable.length)) return true;
            for (input::dve::ExprPtr& value : variable.initial) {
                if (simpler(value)) return true;
            }
        }
        return false;
    }

    bool in_transition(input::dve::Transition& transition) {
        if (transition.guard && simpler(transition.guard)) return true;
        if (transition.sync) {
            const bool sends = transition.sync->direction == input::dve::Synchronisation::Direction::send;
            for (input::dve::ExprPtr& value : transition.sync->values) {
                if (sends ? simpler(value) : simpler_operands(*value)) return true;
            }
        }
        for (input::dve::Assignment& effect : transition.effects) {
            if (simpler_operands(*effect.target) || simpler(effect.value)) return true;
        }
        return false;
    }

    // The expression becomes a number, one of its operands, or shorter; or the same happens to a part of it.
    bool simpler(input::dve::ExprPtr& expression) {
        const bool is_number = expression->kind == input::dve::Expr::Kind::number;
        for (const std::int64_t number : {0, 1}) {
            if ((is_number && expression->number <= number) || !now()) continue;
            expression = std::make_unique<input::dve::Expr>();
            expression->number = number;
            return true;
        }
        for (input::dve::ExprPtr& operand : expression->operands) {
            if (!now()) continue;
            input::dve::ExprPtr kept = std::move(operand);
            expression = std::move(kept);
            return true;
        }
        if (expression->operators.size() > 1 && shorter_chain(*expression)) return true;
        return simpler_operands(*expression);
    }

    bool shorter_chain(input::dve::Expr& chain) {
        for (std::size_t i = 0; i < chain.operators.size(); ++i) {
            if (!now()) continue;
            chain.operators.erase(chain.operators.begin() + static_cast<std::ptrdiff_t>(i));
            chain.operands.erase(chain.operands.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            return true;
        }
        return false;
    }

    bool simpler_operands(input::dve::Expr& expression) {
        for (input::dve::ExprPtr& operand : expression.operands) {
            if (simpler(operand)) return true;
        }
        return false;
    }

    std::size_t remaining_;
};

// The model after a cut; nothing where there are fewer cuts.
std::optional<std::string> after_cut(const std::string& text, std::size_t number) {
    support::Result<input::dve::Program> program = input::dve::parse(support::SourceText("model", text));
    if (!program || !Cut(number).apply(*program)) return std::nullopt;
    return to_dve_text(*program);
}

}  // namespace

std::string shrink_dve_model(const std::string& text, const std::function<bool(const std::string&)>& fails) {
    const support::Result<input::dve::Program> program = input::dve::parse(support::SourceText("model", text));
    if (!program) return text;
    std::string smallest = to_dve_text(*program);
    if (!fails(smallest)) return text;
    for (bool changed = true; changed;) {
        changed = false;
        std::size_t number = 0;
        while (const std::optional<std::string> attempt = after_cut(smallest, number)) {
            if (fails(*attempt)) {
                smallest = *attempt;
                changed = true;
            } else {
                ++number;
            }
        }
    }
    return smallest;
}

}  // namespace tideline::differential
