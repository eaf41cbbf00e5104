// A property over infinite runs as a user gives it, a formula or an automaton of the runs that are bad, turned into what a check needs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "automata/automaton.hpp"
#include "cli/command_line.hpp"
#include "logic/lasso.hpp"
#include "model/model.hpp"
#include "support/budget.hpp"
#include "support/source.hpp"

namespace tideline {

struct RunProperty {
    std::string name;
    std::string logic;                    // ltl or automaton
    std::string formula;                  // as the user wrote it, or the file
    std::shared_ptr<Labels> labels;       // of the automaton
    Automaton automaton;                  // of the bad runs
    std::vector<Expression> atoms;        // of the automaton, over the model's names
    // Whether a word over these atoms is a bad one: of a formula by its meaning, without any automaton. Of an automaton true where the budget,
    // which must live as long, does not suffice to tell.
    std::function<bool(const Lasso&)> is_bad;
};

// What the making of automata is given, besides a property.
struct PropertyContext {
    const Model& model;
    std::string translator;               // a command; empty: Tideline's own translation
    const Budget& budget;
    bool quiet = false;                   // no warnings
};

// The property, or the exit status after the mistake was printed.
using PropertyOrStatus = std::variant<RunProperty, int>;
PropertyOrStatus property_of_formula(const PropertyContext& context, std::string name, const SourceText& source, SourceSpan part);
PropertyOrStatus property_of_automaton(const PropertyContext& context, std::string name, const std::string& path);

// The same without a model: any names are atoms. A formula's automaton is that of the formula itself.
struct NamedAutomaton {
    std::string name;                     // the formula, or the file
    std::shared_ptr<Labels> labels;
    Automaton automaton;
};
using AutomatonOrStatus = std::variant<NamedAutomaton, int>;
AutomatonOrStatus automaton_of_formula(const std::string& text, const std::string& translator, bool state_based, const Budget& budget);
AutomatonOrStatus automaton_of_file(const std::string& path, const Budget& budget);

}  // namespace tideline
