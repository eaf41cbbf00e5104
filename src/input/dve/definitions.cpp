#include "input/dve/definitions.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tideline::input::dve {
namespace {

support::Diagnostic about_option(std::string message, std::string hint) {
    return support::diagnostic_about("-D", std::move(message), std::move(hint));
}

// The declarations of scalar constants that are global.
std::vector<std::string> names_of_constants(const Program& program) {
    std::vector<std::string> names;
    for (const VariableDeclaration& variable : program.variables)
        if (variable.constant && variable.length == nullptr) names.push_back(variable.name.text);
    return names;
}

support::Diagnostics define(Program& program, const std::string& definition) {
    const std::size_t sign = definition.find('=');
    const std::string name = definition.substr(0, sign);
    if (sign == std::string::npos || name.empty())
        return {about_option("unexpected value " + support::in_quotes(definition),
                             "expected -D NAME=VALUE, where NAME is a constant of the model")};
    const auto found = std::find_if(program.variables.begin(), program.variables.end(),
                                    [&](const VariableDeclaration& variable) { return variable.name.text == name; });
    if (found == program.variables.end()) {
        const std::string closest = support::suggestion(name, names_of_constants(program));
        return {
            about_option("the model has no constant " + support::in_quotes(name),
                         closest.empty() ? "it is declared before the processes, as in const int N = 3;" : closest)};
    }
    if (!found->constant || found->length != nullptr)
        return {
            about_option(support::in_quotes(name) + (found->constant ? " is an array of constants" : " is a variable"),
                         "only a constant with one value can be set")};
    const std::string text = definition.substr(sign + 1);
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size() || problem == std::errc::invalid_argument)
        return {about_option(support::in_quotes(definition) + ": the value is not a number",
                             "expected a decimal number, as in -D " + name + "=3")};
    const std::int64_t low = found->type == Type::byte ? 0 : -32768;
    const std::int64_t high = found->type == Type::byte ? 255 : 32767;
    if (problem != std::errc() || value < low || value > high)
        return {about_option(support::in_quotes(definition) + ": the value does not fit the constant",
                             name + " is " + (found->type == Type::byte ? "a byte" : "an int") + ": " +
                                 std::to_string(low) + " to " + std::to_string(high))};
    auto number = std::make_unique<Expr>();
    number->kind = Expr::Kind::number;
    number->span = found->initial.empty() ? found->name.span : found->initial.front()->span;
    number->number = value;
    found->initial.clear();
    found->initial.push_back(std::move(number));
    found->braces = false;
    return {};
}

}  // namespace

support::Diagnostics define_constants(Program& program, const std::vector<std::string>& definitions) {
    support::Diagnostics errors;
    for (const std::string& definition : definitions) {
        support::Diagnostics more = define(program, definition);
        errors.insert(errors.end(), more.begin(), more.end());
    }
    return errors;
}

}  // namespace tideline::input::dve
