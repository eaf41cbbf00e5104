#include "model/print.hpp"

#include <limits>
#include <optional>

#include <fmt/format.h>

#include "model/footprint.hpp"

namespace tideline::model {
namespace {

const char* symbol(Op op) {
    switch (op) {
        case Op::negate: return "-";
        case Op::complement: return "~";
        case Op::logical_not: return "not ";
        case Op::multiply: return "*";
        case Op::divide: return "/";
        case Op::modulo: return "%";
        case Op::add: return "+";
        case Op::subtract: return "-";
        case Op::shift_left: return "<<";
        case Op::shift_right: return ">>";
        case Op::less: return "<";
        case Op::less_equal: return "<=";
        case Op::greater: return ">";
        case Op::greater_equal: return ">=";
        case Op::equal: return "==";
        case Op::not_equal: return "!=";
        case Op::bit_and: return "&";
        case Op::bit_or: return "|";
        case Op::bit_xor: return "^";
        case Op::and_then: return "and";
        case Op::or_else: return "or";
        case Op::implies: return "imply";
        default: return "?";
    }
}

// Turns a postfix program back into text with a stack of texts. Composite operands are put in parentheses.
class ExpressionPrinter {
public:
    explicit ExpressionPrinter(const Model& model) : model_(model), owners_(model.slot_owners()) {}

    std::string print(const Expression& expression) {
        stack_.clear();
        open_.clear();
        const std::vector<Instruction>& code = expression.code();
        for (std::size_t i = 0; i < code.size(); ++i) {
            step(code[i], i);
            close(i);
        }
        return stack_.empty() ? "" : stack_.back().text;
    }

private:
    struct Piece {
        std::string text = {};
        bool composite = false;
        std::optional<VariableId> location = {};  // where it is the location of a process
        std::optional<Value> constant = {};
    };
    // A part whose right side, or whose branches, are still to come; it ends after instruction `end`.
    struct Open {
        Op op;
        std::size_t end;
        Piece left;
        Piece middle;
    };

    static std::string operand(const Piece& piece) { return piece.composite ? '(' + piece.text + ')' : piece.text; }

    Piece pop() {
        Piece result = std::move(stack_.back());
        stack_.pop_back();
        return result;
    }

    // The smallest value has no positive counterpart that could be read back.
    static std::string number(Value value) {
        if (value == std::numeric_limits<Value>::min()) return std::to_string(value + 1) + " - 1";
        return std::to_string(value);
    }

    std::string array_name(SlotId first) const { return model_.variables[owners_[first].variable].name; }
    std::string suffix(SlotId first) const { return model_.variables[owners_[first].variable].element_suffix; }

    void step(const Instruction& instruction, std::size_t at) {
        switch (instruction.op) {
            case Op::constant:
                stack_.push_back({number(instruction.value), instruction.value < 0, {}, instruction.value});
                break;
            case Op::load: stack_.push_back(slot(owners_[instruction.argument])); break;
            case Op::load_element: {
                const Piece index = pop();
                stack_.push_back(
                    {array_name(instruction.argument) + '[' + index.text + ']' + suffix(instruction.argument)});
                break;
            }
            case Op::load_table: {
                const Piece index = pop();
                stack_.push_back({model_.tables[instruction.argument].name + '[' + index.text + ']'});
                break;
            }
            case Op::truth: truth(at); break;
            case Op::and_then:
            case Op::or_else:
            case Op::implies:
            case Op::jump_if_false: open_.push_back({instruction.op, at + instruction.argument, pop(), {}}); break;
            case Op::jump:
                open_.back().middle = pop();
                open_.back().op = Op::jump;
                open_.back().end = at + instruction.argument;
                break;
            default: {
                if (is_unary(instruction.op)) {
                    const Piece only = pop();
                    stack_.push_back({symbol(instruction.op) + operand(only), true});
                } else {
                    const Piece right = pop();
                    const Piece left = pop();
                    stack_.push_back(binary(instruction.op, left, right));
                }
            }
        }
    }

    Piece slot(Model::SlotOwner owner) const {
        const bool location = model_.variables[owner.variable].kind == Variable::Kind::location;
        return {model_.slot_name(owner), false, location ? std::optional(owner.variable) : std::nullopt, {}};
    }

    // Whether a process is in a location is written P.s.
    Piece binary(Op op, const Piece& left, const Piece& right) const {
        if (op == Op::equal && left.location && right.constant) {
            const Variable& location = model_.variables[*left.location];
            if (location.owner && location.range.holds(*right.constant))
                return {model_.processes[*location.owner].name + '.' +
                        model_.value_text(*left.location, *right.constant)};
        }
        return {operand(left) + ' ' + symbol(op) + ' ' + operand(right), true};
    }

    // The end of a right side prints nothing; elsewhere truth(x) is x != 0.
    void truth(std::size_t at) {
        const bool ends_right_side = !open_.empty() && open_.back().end == at && open_.back().op != Op::jump;
        if (ends_right_side) return;
        const Piece only = pop();
        stack_.push_back({operand(only) + " != 0", true});
    }

    void close(std::size_t at) {
        while (!open_.empty() && open_.back().end == at && open_.back().op != Op::jump_if_false) {
            Open part = std::move(open_.back());
            open_.pop_back();
            const Piece right = pop();
            if (part.op == Op::jump)
                stack_.push_back({operand(part.left) + " ? " + operand(part.middle) + " : " + operand(right), true});
            else stack_.push_back({operand(part.left) + ' ' + symbol(part.op) + ' ' + operand(right), true});
        }
    }

    const Model& model_;
    std::vector<Model::SlotOwner> owners_;
    std::vector<Piece> stack_;
    std::vector<Open> open_;
};

class ModelPrinter {
public:
    explicit ModelPrinter(const Model& model) : model_(model), owners_(model.slot_owners()), expressions_(model) {}

    std::string print() {
        out_ = fmt::format("model {}\n  {} slots, {} processes, {} transitions, {}\n", model_.format,
                           model_.slot_count(), model_.processes.size(), model_.transitions.size(),
                           model_.composition == Composition::lockstep ? "lockstep" : "interleaving");
        for (const Table& table : model_.tables) print(table);
        for (const Variable& variable : model_.variables) print(variable);
        print_more_initial();
        for (ProcessId p = 0; p < model_.processes.size(); ++p) print_process(p);
        for (TransitionId t = 0; t < model_.transitions.size(); ++t) print_transition(t);
        for (const NamedExpression& e : model_.assertions) out_ += fmt::format("assertion {}\n", e.name);
        for (const NamedExpression& e : model_.labels)
            out_ += fmt::format("label {} := {}\n", e.name, expressions_.print(e.expression));
        for (const std::vector<Expression>& component : model_.progress) {
            std::string parts;
            for (const Expression& part : component) parts += (parts.empty() ? "" : ", ") + expressions_.print(part);
            out_ += fmt::format("progress {}\n", component.size() == 1 ? parts : "product(" + parts + ")");
        }
        return std::move(out_);
    }

private:
    static constexpr std::size_t kShown = 16;

    std::string values(const Value* first, std::size_t count) const {
        std::string result;
        for (std::size_t i = 0; i < std::min(count, kShown); ++i)
            result += (i > 0 ? ", " : "") + std::to_string(first[i]);
        return count > kShown ? result + ", ..." : result;
    }

    void print(const Table& table) {
        out_ += fmt::format("constant {} = {{{}}}\n", table.name, values(table.values.data(), table.values.size()));
    }

    void print(const Variable& variable) {
        const std::string length =
            variable.length ? fmt::format("[{}]{}", *variable.length, variable.element_suffix) : "";
        out_ += fmt::format("slot {}: {}{} in {}..{} = {}\n", variable.first_slot, variable.name, length,
                            variable.range.low, variable.range.high,
                            values(&model_.initial[variable.first_slot], variable.slot_count()));
    }

    void print_more_initial() {
        if (model_.more_initial.empty()) return;
        const std::size_t further = model_.initial_count() - 1;
        out_ += "further initial states:";
        for (std::size_t i = 1; i <= std::min(further, kShown); ++i)
            out_ += fmt::format(" {{{}}}", values(model_.initial_state(i), model_.slot_count()));
        out_ += further > kShown ? fmt::format(" ... ({} in all)\n", further) : "\n";
    }

    void print_process(ProcessId id) {
        const Process& process = model_.processes[id];
        out_ += fmt::format("process {}{}\n  locations", process.name, model_.observer == id ? " (property)" : "");
        const std::vector<std::string>& names = model_.variables[process.location].value_names;
        for (std::size_t i = 0; i < names.size(); ++i)
            out_ +=
                fmt::format(" {}{}", names[i], !process.committed.empty() && process.committed[i] ? "(committed)" : "");
        out_ += '\n';
    }

    std::string slot_list(const std::vector<SlotId>& slots) const {
        std::string result;
        for (std::size_t i = 0; i < std::min(slots.size(), kShown); ++i)
            result += ' ' + model_.slot_name(owners_[slots[i]]);
        return slots.size() > kShown ? result + " ..." : result;
    }

    void print_transition(TransitionId id) {
        const Transition& t = model_.transitions[id];
        out_ += fmt::format("transition {}", id);
        if (!t.label.empty()) out_ += fmt::format(" [{}]", t.label);
        for (const Participant& p : t.participants)
            out_ += fmt::format(" {}: {} -> {} (line {})", model_.processes[p.process].name,
                                model_.location_name(p.process, p.from), model_.location_name(p.process, p.to),
                                model_.source.line_number(p.span.begin));
        if (t.committed) out_ += " committed";
        if (t.priority != 0) out_ += fmt::format(" priority {}", t.priority);
        if (t.marks != 0) out_ += fmt::format(" marks {:#x}", t.marks);
        out_ += '\n';
        for (const Expression& guard : t.guards) out_ += fmt::format("  guard {}\n", expressions_.print(guard));
        for (const Effect& effect : t.effects) std::visit([this](const auto& e) { print_effect(e); }, effect);
        const Footprint touched = footprint(model_, t);
        out_ += fmt::format("  reads{}\n  writes{}\n", slot_list(touched.reads), slot_list(touched.writes));
    }

    void print_effect(const Assign& assign) {
        std::string targets;
        std::string values;
        for (const Target& target : assign.targets) {
            const Variable& variable = model_.variables[target.variable];
            targets += (targets.empty() ? "" : ", ") + variable.name;
            if (target.index) targets += '[' + expressions_.print(*target.index) + ']' + variable.element_suffix;
        }
        for (const Expression& value : assign.values)
            values += (values.empty() ? "" : ", ") + expressions_.print(value);
        out_ += fmt::format("  effect {} := {}{}\n", targets.empty() ? "(dropped)" : targets, values,
                            assign.wrap ? " (wraps)" : "");
    }

    void print_effect(const Require& require) {
        out_ += fmt::format("  effect require {} ({}: {})\n", expressions_.print(require.condition),
                            to_string(require.fault), require.text);
    }

    void print_effect(const Shift& shift) {
        out_ += fmt::format("  effect shift {} from {} by one of {}\n", model_.variables[shift.variable].name,
                            expressions_.print(shift.first), shift.count);
    }

    const Model& model_;
    std::vector<Model::SlotOwner> owners_;
    ExpressionPrinter expressions_;
    std::string out_;
};

}  // namespace

std::string to_text(const Model& model, const Expression& expression) {
    return ExpressionPrinter(model).print(expression);
}

std::string to_text(const Model& model) { return ModelPrinter(model).print(); }

}  // namespace tideline::model
