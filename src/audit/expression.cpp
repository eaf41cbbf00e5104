#include "audit/expression.hpp"

#include <charconv>
#include <optional>
#include <utility>

#include "audit/error.hpp"
#include "reference/dve_names.hpp"
#include "support/diagnostic.hpp"

namespace tideline::audit {
namespace {

using input::dve::BinaryOp;
using input::dve::ExprPtr;

constexpr std::size_t kDeepest = 1000;  // nested parentheses, indices and unary operators; a run accepts half as many

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Operator {
    std::string_view text;
    int level;  // the larger, the more strongly it binds
    input::dve::BinaryOp op;
};
// As the manual lists them. Longer symbols come before those that they begin with.
constexpr Operator kOperators[] = {
    {"->", 1, input::dve::BinaryOp::imply},        {"imply", 1, input::dve::BinaryOp::imply},
    {"or", 2, input::dve::BinaryOp::logical_or},   {"||", 2, input::dve::BinaryOp::logical_or},
    {"and", 3, input::dve::BinaryOp::logical_and}, {"&&", 3, input::dve::BinaryOp::logical_and},
    {"==", 7, input::dve::BinaryOp::equal},        {"!=", 7, input::dve::BinaryOp::not_equal},
    {"<<", 9, input::dve::BinaryOp::shift_left},   {">>", 9, input::dve::BinaryOp::shift_right},
    {"<=", 8, input::dve::BinaryOp::less_equal},   {">=", 8, input::dve::BinaryOp::greater_equal},
    {"<", 8, input::dve::BinaryOp::less},          {">", 8, input::dve::BinaryOp::greater},
    {"|", 4, input::dve::BinaryOp::bit_or},        {"^", 5, input::dve::BinaryOp::bit_xor},
    {"&", 6, input::dve::BinaryOp::bit_and},       {"+", 10, input::dve::BinaryOp::add},
    {"-", 10, input::dve::BinaryOp::subtract},     {"*", 11, input::dve::BinaryOp::multiply},
    {"/", 11, input::dve::BinaryOp::divide},       {"%", 11, input::dve::BinaryOp::modulo},
};

// Reads characters, not tokens: the language is small enough.
class Reader {
public:
    Reader(std::string_view text, const Vocabulary& vocabulary, Formula::Leaves& leaves)
        : text_(text), vocabulary_(vocabulary), leaves_(leaves) {}

    ExprPtr read() {
        ExprPtr result = expression(1);
        if (at_ < text_.size()) object("an operator is missing");
        return result;
    }

private:
    [[noreturn]] void object(const std::string& why) const {
        throw Objection(support::in_quotes(text_) + ", character " + std::to_string(at_ + 1) + ": " + why);
    }

    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
            ++at_;
    }
    // The word that comes next; empty where something else does.
    [[nodiscard]] std::string_view peek_word() {
        skip_space();
        std::size_t end = at_;
        while (end < text_.size() && in_word(text_[end])) ++end;
        return text_.substr(at_, end - at_);
    }
    bool take(std::string_view symbol) {
        skip_space();
        if (!text_.substr(at_).starts_with(symbol)) return false;
        at_ += symbol.size();
        return true;
    }
    bool take_word(std::string_view word) {
        if (peek_word() != word) return false;
        at_ += word.size();
        return true;
    }
    void require(std::string_view symbol) {
        if (!take(symbol)) object(support::in_quotes(symbol) + " is missing");
    }
    [[nodiscard]] const Operator* peek_operator() {
        const std::string_view word = peek_word();
        for (const Operator& candidate : kOperators)
            if (in_word(candidate.text[0]) ? word == candidate.text : text_.substr(at_).starts_with(candidate.text))
                return &candidate;
        return nullptr;
    }

    ExprPtr expression(int weakest) {
        ExprPtr left = operand();
        for (const Operator* next = peek_operator(); next != nullptr && next->level >= weakest;
             next = peek_operator()) {
            // All operators of this level from here on, from left to right.
            const int level = next->level;
            auto chain = std::make_unique<input::dve::Expr>();
            chain->kind = input::dve::Expr::Kind::chain;
            chain->operands.push_back(std::move(left));
            for (; next != nullptr && next->level == level; next = peek_operator()) {
                at_ += next->text.size();
                chain->operators.push_back(next->op);
                // An arrow is read from right to left.
                chain->operands.push_back(expression(next->text == "->" ? level : level + 1));
            }
            left = std::move(chain);
        }
        return left;
    }

    ExprPtr operand() {
        if (++depth_ > kDeepest) object("the expression is nested too deeply");
        ExprPtr result = plain_operand();
        --depth_;
        return result;
    }

    ExprPtr plain_operand() {
        if (take_word("not") || take("!")) return unary(input::dve::UnaryOp::logical_not);
        if (take("-")) return unary(input::dve::UnaryOp::negate);
        if (take("~")) return unary(input::dve::UnaryOp::complement);
        if (take("(")) {
            ExprPtr inner = expression(1);
            require(")");
            return inner;
        }
        const std::string word(peek_word());
        if (word.empty()) object("a name or a number is missing");
        at_ += word.size();
        return is_digit(word[0]) ? number(word) : name(word);
    }

    ExprPtr unary(input::dve::UnaryOp op) {
        auto result = std::make_unique<input::dve::Expr>();
        result->kind = input::dve::Expr::Kind::unary;
        result->unary = op;
        result->operands.push_back(operand());
        return result;
    }

    ExprPtr number(const std::string& digits) const {
        std::int64_t value = 0;
        const char* const end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, value);
        if (error != std::errc() || stop != end) object(support::in_quotes(digits) + " is not a number");
        return constant(value);
    }
    static ExprPtr constant(std::int64_t value) {
        auto result = std::make_unique<input::dve::Expr>();
        result->kind = input::dve::Expr::Kind::number;
        result->number = value;
        return result;
    }

    ExprPtr leaf(const Formula::Leaf& meaning, ExprPtr index = nullptr) {
        auto result = std::make_unique<input::dve::Expr>();
        result->kind = index == nullptr ? input::dve::Expr::Kind::variable : input::dve::Expr::Kind::element;
        if (index != nullptr) result->operands.push_back(std::move(index));
        leaves_.emplace(result.get(), meaning);
        return result;
    }

    // P->x is a variable; any other arrow is an implication.
    [[nodiscard]] bool is_member_behind_arrow(const std::string& process) {
        const std::size_t before = at_;
        bool is_member = false;
        if (take("->")) {
            const std::string full = process + "." + std::string(peek_word());
            is_member = vocabulary_.slot(full) != nullptr || vocabulary_.array(full + "[]") != nullptr ||
                        vocabulary_.constant(full) != nullptr || vocabulary_.constant_array(full) != nullptr;
        }
        at_ = before;
        return is_member;
    }

    // P.s is the location where there is one, P->x the variable.
    ExprPtr name(std::string full) {
        if (full == "true" || full == "false") return constant(full == "true" ? 1 : 0);
        const bool arrow = is_member_behind_arrow(full) && take("->");
        const bool dot = !arrow && take(".");
        if (arrow || dot) {
            const std::string member(peek_word());
            if (member.empty()) object("a name is missing");
            at_ += member.size();
            full += "." + member;
        }
        if (const auto* location = dot ? vocabulary_.location(full) : nullptr) return leaf({.location = location});
        if (const auto* slot = vocabulary_.slot(full)) return leaf({.slot = slot});
        if (const auto* value = vocabulary_.constant(full)) return constant(*value);
        if (const auto* label = vocabulary_.label(full)) return leaf({.label = label});
        if (const auto* predicate = vocabulary_.predicate(full)) return leaf({.predicate = predicate});
        if (take("[")) return element(full);
        object("there is no " + support::in_quotes(full));
    }

    ExprPtr element(const std::string& name) {
        ExprPtr index = expression(1);
        require("]");
        if (const auto* array = vocabulary_.array(name + "[]")) return leaf({.array = array}, std::move(index));
        if (const auto* values = vocabulary_.constant_array(name))
            return leaf({.constant_array = values}, std::move(index));
        require(".");
        const std::string field(peek_word());
        at_ += field.size();
        if (const auto* array = vocabulary_.array(name + "[]." + field))
            return leaf({.array = array}, std::move(index));
        object("there is no array " + support::in_quotes(name));
    }

    std::string_view text_;
    const Vocabulary& vocabulary_;
    Formula::Leaves& leaves_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
};

class LeafValues final : public reference::NameValues {
public:
    LeafValues(const Formula::Leaves& leaves, const reference::State& state) : leaves_(leaves), state_(state) {}

    [[nodiscard]] reference::Answer value_of(const input::dve::Expr& leaf) const override {
        const Formula::Leaf& meaning = leaves_.at(&leaf);
        if (meaning.slot != nullptr) return {model::FaultKind::none, state_[*meaning.slot]};
        if (meaning.location != nullptr)
            return {model::FaultKind::none, state_[meaning.location->slot] == meaning.location->value ? 1 : 0};
        if (meaning.label != nullptr) return at(*meaning.label, {model::FaultKind::none, state_[0]});
        if (meaning.predicate != nullptr) return {model::FaultKind::none, (*meaning.predicate)(state_) ? 1 : 0};
        const reference::Answer index = reference::evaluate(*leaf.operands[0], *this);
        if (meaning.constant_array != nullptr) return at(*meaning.constant_array, index);
        const reference::Answer slot = at(*meaning.array, index);
        return slot.fault == model::FaultKind::none
                   ? reference::Answer{model::FaultKind::none, state_[static_cast<std::size_t>(slot.value)]}
                   : slot;
    }

private:
    template <class Number>
    static reference::Answer at(const std::vector<Number>& values, const reference::Answer& index) {
        if (index.fault != model::FaultKind::none) return index;
        if (index.value < 0 || static_cast<std::uint64_t>(index.value) >= values.size())
            return {model::FaultKind::index, 0};
        return {model::FaultKind::none, static_cast<std::int64_t>(values[static_cast<std::size_t>(index.value)])};
    }

    const Formula::Leaves& leaves_;
    const reference::State& state_;
};

}  // namespace

Vocabulary::Vocabulary(const reference::Machine& machine) : outside_(machine.outside_names()) {
    add_slots(machine.names());
    for (const std::string& name : outside_.numbers_of_locations) slots_.erase(name);
}

Vocabulary::Vocabulary(const model::Model& names) {
    std::vector<std::string> slots;
    for (const model::Model::SlotOwner owner : names.slot_owners()) slots.push_back(names.slot_name(owner));
    add_slots(slots);
}

// Elements of arrays are those that look like it: name[index]suffix.
void Vocabulary::add_slots(const std::vector<std::string>& names) {
    for (std::size_t slot = 0; slot < names.size(); ++slot) {
        const std::string& name = names[slot];
        const std::size_t open = name.find('[');
        if (open == std::string::npos) slots_.emplace(name, slot);
        else arrays_[name.substr(0, open + 1) + name.substr(name.find(']'))].push_back(slot);
    }
}

Formula::Formula(const std::string& text, const Vocabulary& vocabulary)
    : tree_(Reader(text, vocabulary, leaves_).read()) {}

reference::Answer Formula::evaluate(const reference::State& state) const {
    return reference::evaluate(*tree_, LeafValues(leaves_, state));
}

void Formulas::prepare(const std::string& formula, const std::string& what) {
    try {
        formulas_.try_emplace(formula, formula, vocabulary_);
    } catch (const Objection& objection) {
        throw Objection("the " + what + " cannot be understood: " + objection.what());
    }
}

reference::Answer Formulas::evaluate(const std::string& formula, const reference::State& state) const {
    return formulas_.at(formula).evaluate(state);
}

}  // namespace tideline::audit
