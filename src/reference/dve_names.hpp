// What the names of a DVE program stand for: indices in a state, constants, locations. Built once per program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "input/dve/syntax.hpp"
#include "reference/dve_expression.hpp"
#include "reference/machine.hpp"

namespace tideline::reference {

// A declared variable or constant.
struct Place {
    bool constant = false;
    bool array = false;
    input::dve::Type type = input::dve::Type::byte;
    std::size_t first = 0;  // in the state; of a constant in its values
    std::size_t length = 1;
    std::vector<std::int64_t> values;  // initial ones, or those of a constant
};

struct ChannelPlace {
    std::string name;
    std::vector<input::dve::Type> fields;
    bool typed = false;
    std::size_t capacity = 0;  // 0: rendezvous
    std::size_t length = 0;    // index of the number of messages in the state
    std::size_t first = 0;     // index of the first field of the first message
};

struct ProcessNames {
    std::string name;
    std::size_t location = 0;  // index of its location in the state
    std::map<std::string, Place> variables;
    std::map<std::string, std::size_t> locations;
};

// What a leaf of an expression stands for.
struct Meaning {
    enum class Kind { place, location };
    Kind kind = Kind::place;
    const Place* place = nullptr;
    std::size_t slot = 0;  // of a location: the process's index in the state
    std::int64_t location = 0;
};

class DveNames {
public:
    // `processes` are those that belong to the system.
    DveNames(const input::dve::Program& program, const std::vector<const input::dve::Process*>& processes);
    DveNames(const DveNames&) = delete;
    DveNames& operator=(const DveNames&) = delete;

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] const State& initial() const { return initial_; }
    [[nodiscard]] const std::vector<ProcessNames>& processes() const { return processes_; }
    [[nodiscard]] OutsideNames outside() const;
    [[nodiscard]] const ChannelPlace* channel(const std::string& name) const;
    // The meaning of a leaf, as seen from a process of the list or from outside; nothing where it has none.
    [[nodiscard]] std::optional<Meaning> meaning(const input::dve::Expr& leaf, const ProcessNames* from) const;

private:
    void add_variable(const input::dve::VariableDeclaration& declaration, ProcessNames* process);
    void add_channel(const input::dve::ChannelDeclaration& declaration);
    void add_process(const input::dve::Process& process, ProcessNames& names);
    std::size_t add_slot(std::string name, std::int64_t value);
    [[nodiscard]] std::int64_t constant_value(const input::dve::Expr& expression, const ProcessNames* from) const;

    std::vector<std::string> names_;
    State initial_;
    std::map<std::string, Place> variables_;
    std::map<std::string, ChannelPlace> channels_;
    std::vector<ProcessNames> processes_;
};

// The meanings of all leaves of many expressions, by their address in the tree.
using Meanings = std::unordered_map<const input::dve::Expr*, Meaning>;

// Adds the meanings of an expression's leaves; returns the first leaf that has none.
const input::dve::Expr* resolve(const input::dve::Expr& expression, const DveNames& names, const ProcessNames* from,
                                Meanings& meanings);

// The leaves' values in a state. Leaves without a meaning are 0: a checked program has none.
class StateValues final : public NameValues {
public:
    StateValues(const Meanings& meanings, const State& state) : meanings_(meanings), state_(state) {}
    [[nodiscard]] Answer value_of(const input::dve::Expr& leaf) const override;

private:
    const Meanings& meanings_;
    const State& state_;
};

}  // namespace tideline::reference
