// Every operation that may fault is written so that it cannot, unless faults are wanted: indices are masked, divisors
// and shifts are small numbers, and what is stored is brought below a small bound, which also keeps state spaces small.
#include "tests/differential/random_dve_expression.hpp"

#include <algorithm>

namespace tideline::differential {

RandomExpressions::RandomExpressions(RandomNumbers& numbers, const RandomNames& names, const RandomProcess* from,
                                     bool dangerous, bool parentheses)
    : numbers_(numbers), names_(names), dangerous_(dangerous), parentheses_(parentheses), from_(from) {
    if (from != nullptr) {
        for (const RandomVariable& variable : from->variables) visible_.push_back(&variable);
    }
    for (const RandomVariable* variable : visible_) {
        if (!variable->constant) own_.push_back(variable);
    }
    const std::size_t locals = visible_.size();
    for (const RandomVariable& variable : names.variables) {
        const auto last = visible_.begin() + static_cast<std::ptrdiff_t>(locals);
        const bool hidden = std::any_of(visible_.begin(), last,
                                        [&](const RandomVariable* local) { return local->name == variable.name; });
        if (hidden) continue;
        visible_.push_back(&variable);
        const bool observer = from != nullptr && from->property;
        if (!variable.constant && !observer) own_.push_back(&variable);
    }
}

std::string RandomExpressions::joined(const std::string& left, const std::string& op, const std::string& right) {
    const std::string text = left + " " + op + " " + right;
    return parentheses_ || numbers_.chance(70) ? "(" + text + ")" : text;
}

// Inside the array, whatever the values are.
std::string RandomExpressions::index(const RandomVariable& array, int depth) {
    const std::string length = std::to_string(array.length);
    if (numbers_.chance(30)) return std::to_string(numbers_.below(static_cast<std::size_t>(array.length)));
    if (dangerous_ && numbers_.chance(25)) return number(depth);
    return "((" + number(depth) + " & 3) % " + length + ")";
}

std::string RandomExpressions::read(const RandomVariable& variable, const std::string& prefix) {
    if (variable.length == 0) return prefix + variable.name;
    return prefix + variable.name + "[" + index(variable, 0) + "]";
}

std::string RandomExpressions::foreign_leaf() {
    const RandomProcess& process = numbers_.one_of(names_.processes);
    const bool hidden = process.property && (from_ == nullptr || !from_->property);
    if (hidden) return "1";
    if (!process.variables.empty() && numbers_.chance(50)) {
        const RandomVariable& variable = numbers_.one_of(process.variables);
        if (!variable.constant) return read(variable, process.name + "->");
    }
    return process.name + "." + numbers_.one_of(process.locations);
}

std::string RandomExpressions::leaf() {
    const std::size_t kind = numbers_.below(20);
    if (kind == 0) return numbers_.chance(50) ? "true" : "false";
    if (kind <= 2) return std::to_string(numbers_.below(4));
    if (kind <= 7 && !names_.processes.empty()) return foreign_leaf();
    if (visible_.empty()) return std::to_string(numbers_.below(3));
    return read(*numbers_.one_of(visible_), "");
}

std::string RandomExpressions::dangerous_number() {
    switch (numbers_.below(12)) {
        case 0:
        case 1:
        case 2: return "(" + number(0) + " / " + leaf() + ")";
        case 3:
        case 4:
        case 5: return "(" + number(0) + " % " + leaf() + ")";
        case 6:
        case 7: return "(" + number(0) + " << (" + leaf() + " - 1))";
        case 8:
        case 9: return "(" + number(0) + " >> (" + leaf() + " * 32))";
        case 10: return "(9223372036854775806 + " + leaf() + ")";
        default: return "((1 << 62) * " + leaf() + ")";
    }
}

std::string RandomExpressions::number(int depth) {
    if (dangerous_ && depth > 0 && numbers_.chance(8)) return dangerous_number();
    if (depth <= 0 || numbers_.chance(25)) return leaf();
    const std::string left = number(depth - 1);
    switch (numbers_.below(13)) {
        case 0: return joined(left, "+", number(depth - 1));
        case 1: return joined(left, "-", number(depth - 1));
        case 2: return "(" + left + " * " + std::to_string(numbers_.below(4)) + ")";
        case 3: return "((" + left + ") / " + std::to_string(numbers_.between(1, 3)) + ")";
        case 4: return "((" + left + ") % " + std::to_string(numbers_.between(2, 4)) + ")";
        case 5: return joined(left, "&", number(depth - 1));
        case 6: return joined(left, "|", number(depth - 1));
        case 7: return joined(left, "^", number(depth - 1));
        case 8: return "((" + left + ") << " + std::to_string(numbers_.below(3)) + ")";
        case 9: return "((" + left + ") >> " + std::to_string(numbers_.below(3)) + ")";
        case 10: return "(-(" + left + "))";
        case 11: return parentheses_ || numbers_.chance(50) ? "(~(" + left + "))" : "~" + leaf();
        default: return "(" + condition(depth - 1) + ")";
    }
}

// x is tested before it is used as an index; the right side is not evaluated where it would fault.
std::string RandomExpressions::guarded_index() {
    for (const RandomVariable* array : visible_) {
        if (array->length == 0 || numbers_.chance(30)) continue;
        const RandomVariable& variable = *numbers_.one_of(visible_);
        const std::string place = variable.length == 0 ? variable.name : variable.name + "[0]";
        const std::string length = std::to_string(array->length);
        const std::string element = "(" + array->name + "[" + place + "] " + (numbers_.chance(50) ? "==" : "!=") + " " +
                                    std::to_string(numbers_.below(3)) + ")";
        const std::string inside = "((" + place + " >= 0) and (" + place + " < " + length + "))";
        const std::string outside = "((" + place + " < 0) or (" + place + " >= " + length + "))";
        switch (numbers_.below(3)) {
            case 0: return "(" + inside + " and " + element + ")";
            case 1: return "(" + outside + " or " + element + ")";
            default: return "(" + inside + " imply " + element + ")";
        }
    }
    return leaf();
}

std::string RandomExpressions::condition(int depth) {
    static const std::vector<std::string> kComparisons{"==", "!=", "<", "<=", ">", ">=", "!=", "<="};
    const std::size_t kind = depth <= 0 ? 0 : numbers_.below(12);
    if (kind <= 5) {
        const std::string right = numbers_.chance(60) ? std::to_string(numbers_.below(4)) : number(depth - 1);
        return joined(number(depth - 1), numbers_.one_of(kComparisons), right);
    }
    const std::string left = condition(depth - 1);
    const bool words = parentheses_ || numbers_.chance(60);
    switch (kind) {
        case 6: return joined(left, words ? "and" : "&&", condition(depth - 1));
        case 7: return joined(left, words ? "or" : "||", condition(depth - 1));
        case 8: return joined(left, "imply", condition(depth - 1));
        case 9: return "(not (" + left + "))";
        case 10: return guarded_index();
        default: return names_.processes.empty() ? left : foreign_leaf();
    }
}

std::string RandomExpressions::value_for(const RandomVariable& variable, const std::string& target) {
    const std::string bound = std::to_string(variable.bound);
    const std::string mask = variable.bound >= 4 ? "3" : "1";
    if (dangerous_ && numbers_.chance(10)) {
        if (variable.integer) return target + (numbers_.chance(50) ? " * 1000" : " + 20000");
        return numbers_.chance(40) ? number(2) : target + (numbers_.chance(70) ? " - 1" : " + 200");
    }
    switch (numbers_.below(variable.integer ? 9 : 7)) {
        case 0: return std::to_string(numbers_.below(static_cast<std::size_t>(variable.bound)));
        case 1:
        case 2: return variable.integer ? "((" + target + " & 3) + 1) % " + bound : "(" + target + " + 1) % " + bound;
        case 3:
        case 4: return "(" + number(2) + ") & " + mask;
        case 5: return condition(1);
        case 6: return "~(" + number(1) + ") & " + mask;
        case 7: return "-((" + number(1) + ") & 1)";
        default: return "(" + number(1) + ") % " + bound;
    }
}

std::string RandomExpressions::target(const RandomVariable*& variable) {
    if (from_ != nullptr && !from_->property && numbers_.chance(6)) {
        const RandomProcess& process = numbers_.one_of(names_.processes);
        if (!process.property && !process.variables.empty() && !process.variables[0].constant) {
            variable = &process.variables[0];
            return read(*variable, process.name + "->");
        }
    }
    variable = numbers_.one_of(own_);
    if (variable->length == 0) return variable->name;
    return variable->name + "[" + index(*variable, 1) + "]";
}

}  // namespace tideline::differential
