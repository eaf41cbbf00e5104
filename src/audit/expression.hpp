// Expressions over a system's names, read a second time: written from the page of docs/manual.md on expressions,
// without model/parse_expression, so that an audit does not repeat an error of the run. The two must agree on every
// expression that a run accepts; expression_test.cpp compares them on random ones.
//
// The result is a syntax tree of reference/, whose arithmetic evaluates it. A level of precedence is one chain, however
// long it is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input/load.hpp"
#include "model/model.hpp"
#include "reference/dve_expression.hpp"
#include "reference/machine.hpp"

namespace tideline::audit {

// What the names in an expression stand for.
class Vocabulary {
public:
    // Of a model that reference/ executes.
    explicit Vocabulary(const reference::Machine& machine);
    // Of a system written in C++.
    explicit Vocabulary(const model::Model& names);

    using Location = reference::OutsideNames::Location;
    // Null where there is none of this name. Those of a process are P.x; arrays may have a suffix behind the index:
    // "c[].1".
    [[nodiscard]] const std::size_t* slot(const std::string& name) const { return find(slots_, name); }
    [[nodiscard]] const std::vector<std::size_t>* array(const std::string& name) const { return find(arrays_, name); }
    [[nodiscard]] const Location* location(const std::string& name) const { return find(outside_.locations, name); }
    [[nodiscard]] const std::int64_t* constant(const std::string& name) const { return find(outside_.constants, name); }
    [[nodiscard]] const std::vector<std::int64_t>* constant_array(const std::string& name) const {
        return find(outside_.constant_arrays, name);
    }
    using Predicate = std::function<bool(const reference::State&)>;
    [[nodiscard]] const Predicate* predicate(const std::string& name) const { return find(outside_.predicates, name); }
    // The values of a label by the value of slot 0.
    [[nodiscard]] const std::vector<std::int64_t>* label(const std::string& name) const {
        return find(outside_.labels, name);
    }

private:
    template <class Thing>
    static const Thing* find(const std::map<std::string, Thing>& things, const std::string& name) {
        const auto found = things.find(name);
        return found == things.end() ? nullptr : &found->second;
    }
    void add_slots(const std::vector<std::string>& names);

    std::map<std::string, std::size_t> slots_;
    std::map<std::string, std::vector<std::size_t>> arrays_;
    reference::OutsideNames outside_;
};

class Formula {
public:
    // Objects where the text cannot be understood. The vocabulary must outlive the formula.
    Formula(const std::string& text, const Vocabulary& vocabulary);

    [[nodiscard]] reference::Answer evaluate(const reference::State& state) const;

    // What a leaf of the tree reads; exactly one of these.
    struct Leaf {
        const std::size_t* slot = nullptr;
        const Vocabulary::Location* location = nullptr;
        const std::vector<std::size_t>* array = nullptr;
        const std::vector<std::int64_t>* constant_array = nullptr;
        const std::vector<std::int64_t>* label = nullptr;
        const Vocabulary::Predicate* predicate = nullptr;
    };
    using Leaves = std::unordered_map<const input::dve::Expr*, Leaf>;

private:
    Leaves leaves_;
    input::dve::ExprPtr tree_;
};

// The formulas of an audit, each read once.
class Formulas {
public:
    explicit Formulas(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
    Formulas(const Formulas&) = delete;
    Formulas& operator=(const Formulas&) = delete;

    // `what` it is, for the objection where it cannot be understood.
    void prepare(const std::string& formula, const std::string& what);
    // It must have been prepared.
    [[nodiscard]] reference::Answer evaluate(const std::string& formula, const reference::State& state) const;

private:
    Vocabulary vocabulary_;
    std::unordered_map<std::string, Formula> formulas_;
};

}  // namespace tideline::audit
